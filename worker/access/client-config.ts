/**
 * Client configuration: what an MCP client sends in `capabilities.experimental.configuration`.
 *
 * It can only narrow what the owner and the session permit. Only the owner sets retention, quotas, previews
 * and `allow_escape`, because they affect other callers. A default is no ceiling: what a result may have is a matter
 * between a client and its model. A field that widens access is an error that names
 * the field, and no call runs. `test/worker/access/client-config.test.ts` has the table.
 *
 * @module
 */

import { readConfig, type Config } from '#core/config.ts'
import { LISTS } from '#core/config/entries.ts'
import { isRecord, isString, own, recordOf, type JsonRecord } from '#core/json.ts'
import { isWithin, type StorePath } from '#core/path.ts'
import {
  approvalAt,
  clientRulesOf,
  CONFIGURED_NAMES,
  isDenied,
  isHigher,
  isLaxer,
  LIMITS,
  restrictionsOf,
  stricter,
  type LimitName,
  type Limits,
  type Rules,
} from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { MAX_FIND_LIMIT } from '../limits.ts'
import { addPatterns } from './judging.ts'
import { MAX_CHOSEN_BYTES } from './limits.ts'
import { rememberParsed } from './parse-cache.ts'
import {
  innermost,
  isInScope,
  withInnermost,
  withLayer,
  withLevels,
  withoutSet,
  type Ceiling,
} from './ceiling.ts'

/** Restricts a ceiling by a client's configuration. The error names the field that would widen access. */
export const withClientConfig = rememberParsed(narrowByConfig)

function narrowByConfig(outer: Ceiling, given: unknown): Result<Ceiling, string> {
  const patterns = addPatterns(outer.patterns, given)
  if (!patterns.ok) return patterns
  const held = innermost(outer)
  // Omitted fields keep the values that hold for this caller.
  const { approval, read_only } = held
  const base: Config = { ...outer.config, ...held.limits, approval, read_only }
  const read = readConfig(given, base)
  if (!read.ok) return err(isRecord(given) ? read.error[0].message : NO_CONFIGURATION)
  const fields = recordOf(given)
  const config = { ...read.value, ...unlimited(outer, fields) }
  const fault =
    looseFault(fields) ?? ownerFault(fields, config, outer.owner) ?? widerFault(config, outer)
  if (fault) return err(fault)
  const ceiling = withLevels(
    { ...outer, open: withoutSet(outer.open, fields) },
    demandedBy(fields, config),
  )
  const rules = clientRulesOf(config)
  if (own(fields, 'roots') === undefined) {
    const { limits, approval, read_only } = rules
    const restrictions = restrictionsOf({ ...held, limits, approval, read_only })
    return ok({ ...withInnermost(ceiling, { ...held, ...restrictions }), config })
  }
  const outside = config.roots.find(({ path }) => !isOffered(ceiling, path))
  if (outside) return err(`roots: ${outside.path} is outside the folders of this caller`)
  const laxer = laxerFault(config, ceiling)
  if (laxer) return err(laxer)
  return ok(withLayer({ ...ceiling, patterns: patterns.value }, config, rules))
}

/** Returns the approval levels that a configuration names; omitted ones are those of the caller. */
function demandedBy(fields: JsonRecord, { approval, roots }: Config) {
  const isNamed = (name: string) => own(fields, name) !== undefined
  return restrictionsOf({
    approval: isNamed('approval') ? approval : 'none',
    approvals: isNamed('roots')
      ? roots.map(({ path, approval: level }) => ({ folder: path, level }))
      : [],
  })
}

const NO_CONFIGURATION = 'config must be an object (capabilities.experimental.configuration)'

/**
 * Returns the refusal of what the configuration of an owner may have: null for no limit, and items of a list that are
 * dropped. In that of a client, which a program writes, either may be what was left out by mistake.
 */
function looseFault(fields: JsonRecord): string | null {
  const unset = Object.keys(fields).find((name) => fields[name] === null)
  if (unset !== undefined) return `${unset} must not be null`
  const roots = Array.isArray(fields['roots']) ? fields['roots'].map(recordOf) : []
  const list = LISTS.find((name) =>
    roots.some(({ [name]: items }) => Array.isArray(items) && !items.every(isString)),
  )
  return list ? `root.${list} must contain strings only` : null
}

function ownerFault(fields: JsonRecord, config: Config, owner: Config): string | null {
  const field = CONFIGURED_NAMES.find(
    (one) => own(fields, one) !== undefined && config[one] !== owner[one] && config[one] !== false,
  )
  return field ? `${field} may only be set by the owner of the workspace` : null
}

/** What a client may choose for a limit that no one has set: as much as the product can return. */
const CHOOSABLE: Limits = {
  find_limit: MAX_FIND_LIMIT,
  search_max_bytes: MAX_CHOSEN_BYTES,
  search_summary_top: MAX_FIND_LIMIT,
  read_max_bytes: MAX_CHOSEN_BYTES,
  read_max_line_bytes: MAX_CHOSEN_BYTES,
}

function highest(limit: LimitName, ceiling: Ceiling): number {
  if (!ceiling.open.includes(limit)) return innermost(ceiling).limits[limit]
  return Math.min(CHOOSABLE[limit], ceiling.owner.flags?.[limit] || Infinity)
}

/** For a limit that no one has set, no limit is the highest. */
function unlimited(ceiling: Ceiling, fields: JsonRecord): Partial<Limits> {
  const chosen = ceiling.open.filter((limit) => own(fields, limit) === 0)
  return Object.fromEntries(chosen.map((limit) => [limit, highest(limit, ceiling)]))
}

function widerFault(config: Config, ceiling: Ceiling): string | null {
  const held = innermost(ceiling)
  const limit = LIMITS.find((one) => isHigher(config[one], highest(one, ceiling)))
  if (limit) return `${limit} must not be higher than ${highest(limit, ceiling)}`
  if (held.read_only && !config.read_only) return 'read_only must not be turned off'
  if (!isLaxer(config.approval, held.approval)) return null
  return `approval must not be less strict than ${held.approval}`
}

/** Returns the refusal of a folder with a level that is less strict than the one that holds for it. */
function laxerFault({ roots }: Config, { layers }: Ceiling): string | null {
  for (const { path, approval } of roots) {
    const held = layers.map((rules) => approvalAt(rules, path)).reduce(stricter)
    if (approval !== 'none' && isLaxer(approval, held))
      return `root.approval of ${path} must not be less strict than ${held}`
  }
  return null
}

/** Whether every layer permits a folder and the scopes cover it for reading or for writing. */
function isOffered(ceiling: Ceiling, path: StorePath): boolean {
  const inScope = isInScope(ceiling, 'read', path) || isInScope(ceiling, 'write', path)
  const { bounds, layers } = ceiling
  return inScope && [...(bounds ? [bounds] : []), ...layers].every((rules) => contains(rules, path))
}

/** Whether a root contains a folder, and the narrowing of the root as well. */
function contains(rules: Rules, path: StorePath): boolean {
  const isInOne = (folders: readonly StorePath[]) => folders.some((one) => isWithin(path, one))
  if (isDenied(rules, path)) return false
  if (!isInOne(rules.roots)) return rules.allow_escape
  return rules.narrowings.every(({ root, folders }) => !isWithin(path, root) || isInOne(folders))
}
