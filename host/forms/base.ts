/**
 * What all fields have in common, and the one kind that takes everything: JSON.
 *
 * @module
 */

import { REQUIRED } from './check.ts'
import { NEVER, type Reading, type Schema } from './schema.ts'
import type { Field, FieldBase, Pointer } from './types.ts'

/** Where a field stands. */
export interface Place {
  readonly pointer: Pointer
  readonly label: string
  readonly required: boolean
  readonly depth: number
}

/** What it takes to make fields, those inside others too. */
export interface Building extends Reading {
  /** Variants that somebody has chosen, by place. */
  readonly chosen: ReadonlyMap<Pointer, number>
  readonly field: (schema: unknown, value: unknown, place: Place) => Field
}

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

export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** A value in a line of text. */
export function shown(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

export function jsonField(schema: Schema, value: unknown, place: Place, problem?: string): Field {
  const problems = problem ?? (schema === NEVER ? 'Nothing may stand here' : undefined)
  return { ...baseOf(schema, value, place, problems ? [problems] : []), kind: 'json' }
}

/** A name as words: `max_file_bytes` and `maxFileBytes` are both "Max file bytes". */
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
