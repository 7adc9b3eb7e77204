/**
 * Validates single values against a schema, with messages for the user.
 *
 * Only keywords that help in filling in a form are checked; the server checks everything.
 *
 * @module
 */

import { isMismatch } from './pattern.ts'
import type { Schema } from './schema.ts'
import { sameJson } from './value.ts'

/** Message of a required field without a value. */
export const REQUIRED = 'This is required'

/** Reads a keyword that is a count; null if the schema has no valid one. */
export function countIn(schema: Schema, keyword: string): number | null {
  const value = schema[keyword]
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null
}

/** Validates a string: length, pattern and format. */
export function textProblems(schema: Schema, text: string): string[] {
  const length = lengthOf(text)
  const least = countIn(schema, 'minLength')
  const most = countIn(schema, 'maxLength')
  const problems: string[] = []
  if (least !== null && length < least) problems.push(`At least ${counted(least, 'character')}`)
  if (most !== null && length > most) problems.push(`At most ${counted(most, 'character')}`)
  const { pattern, format } = schema
  if (typeof pattern === 'string' && isMismatch(pattern, text))
    problems.push('This is not in the form that is asked for')
  if (typeof format === 'string' && text !== '') problems.push(...formatProblems(format, text))
  return problems
}

/** The length in code points, as JSON Schema defines it. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

interface Format {
  readonly fits: (text: string) => boolean
  readonly says: string
}

const isTime = (text: string) => !Number.isNaN(Date.parse(text))

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['email', { fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text), says: 'Give an e-mail address' }],
  ['uri', { fits: (text) => URL.canParse(text), says: 'Give a whole address, as https://…' }],
  ['url', { fits: (text) => URL.canParse(text), says: 'Give a whole address, as https://…' }],
  [
    'date',
    {
      fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text),
      says: 'Give a date, as 2026-07-28',
    },
  ],
  [
    'date-time',
    {
      fits: (text) => /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text) && isTime(text),
      says: 'Give a date and time, as 2026-07-28T10:00:00Z',
    },
  ],
  [
    'uuid',
    { fits: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text), says: 'Give a UUID' },
  ],
])

function formatProblems(format: string, text: string): string[] {
  const known = FORMATS.get(format)
  return !known || known.fits(text) ? [] : [known.says]
}

/** Bounds of a number; null for none. */
export interface Range {
  readonly minimum: number | null
  readonly maximum: number | null
  /** Whether the bound itself is excluded. */
  readonly aboveMinimum: boolean
  readonly belowMaximum: boolean
}

/** The bounds of a number. In draft 4, `exclusiveMinimum` is a boolean beside `minimum`. */
export function rangeOf(schema: Schema): Range {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  const aboveMinimum = exclusiveMinimum === true || typeof exclusiveMinimum === 'number'
  const belowMaximum = exclusiveMaximum === true || typeof exclusiveMaximum === 'number'
  return {
    minimum: number(exclusiveMinimum) ?? number(minimum),
    maximum: number(exclusiveMaximum) ?? number(maximum),
    aboveMinimum,
    belowMaximum,
  }
}

/** Validates a number: type, bounds and step. */
export function numberProblems(schema: Schema, value: unknown, integer: boolean): string[] {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return [integer ? 'Give a whole number' : 'Give a number']
  if (integer && !Number.isInteger(value)) return ['Give a whole number']
  if (integer && !Number.isSafeInteger(value)) return ['This number is too large to be exact']
  return [...boundProblems(rangeOf(schema), value), ...stepProblems(schema['multipleOf'], value)]
}

function boundProblems(range: Range, value: number): string[] {
  const { minimum, maximum, aboveMinimum, belowMaximum } = range
  const problems: string[] = []
  if (minimum !== null && (aboveMinimum ? value <= minimum : value < minimum))
    problems.push(aboveMinimum ? `More than ${minimum}` : `At least ${minimum}`)
  if (maximum !== null && (belowMaximum ? value >= maximum : value > maximum))
    problems.push(belowMaximum ? `Less than ${maximum}` : `At most ${maximum}`)
  return problems
}

function stepProblems(step: unknown, value: number): string[] {
  if (typeof step !== 'number' || step <= 0) return []
  const times = value / step
  // Decimal steps have no exact binary form, so a small error is accepted.
  const isMultiple = Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
  return isMultiple ? [] : [`A multiple of ${step}`]
}

/** Validates a list: length and uniqueness, but not its items. */
export function listProblems(schema: Schema, items: readonly unknown[]): string[] {
  const least = countIn(schema, 'minItems')
  const most = countIn(schema, 'maxItems')
  const problems: string[] = []
  if (least !== null && items.length < least) problems.push(`At least ${counted(least, 'entry')}`)
  if (most !== null && items.length > most) problems.push(`At most ${counted(most, 'entry')}`)
  if (schema['uniqueItems'] === true && hasTwins(items)) problems.push('An entry is there twice')
  return problems
}

/** Compares every pair, so long lists are left to the server. */
function hasTwins(items: readonly unknown[]): boolean {
  if (items.length > 200) return false
  return items.some((item, index) => items.slice(0, index).some((other) => sameJson(item, other)))
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return noun.endsWith('y') ? `${count} ${noun.slice(0, -1)}ies` : `${count} ${noun}s`
}
