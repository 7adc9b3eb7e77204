/**
 * Validates single values against a schema, with messages for the user.
 *
 * Only keywords that help in filling in a form are checked; the server checks everything. A pattern
 * is untrusted input and may take exponential time in the browser's engine: only patterns without
 * nested repetition are tried, on texts so short that the worst case is small.
 * `test/host/forms/pattern.test.ts` has the table.
 *
 * @module
 */

import type { Schema } from './schema.ts'
import { isSameJson } from './value.ts'

/** Message of a required field without a value. */
export const REQUIRED = 'This is required'

/** Reads a keyword that is a count; null if the schema has no valid one. */
export function readCount(schema: Schema, keyword: string): number | null {
  const value = schema[keyword]
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null
}

/** Validates a string: length, pattern and format. */
export function checkText(schema: Schema, text: string): string[] {
  const length = countCharacters(text)
  const min = readCount(schema, 'minLength')
  const max = readCount(schema, 'maxLength')
  const problems: string[] = []
  if (min !== null && length < min) problems.push(`At least ${formatCount(min, 'character')}`)
  if (max !== null && length > max) problems.push(`At most ${formatCount(max, 'character')}`)
  const { pattern, format } = schema
  if (typeof pattern === 'string' && isMismatch(pattern, text))
    problems.push('Does not match the required pattern')
  if (typeof format === 'string' && text !== '') problems.push(...checkFormat(format, text))
  return problems
}

/** The length in code points, as JSON Schema defines it. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

interface Format {
  readonly isValid: (text: string) => boolean
  readonly message: string
}

const isTime = (text: string) => !Number.isNaN(Date.parse(text))

const FORMATS: ReadonlyMap<string, Format> = new Map([
  [
    'email',
    { isValid: (text) => /^[^\s@]+@[^\s@]+$/.test(text), message: 'Enter an e-mail address' },
  ],
  [
    'uri',
    { isValid: (text) => URL.canParse(text), message: 'Enter a full URL, such as https://…' },
  ],
  [
    'url',
    { isValid: (text) => URL.canParse(text), message: 'Enter a full URL, such as https://…' },
  ],
  [
    'date',
    {
      isValid: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text),
      message: 'Enter a date, such as 2026-07-28',
    },
  ],
  [
    'date-time',
    {
      isValid: (text) => /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text) && isTime(text),
      message: 'Enter a date and time, such as 2026-07-28T10:00:00Z',
    },
  ],
  [
    'uuid',
    {
      isValid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
      message: 'Enter a UUID',
    },
  ],
])

function checkFormat(format: string, text: string): string[] {
  const known = FORMATS.get(format)
  return !known || known.isValid(text) ? [] : [known.message]
}

/** Bounds of a number; null for none. */
export interface Range {
  readonly minimum: number | null
  readonly maximum: number | null
  /** Whether the bound itself is excluded. */
  readonly aboveMinimum: boolean
  readonly belowMaximum: boolean
}

/**
 * The bounds of a number; of an inclusive and an exclusive one the narrower counts. In draft 4,
 * `exclusiveMinimum` is a boolean beside `minimum`.
 */
export function readRange(schema: Schema): Range {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  const [least, most] = [number(minimum), number(maximum)]
  const aboveMinimum = above === true || (number(above) ?? -Infinity) >= (least ?? -Infinity)
  const belowMaximum = below === true || (number(below) ?? Infinity) <= (most ?? Infinity)
  return {
    minimum: (aboveMinimum ? number(above) : null) ?? least,
    maximum: (belowMaximum ? number(below) : null) ?? most,
    aboveMinimum,
    belowMaximum,
  }
}

/** Validates a number: type, bounds and step. */
export function checkNumber(schema: Schema, value: unknown, integer: boolean): string[] {
  if (typeof value !== 'number' || !Number.isFinite(value))
    return [integer ? 'Enter a whole number' : 'Enter a number']
  if (integer && !Number.isInteger(value)) return ['Enter a whole number']
  if (integer && !Number.isSafeInteger(value)) return ['This number is too large to be exact']
  return [...checkBounds(readRange(schema), value), ...checkStep(schema['multipleOf'], value)]
}

function checkBounds(range: Range, value: number): string[] {
  const { minimum, maximum, aboveMinimum, belowMaximum } = range
  const problems: string[] = []
  if (minimum !== null && (aboveMinimum ? value <= minimum : value < minimum))
    problems.push(aboveMinimum ? `More than ${minimum}` : `At least ${minimum}`)
  if (maximum !== null && (belowMaximum ? value >= maximum : value > maximum))
    problems.push(belowMaximum ? `Less than ${maximum}` : `At most ${maximum}`)
  return problems
}

function checkStep(step: unknown, value: number): string[] {
  if (typeof step !== 'number' || step <= 0) return []
  const times = value / step
  // Decimal steps have no exact binary form, so a small error is accepted.
  const isMultiple = Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
  return isMultiple ? [] : [`A multiple of ${step}`]
}

/** Validates a list: length and uniqueness, but not its items. */
export function checkList(schema: Schema, items: readonly unknown[]): string[] {
  const min = readCount(schema, 'minItems')
  const max = readCount(schema, 'maxItems')
  const problems: string[] = []
  if (min !== null && items.length < min) problems.push(`At least ${formatCount(min, 'entry')}`)
  if (max !== null && items.length > max) problems.push(`At most ${formatCount(max, 'entry')}`)
  if (schema['uniqueItems'] === true && hasDuplicates(items))
    problems.push('Entries must be unique')
  return problems
}

/** Compares every pair, so long lists are left to the server. */
function hasDuplicates(items: readonly unknown[]): boolean {
  if (items.length > 200) return false
  return items.some((item, index) => items.slice(0, index).some((other) => isSameJson(item, other)))
}

function formatCount(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return noun.endsWith('y') ? `${count} ${noun.slice(0, -1)}ies` : `${count} ${noun}s`
}

const MAX_PATTERN_LENGTH = 500

/** Steps that a check may take in the worst case. */
const MAX_STEPS = 1_000_000

const compiled = new Map<string, RegExp | null>()
const MAX_COMPILED = 500

/** Whether a text certainly does not match; false if it matches or was not checked. */
export function isMismatch(pattern: string, text: string): boolean {
  const regex = compile(pattern)
  if (!regex) return false
  const repetitions = countRepetitions(pattern)
  if ((text.length + 1) ** (repetitions + 1) > MAX_STEPS) return false
  return !regex.test(text)
}

function compile(pattern: string): RegExp | null {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const regex = isSimple(pattern) ? parseRegex(pattern) : null
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(pattern, regex)
  return regex
}

/** Replaces classes and escapes by one character, since each matches a single character. */
const flatten = (pattern: string) =>
  pattern.replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]/g, 'x')

function isSimple(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH || /\\[1-9k]/.test(pattern)) return false
  // No group is repeated, so repetitions are never nested.
  return !/\)[*+?{]/.test(flatten(pattern))
}

const countRepetitions = (pattern: string) => flatten(pattern).match(/[*+]|\{\d/g)?.length ?? 0

function parseRegex(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}
