/**
 * Parsing a policy: from untrusted JSON to restrictions.
 *
 * The marks of the configuration schema define which fields a policy may set, and who may set them. A
 * field that would widen access, or that is not valid, is an error that names the field, and no call
 * runs. The rules are L1 to L9 of the mcp4h proposals; `test/core/policy.test.ts` has the messages.
 *
 * @module
 */

import { CONFIG_SCHEMA, type Marks } from '../config-schema.ts'
import { isRecord, own, type JsonRecord } from '../json.ts'
import { isWithin, resolvePath, type StorePath } from '../path.ts'
import { err, ok, type Result } from '../result.ts'
import {
  collect,
  LIMITS,
  readApproval,
  readBoolean,
  readCount,
  readEntries,
  readPatterns,
  type Approval,
  type Entry,
  type Limits,
  type Requester,
} from './fields.ts'
import {
  isHigher,
  isLaxer,
  pickLimits,
  restrictionsOf,
  type Narrowing,
  type Policy,
  type Restrictions,
  type Rules,
} from './rules.ts'

const MARKS = new Map<string, Marks>(Object.entries(CONFIG_SCHEMA.properties))

/**
 * Parses a policy that restricts rules. `requester` must come from a source that the model cannot
 * write.
 */
export function readPolicy(
  value: unknown,
  rules: Rules,
  requester: Requester,
): Result<Policy, string> {
  if (!isRecord(value)) return err('policy must be an object')
  const fault = keyFault(Object.keys(value), requester)
  if (fault) return err(fault)

  const folders = readFolders(own(value, 'roots'), rules)
  if (!folders.ok) return folders
  const limits = readLimits(value, rules.limits)
  if (!limits.ok) return limits
  const approval = readStricter(own(value, 'approval'), rules.approval)
  if (!approval.ok) return approval
  const readOnly = readReadOnly(own(value, 'read_only'), rules.read_only)
  if (!readOnly.ok) return readOnly
  return ok(
    restrictionsOf({
      ...folders.value,
      limits: limits.value,
      approval: approval.value,
      read_only: readOnly.value,
    }),
  )
}

function keyFault(keys: readonly string[], requester: Requester): string | null {
  for (const key of keys) {
    const marks = MARKS.get(key)
    if (!marks || marks.scope === 'configuration') return `unknown policy key: ${key}`
    if (requester === 'llm' && marks.audience === 'human')
      return `${key} may only be set by a person`
  }
  return null
}

// Ceilings

function readLimits(fields: JsonRecord, held: Limits): Result<Limits, string> {
  const named = LIMITS.filter((limit) => own(fields, limit) !== undefined)
  const values = collect(named, (limit) => readLower(limit, own(fields, limit), held[limit]))
  if (!values.ok) return values
  const lowered = new Map(named.map((limit, index) => [limit, values.value[index] ?? 0]))
  return ok(pickLimits((limit) => lowered.get(limit) ?? 0))
}

function readLower(field: string, value: unknown, held: number): Result<number, string> {
  const limit = readCount(field, value)
  if (!limit.ok || !isHigher(limit.value, held)) return limit
  return err(`${field} must not be higher than ${held}`)
}

function readStricter(value: unknown, held: Approval): Result<Approval, string> {
  if (value === undefined) return ok('none')
  const approval = readApproval('approval', value)
  if (!approval.ok || !isLaxer(approval.value, held)) return approval
  return err(`approval must not be less strict than ${held}`)
}

function readReadOnly(value: unknown, held: boolean): Result<boolean, string> {
  if (value === undefined) return ok(false)
  const readOnly = readBoolean('read_only', value)
  if (!readOnly.ok || readOnly.value || !held) return readOnly
  return err('read_only must not be turned off')
}

// Folders

/** An entry with its folder, and the root that the folder belongs to. */
interface Placed {
  readonly path: StorePath
  readonly root: StorePath
  readonly entry: Entry
  readonly blocked: boolean
}

function readFolders(value: unknown, rules: Rules): Result<Partial<Restrictions>, string> {
  if (value === undefined) return ok({})
  const entries = readEntries(value, { faultOf, textsOf })
  if (!entries.ok) return entries
  const placed = collect(entries.value, (entry) => place(entry, rules))
  if (!placed.ok) return placed
  const parts = collect(placed.value, partsOf)
  if (!parts.ok) return parts
  return ok({
    blocked: placed.value.filter(({ blocked }) => blocked).map(({ path }) => path),
    narrowed: narrowingsOf(placed.value),
    allow: parts.value.flatMap(({ allow }) => allow),
    deny: parts.value.flatMap(({ deny }) => deny),
    immutable: parts.value.flatMap(({ immutable }) => immutable),
  })
}

function faultOf(fields: JsonRecord): string | null {
  if (Object.hasOwn(fields, 'default')) return 'policy roots must not include default'
  const blocked = own(fields, 'blocked')
  const flag = readBoolean('root.blocked', blocked === undefined ? false : blocked)
  return flag.ok ? null : flag.error
}

/** Refuses items that are not strings: ignoring them would restrict less than intended. */
function textsOf(field: string, list: readonly unknown[]): Result<readonly string[], string> {
  const texts = list.filter((item) => typeof item === 'string')
  return texts.length === list.length ? ok(texts) : err(`${field} must hold texts only`)
}

function place(entry: Entry, rules: Rules): Result<Placed, string> {
  const path = resolvePath(entry.path, rules.defaultRoot)
  const root = path.ok ? deepestRoot(path.value, rules.roots) : undefined
  if (!path.ok || root === undefined) return err(`policy root not found: ${entry.path}`)

  const blocked = own(entry.fields, 'blocked') === true
  if (blocked && path.value === rules.defaultRoot)
    return err('policy cannot block the default root')
  return ok({ path: path.value, root, entry, blocked })
}

/** Returns the root that a path belongs to. */
function deepestRoot(path: StorePath, roots: readonly StorePath[]): StorePath | undefined {
  const holders = roots.filter((root) => isWithin(path, root))
  return holders.toSorted((a, b) => b.length - a.length)[0]
}

/** Returns the restrictions of an entry's lists, all of them relative to its path. */
function partsOf({ path, root, entry }: Placed) {
  const patterns = readPatterns(entry)
  if (!patterns.ok) return patterns
  const { deny, allow, immutable } = patterns.value
  return ok({
    allow: allow.length === 0 ? [] : [{ root, base: path, globs: allow }],
    deny: deny.map((glob) => ({ root: null, base: path, glob })),
    immutable: immutable.map((glob) => ({ root: null, base: path, glob })),
  })
}

/** Narrows each root to the folders below it that the policy names, all of them together. */
function narrowingsOf(placed: readonly Placed[]): Narrowing[] {
  const inside = placed.filter(({ path, root, blocked }) => path !== root && !blocked)
  const roots = new Set(inside.map(({ root }) => root))
  return [...roots].map((root) => ({
    root,
    folders: inside.filter((one) => one.root === root).map(({ path }) => path),
  }))
}
