/**
 * Fields without fields inside: text, number, boolean, choice, and JSON, which accepts any value.
 *
 * A value that does not fit its field is never dropped: it becomes a JSON field with a problem.
 * `test/host/forms/model.test.ts` covers them.
 *
 * @module
 */

import { inferTypes, NEVER, readAlternatives, resolve } from './schema.ts'
import type { Schema, SchemaContext } from './schema.ts'
import type { Choice, Field, FieldBase, Pointer } from './types.ts'
import { checkNumber, readRange, readCount, REQUIRED, checkText } from './validate.ts'
import { isSameJson } from './value.ts'

/** Position of a field in the form. */
export interface Position {
  readonly pointer: Pointer
  readonly label: string
  readonly required: boolean
  readonly depth: number
}

/** Builds the members that all kinds of field share. */
export function buildBase(
  schema: Schema,
  value: unknown,
  { pointer, label, required }: Position,
  problems: readonly string[] = [],
): FieldBase {
  const isSet = value !== undefined
  const { examples, example } = schema
  return {
    pointer,
    label: toText(schema['title']) || label,
    description: toText(schema['description']),
    example: formatValue(Array.isArray(examples) ? examples[0] : example),
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
export const toText = (value: unknown) => (typeof value === 'string' ? value : '')

/** Formats a value as text; strings without quotes. */
export function formatValue(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Converts a name to words: `max_file_bytes` and `maxFileBytes` both become "Max file bytes". */
export function toWords(name: string): string {
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

/**
 * Builds a JSON field.
 *
 * @param problem Why the value is invalid; none by default.
 */
export function buildJson(
  schema: Schema,
  value: unknown,
  position: Position,
  problem?: string,
): Field {
  const reason = problem ?? (schema === NEVER ? 'No value is allowed here' : undefined)
  return { ...buildBase(schema, value, position, reason ? [reason] : []), kind: 'json' }
}

const LONG_TEXT = 200

export function buildText(schema: Schema, value: unknown, position: Position): Field {
  if (value !== undefined && typeof value !== 'string')
    return buildJson(schema, value, position, 'Must be a text')
  const maxLength = readCount(schema, 'maxLength')
  return {
    ...buildBase(schema, value, position, value === undefined ? [] : checkText(schema, value)),
    kind: 'text',
    long: isLong(schema, value, position),
    input: INPUTS.get(toText(schema['format'])) ?? (schema['writeOnly'] ? 'password' : 'text'),
    minLength: readCount(schema, 'minLength'),
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
function isLong(schema: Schema, value: string | undefined, { pointer }: Position): boolean {
  if (value?.includes('\n') || (value?.length ?? 0) > LONG_TEXT) return true
  if (schema['format'] !== undefined || schema['pattern'] !== undefined) return false
  if (schema['contentMediaType'] !== undefined) return true
  return /\/(content|text|body|code|script|sql|query|prompt|message|find|replace|edits?)$/i.test(
    pointer,
  )
}

export function buildNumber(schema: Schema, value: unknown, position: Position): Field {
  // A string is unfinished input, and null is a list item without a value; both stay in the number field.
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null))
    return buildJson(schema, value, position, 'Must be a number')
  const integer = inferTypes(schema).every((type) => type === 'integer')
  const { minimum, maximum } = readRange(schema)
  const step = schema['multipleOf']
  return {
    ...buildBase(schema, value, position, checkNumber(schema, value, integer)),
    kind: 'number',
    integer,
    minimum,
    maximum,
    step: typeof step === 'number' && step > 0 ? step : null,
  }
}

export function buildBoolean(schema: Schema, value: unknown, position: Position): Field {
  return value === undefined || typeof value === 'boolean'
    ? { ...buildBase(schema, value, position), kind: 'boolean' }
    : buildJson(schema, value, position, 'Must be yes or no')
}

const MAX_CHOICES = 1_000

/**
 * Reads the values that a schema lists: its `const`, its `enum`, or the constants of `oneOf` or
 * `anyOf`. Null if it lists none or too many.
 */
export function readChoices(schema: Schema, context: SchemaContext): Choice[] | null {
  if (Object.hasOwn(schema, 'const')) return [createChoice(schema['const'])]
  const { enum: values, enumNames: names } = schema
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_CHOICES) {
    const labels: unknown[] = Array.isArray(names) ? names : []
    return values.map((value: unknown, index) => createChoice(value, toText(labels[index])))
  }
  const list = readAlternatives(schema)
  return list && list.length <= MAX_CHOICES ? readConstants(list, context) : null
}

function readConstants(list: readonly unknown[], context: SchemaContext): Choice[] | null {
  const choices: Choice[] = []
  for (const each of list) {
    const { const: value, title, description } = resolve(each, context)
    if (value === undefined) return null
    choices.push(createChoice(value, toText(title), toText(description)))
  }
  return choices
}

function createChoice(value: unknown, label = '', description = ''): Choice {
  return { value, label: label || formatValue(value) || '(empty)', description }
}

export function buildChoice(
  schema: Schema,
  choices: readonly Choice[],
  value: unknown,
  position: Position,
): Field {
  const isAllowed = choices.some((choice) => isSameJson(choice.value, value))
  const problems = isAllowed ? [] : ['Not one of the allowed values']
  return { ...buildBase(schema, value, position, problems), kind: 'choice', choices }
}
