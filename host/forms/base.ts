/**
 * What all fields have in common, and the JSON field, which accepts any value.
 *
 * @module
 */

import { REQUIRED } from './check.ts'
import { NEVER, type Reading, type Schema } from './schema.ts'
import type { Field, FieldBase, Pointer } from './types.ts'

/** Position of a field in the form. */
export interface Place {
  readonly pointer: Pointer
  readonly label: string
  readonly required: boolean
  readonly depth: number
}

/** What is needed to build a field and the fields inside it. */
export interface Building extends Reading {
  /** Variants that the user has chosen, by pointer. */
  readonly chosen: ReadonlyMap<Pointer, number>
  readonly field: (schema: unknown, value: unknown, place: Place) => Field
}

/** Builds the members that all kinds of field share. */
export function baseOf(
  schema: Schema,
  value: unknown,
  { pointer, label, required }: Place,
  problems: readonly string[] = [],
): FieldBase {
  const isSet = value !== undefined
  const { examples, example } = schema
  return {
    pointer,
    label: textOf(schema['title']) || label,
    description: textOf(schema['description']),
    example: shown(Array.isArray(examples) ? examples[0] : example),
    required,
    readOnly: schema['readOnly'] === true,
    deprecated: schema['deprecated'] === true,
    isSet,
    value,
    defaultValue: schema['default'],
    nullable: false,
    problems: isSet ? problems : required ? [REQUIRED] : [],
  }
}

/** Returns a string, or `''` for any other value. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Formats a value as text; strings without quotes. */
export function shown(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/**
 * Builds a JSON field.
 *
 * @param problem Why the value is invalid; none by default.
 */
export function jsonField(schema: Schema, value: unknown, place: Place, problem?: string): Field {
  const problems = problem ?? (schema === NEVER ? 'Nothing may stand here' : undefined)
  return { ...baseOf(schema, value, place, problems ? [problems] : []), kind: 'json' }
}

/** Converts a name to words: `max_file_bytes` and `maxFileBytes` both become "Max file bytes". */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
  if (words === '') return name
  const [first = '', ...rest] = words.split(/ +/)
  // Abbreviations stay as they are.
  const lower = rest.map((word) => (/^[A-Z\d]+$/.test(word) ? word : word.toLowerCase()))
  return [first.charAt(0).toUpperCase() + first.slice(1), ...lower].join(' ')
}
