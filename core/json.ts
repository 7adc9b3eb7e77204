/**
 * JSON from strangers: what counts as an object of it, and what counts as a member of one.
 *
 * A list is no record, and only own members count: `__proto__` and `constructor` are names like any
 * other. Whoever reads the same message on another side of a wire has to see the same in it.
 *
 * @module
 */

/** An object of JSON, of whose members nothing is known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The record, or an empty one where it is none. */
export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

/** A member that the record itself has. */
export function own(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
