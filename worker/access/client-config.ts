/**
 * Client configuration: what an MCP client sends in `capabilities.experimental.configuration`.
 *
 * It can only narrow what the owner and the session permit. Only the owner sets retention, quotas, previews
 * and `allow_escape`, because they affect other callers. A field that widens access is an error that names
 * the field, and no call runs. `test/worker/access/client-config.test.ts` has the table.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config, type Flags } from '#core/config.ts'
import { isRecord, own, type JsonRecord } from '#core/json.ts'
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
  type Rules,
} from '#core/policy.ts'
import { err, ok, type Result } from '#core/result.ts'
import { addPatterns } from './judging.ts'
import { rememberParsed } from './parse-cache.ts'
import { innermost, isInScope, withInnermost, withLayer, type Ceiling } from './ceiling.ts'

/** Restricts a ceiling by a client's configuration. The error names the field that would widen access. */
export const withClientConfig = rememberParsed(narrowByConfig)

function narrowByConfig(ceiling: Ceiling, given: unknown): Result<Ceiling, string> {
  const patterns = addPatterns(ceiling.patterns, given)
  if (!patterns.ok) return patterns
  const held = innermost(ceiling)
  // Omitted fields keep the values that hold for this caller.
  const { approval, read_only } = held
  const base: Config = { ...ceiling.config, ...held.limits, approval, read_only }
  const read = readConfig(given, base)
  if (!read.ok) return err(read.error[0].message)
  const config = read.value
  const fields = isRecord(given) ? given : {}
  const fault = ownerFault(fields, config, ceiling.owner) ?? widerFault(config, held, ceiling.owner)
  if (fault) return err(fault)
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

function ownerFault(fields: JsonRecord, config: Config, owner: Config): string | null {
  const field = CONFIGURED_NAMES.find(
    (one) => own(fields, one) !== undefined && config[one] !== owner[one] && config[one] !== false,
  )
  return field ? `${field} may only be set by the owner of the workspace` : null
}

/**
 * What a client may set if the owner keeps our default: the defaults of the mcp4h proposals, so that
 * configurations written for them work unchanged.
 */
const REFERENCE = { read_max_bytes: 51_200, search_max_bytes: 51_200 } as const

function highest(limit: LimitName, held: Rules, flags: Flags): number {
  const isDefault = held.limits[limit] === DEFAULT_CONFIG[limit]
  if (!isDefault || (limit !== 'read_max_bytes' && limit !== 'search_max_bytes'))
    return held.limits[limit]
  return Math.min(REFERENCE[limit], flags[limit] || Infinity)
}

function widerFault(config: Config, held: Rules, { flags = {} }: Config): string | null {
  const limit = LIMITS.find((one) => isHigher(config[one], highest(one, held, flags)))
  if (limit) return `${limit} must not be higher than ${highest(limit, held, flags)}`
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
