/**
 * JSON from strangers: what a record is, what a text is, and what of a text can be shown.
 *
 * @module
 */

export type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const isText = (value: unknown): value is string => typeof value === 'string'

/** The member of that name where it is a record, else an empty one. */
export function recordIn(value: unknown, name: string): Json {
  const member = isRecord(value) ? value[name] : undefined
  return isRecord(member) ? member : {}
}

/** The text where it is one, short enough to be shown. */
export const label = (value: unknown) => (isText(value) && value ? value.slice(0, 100) : null)
