/**
 * Parsing a policy: from untrusted JSON to restrictions.
 *
 * The marks of the configuration schema define which fields a policy may set, and who may set them. A
 * field that would widen access, or that is not valid, is an error that names the field, and no call
 * runs. The rules are those of the mcp4h proposals; `test/core/policy.test.ts` has the messages.
 *
 * @module
 */

import { readEntries, readPatterns, type Entry, type EntryKind } from '../config/entries.ts'
import { FIELDS, isField, LIMITS, type Limits } from '../config/fields.ts'
import { fail, inEntry, topLevel, type ConfigProblem } from '../config/problem.ts'
import type { ApprovalLevel } from '../approval.ts'
import { collect, readApproval, readBoolean, readCount } from '../config/values.ts'
import { isRecord, own, type JsonRecord } from '../json.ts'
import { plainPathFor } from '../path/candidates.ts'
import { isWithin, resolvePath, type StorePath } from '../path.ts'
import { ok, type Result } from '../result.ts'
import { isLaxer } from './approvals.ts'
import type { Requester } from './form.ts'
import {
  isHigher,
  pickLimits,
  restrictionsOf,
  restrictionsOfEntries,
  topmost,
  type EntryLists,
  type Narrowing,
  type Policy,
  type Restrictions,
  type Rules,
} from './rules.ts'

/**
 * Parses a policy that restricts rules. `requester` must come from a source that the model cannot
 * write.
 */
export function readPolicy(
  value: unknown,
  rules: Rules,
  requester: Requester,
): Result<Policy, ConfigProblem> {
  if (!isRecord(value)) return fail('WRONG_TYPE', '', 'policy must be an object')
  const keys = collect(Object.keys(value), (key) => checkKey(key, requester))
  if (!keys.ok) return keys

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

function checkKey(key: string, requester: Requester): Result<null, ConfigProblem> {
  const marks = isField(key) ? FIELDS[key].schema : null
  if (!marks || marks.scope === 'configuration')
    return fail('UNKNOWN_FIELD', topLevel(key).pointer, `unknown policy key: ${key}`)
  if (requester === 'llm' && marks.audience === 'human')
    return fail('NOT_ALLOWED', topLevel(key).pointer, `${key} may only be set by a person`)
  return ok(null)
}

// Ceilings

function readLimits(fields: JsonRecord, current: Limits): Result<Limits, ConfigProblem> {
  const named = LIMITS.filter((limit) => own(fields, limit) !== undefined)
  const values = collect(named, (limit) => readLower(limit, own(fields, limit), current[limit]))
  if (!values.ok) return values
  const lowered = new Map(named.map((limit, index) => [limit, values.value[index] ?? 0]))
  return ok(pickLimits((limit) => lowered.get(limit) ?? 0))
}

function readLower(name: string, value: unknown, current: number): Result<number, ConfigProblem> {
  const place = topLevel(name)
  const limit = readCount(place, value)
  if (!limit.ok || !isHigher(limit.value, current)) return limit
  return fail('NOT_ALLOWED', place.pointer, `${name} must not be higher than ${current}`)
}

function readStricter(
  value: unknown,
  current: ApprovalLevel,
): Result<ApprovalLevel, ConfigProblem> {
  if (value === undefined) return ok('none')
  const place = topLevel('approval')
  const approval = readApproval(place, value)
  if (!approval.ok || !isLaxer(approval.value, current)) return approval
  return fail('NOT_ALLOWED', place.pointer, `approval must not be less strict than ${current}`)
}

function readReadOnly(value: unknown, current: boolean): Result<boolean, ConfigProblem> {
  if (value === undefined) return ok(false)
  const place = topLevel('read_only')
  const readOnly = readBoolean(place, value)
  if (!readOnly.ok || readOnly.value || !current) return readOnly
  return fail('NOT_ALLOWED', place.pointer, 'read_only must not be turned off')
}

// Folders

/** The lists of an entry with its folder, and the outermost root that the folder belongs to. */
interface Placed extends EntryLists {
  readonly root: StorePath
  readonly blocked: boolean
}

function readFolders(value: unknown, rules: Rules): Result<Partial<Restrictions>, ConfigProblem> {
  if (value === undefined) return ok({})
  const entries = readEntries(value, IN_POLICY)
  if (!entries.ok) return entries
  const placed = collect(entries.value, (entry) => place(entry, rules))
  if (!placed.ok) return placed
  return ok({
    ...restrictionsOfEntries(placed.value),
    blocked: placed.value.filter(({ blocked }) => blocked).map(({ path }) => path),
    narrowings: narrowingsOf(placed.value),
  })
}

/** The fields of a folder that only a configuration may set. */
const CONFIGURED_ONLY = ['default', 'binding_leases']

const IN_POLICY: EntryKind = {
  check(fields, pointer) {
    const preset = CONFIGURED_ONLY.find((name) => Object.hasOwn(fields, name))
    if (preset !== undefined) {
      const message = `policy roots must not include ${preset}`
      return fail('NOT_ALLOWED', inEntry(pointer, preset).pointer, message)
    }
    const blocked = own(fields, 'blocked')
    return readBoolean(inEntry(pointer, 'blocked'), blocked === undefined ? false : blocked)
  },

  /** Refuses items that are not strings: ignoring them would restrict less than intended. */
  checkList({ name, pointer }, strings, items) {
    if (strings === items) return ok(null)
    return fail('WRONG_TYPE', pointer, `${name} must contain strings only`)
  },
}

function place(entry: Entry, rules: Rules): Result<Placed, ConfigProblem> {
  const plain = plainPathFor(entry.path, rules.defaultRoot)
  const path = resolvePath(entry.path, rules.defaultRoot)
  const root = path.ok ? topmost(rules.roots).find((one) => isWithin(path.value, one)) : undefined
  const at = inEntry(entry.pointer, 'path').pointer
  if (plain !== null)
    return fail(
      'INVALID_PATH',
      at,
      `policy root ${JSON.stringify(entry.path)} is no path: write it as ${plain}`,
    )
  if (!path.ok || root === undefined)
    return fail('INVALID_PATH', at, `policy root not found: ${entry.path}`)

  const blocked = own(entry.fields, 'blocked') === true
  if (blocked && path.value === rules.defaultRoot) {
    const flag = inEntry(entry.pointer, 'blocked').pointer
    return fail('NOT_ALLOWED', flag, 'policy cannot block the default root')
  }
  const patterns = readPatterns(entry)
  if (!patterns.ok) return patterns
  return ok({ ...patterns.value, approval: entry.approval, path: path.value, root, blocked })
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
