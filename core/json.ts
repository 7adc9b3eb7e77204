/**
 * Untrusted JSON: what counts as an object, and what counts as a member of one.
 *
 * An array is not a record, and only own members count: `__proto__` and `constructor` are names like any
 * other. All sides of a wire use these functions, so that all of them read the same message alike.
 *
 * @module
 */

/** A JSON object whose members have not been checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** Whether a value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is a record, and an empty record otherwise. */
export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

/** Whether a value is a string. */
export const isString = (value: unknown): value is string => typeof value === 'string'

/** Returns an own member of a record, or undefined. */
export function own(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** Escapes a member's name as a step of a JSON Pointer (RFC 6901, section 3). */
export const escapePointerStep = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name

/** Whether lists and objects nest deeper than some levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  // Level by level, because a recursion could overflow where the value is too deep.
  let level = [value].filter(isNested)
  for (let left = levels; level.length > 0; left--) {
    if (left === 0) return true
    level = level.flatMap((one) => Object.values(one)).filter(isNested)
  }
  return false
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
