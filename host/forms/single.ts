/**
 * Fields with one value: text, number and boolean.
 *
 * @module
 */

import { baseOf, jsonField, textOf, type Place } from './base.ts'
import { countIn, numberProblems, rangeOf, textProblems } from './check.ts'
import { typesOf, type Schema } from './schema.ts'
import type { Field } from './types.ts'

const LONG = 200

/** Builds a text field. */
export function textField(schema: Schema, value: unknown, place: Place): Field {
  if (value !== undefined && typeof value !== 'string')
    return jsonField(schema, value, place, 'Give a text')
  const maxLength = countIn(schema, 'maxLength')
  return {
    ...baseOf(schema, value, place, value === undefined ? [] : textProblems(schema, value)),
    kind: 'text',
    long: isLong(schema, value, place),
    input: INPUTS.get(textOf(schema['format'])) ?? (schema['writeOnly'] ? 'password' : 'text'),
    minLength: countIn(schema, 'minLength'),
    maxLength,
  }
}

const INPUTS = new Map<string, 'email' | 'url' | 'date' | 'password'>([
  ['email', 'email'],
  ['uri', 'url'],
  ['url', 'url'],
  ['date', 'date'],
  ['password', 'password'],
])

/** Whether to show several lines, judged by the value, the schema and the name. */
function isLong(schema: Schema, value: string | undefined, { pointer }: Place): boolean {
  if (value?.includes('\n') || (value?.length ?? 0) > LONG) return true
  if (schema['format'] !== undefined || schema['pattern'] !== undefined) return false
  if (schema['contentMediaType'] !== undefined) return true
  return /\/(content|text|body|code|script|sql|query|prompt|message|find|replace|edits?)$/i.test(
    pointer,
  )
}

/** Builds a number field. */
export function numberField(schema: Schema, value: unknown, place: Place): Field {
  // A string is unfinished input, and null is a list item without a value; both stay in the number field.
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null))
    return jsonField(schema, value, place, 'Give a number')
  const integer = typesOf(schema).every((type) => type === 'integer')
  const { minimum, maximum } = rangeOf(schema)
  const step = schema['multipleOf']
  return {
    ...baseOf(schema, value, place, numberProblems(schema, value, integer)),
    kind: 'number',
    integer,
    minimum,
    maximum,
    step: typeof step === 'number' && step > 0 ? step : null,
  }
}

/** Builds a boolean field. */
export function booleanField(schema: Schema, value: unknown, place: Place): Field {
  return value === undefined || typeof value === 'boolean'
    ? { ...baseOf(schema, value, place), kind: 'boolean' }
    : jsonField(schema, value, place, 'Choose yes or no')
}
