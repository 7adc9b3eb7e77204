/**
 * Example texts and numbers for {@link createExample}: of a format or a length, and within bounds.
 *
 * @module
 */

import type { Schema } from './schema.ts'
import { checkNumber, readCount } from './validate.ts'

/** Longest text that is made. */
const MAX_TEXT = 10_000

/** Makes a text of the format that a schema names, by the number of the text. */
const FORMATS: ReadonlyMap<string, (nth: number) => string> = new Map([
  ['email', (nth) => `ada${nth === 0 ? '' : nth}@example.org`],
  ['idn-email', (nth) => `ada${nth === 0 ? '' : nth}@example.org`],
  ['uri', (nth) => `https://example.org/${nth === 0 ? '' : nth}`],
  ['url', (nth) => `https://example.org/${nth === 0 ? '' : nth}`],
  ['iri', (nth) => `https://example.org/${nth === 0 ? '' : nth}`],
  ['uri-reference', (nth) => `/example${nth === 0 ? '' : nth}`],
  ['uri-template', (nth) => `/example${nth === 0 ? '' : nth}/{id}`],
  ['date', (nth) => `2026-07-${10 + (nth % 20)}`],
  ['date-time', (nth) => `2026-07-${10 + (nth % 20)}T10:00:00Z`],
  ['time', (nth) => `10:${10 + (nth % 50)}:00Z`],
  ['duration', (nth) => `PT${nth + 1}H`],
  ['uuid', (nth) => `123e4567-e89b-42d3-a456-4266141740${10 + (nth % 90)}`],
  ['ipv4', (nth) => `192.0.2.${(nth % 250) + 1}`],
  ['ipv6', (nth) => `2001:db8::${(nth % 250) + 1}`],
  ['hostname', (nth) => `${nth === 0 ? '' : `h${nth}.`}example.org`],
  ['json-pointer', (nth) => `/example${nth === 0 ? '' : nth}`],
  ['regex', (nth) => `^example${nth === 0 ? '' : nth}$`],
])

/** Makes a text; undefined if the schema has a pattern, which would have to be guessed. */
export function makeText(schema: Schema, nth: number): string | undefined {
  const { pattern, format } = schema
  if (pattern !== undefined) return undefined
  const special = typeof format === 'string' ? FORMATS.get(format) : undefined
  if (special) return special(nth)
  const min = readCount(schema, 'minLength') ?? 0
  const max = readCount(schema, 'maxLength') ?? MAX_TEXT
  if (min > MAX_TEXT) return undefined
  const text = nth === 0 ? 'example' : `${nth + 1} example`
  return text.padEnd(min, ' example').slice(0, max)
}

/** What kind of number is made. */
interface NumberKind {
  readonly isInteger: boolean
  /** Its number in a list whose items must differ. */
  readonly nth: number
}

/** Makes a number near 1 if the bounds permit it. */
export function makeNumber(schema: Schema, { isInteger, nth }: NumberKind): number | undefined {
  const valid = listNumbers(schema, nth).filter(
    (value) => checkNumber(schema, value, isInteger).length === 0,
  )
  const distinct = [...new Set(valid)]
  return distinct[nth] ?? distinct[0]
}

const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const

/** Lists numbers that may be valid: round ones, those beside the bounds, and those between them. */
function listNumbers(schema: Schema, nth: number): readonly number[] {
  const { multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1
  const bounds = BOUNDS.map((name) => schema[name]).filter((bound) => typeof bound === 'number')
  const middle = bounds.reduce((sum, bound) => sum + bound, 0) / Math.max(bounds.length, 1)
  return [1, 0, ...bounds, middle].flatMap((near) => {
    const start = Math.floor(near / step) * step
    const multiples = Array.from({ length: nth + 2 }, (_, index) => start + index * step)
    return [near, ...multiples, start - step]
  })
}
