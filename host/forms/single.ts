/**
 * Fields with one value: text, number, yes or no.
 *
 * @module
 */

import { baseOf, jsonField, textOf, type Place } from './base.ts'
import { countIn, numberProblems, rangeOf, textProblems } from './check.ts'
import { typesOf, type Schema } from './schema.ts'
import type { Field } from './types.ts'

const LONG = 200

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

/** A text of several lines, as far as its name and its schema tell. */
function isLong(schema: Schema, value: string | undefined, { pointer }: Place): boolean {
  if (value?.includes('\n') || (value?.length ?? 0) > LONG) return true
  if (schema['format'] !== undefined || schema['pattern'] !== undefined) return false
  if (schema['contentMediaType'] !== undefined) return true
  return /\/(content|text|body|code|script|sql|query|prompt|message|find|replace|edits?)$/i.test(
    pointer,
  )
}

export function numberField(schema: Schema, value: unknown, place: Place): Field {
  // A text is what somebody is typing and no number yet; null is where a list has none yet.
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

export function booleanField(schema: Schema, value: unknown, place: Place): Field {
  return value === undefined || typeof value === 'boolean'
    ? { ...baseOf(schema, value, place), kind: 'boolean' }
    : jsonField(schema, value, place, 'Choose yes or no')
}
