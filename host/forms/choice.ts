/**
 * Fields with a fixed set of values: `const`, `enum`, or `oneOf` and `anyOf` of constants.
 *
 * @module
 */

import { baseOf, shown, textOf, type Place } from './base.ts'
import { plain, type Reading, type Schema } from './schema.ts'
import type { Choice, Field } from './types.ts'
import { sameJson } from './value.ts'

const MAX_CHOICES = 1_000

/** Returns the values that a schema lists; null if it lists none or too many. */
export function choicesOf(schema: Schema, reading: Reading): Choice[] | null {
  if (Object.hasOwn(schema, 'const')) return [choiceOf(schema['const'])]
  const { enum: values, enumNames: names } = schema
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_CHOICES) {
    const labels: unknown[] = Array.isArray(names) ? names : []
    return values.map((value: unknown, index) => choiceOf(value, textOf(labels[index])))
  }
  const list = listIn(schema)
  if (!list || list.length > MAX_CHOICES) return null
  const choices: Choice[] = []
  for (const each of list) {
    const { const: value, title, description } = plain(each, reading)
    if (value === undefined) return null
    choices.push(choiceOf(value, textOf(title), textOf(description)))
  }
  return choices
}

function choiceOf(value: unknown, label = '', description = ''): Choice {
  return { value, label: label || shown(value) || '(empty)', description }
}

/** Builds a choice field. */
export function choiceField(
  schema: Schema,
  choices: readonly Choice[],
  value: unknown,
  place: Place,
): Field {
  const isOne = choices.some((choice) => sameJson(choice.value, value))
  const problems = isOne ? [] : ['This is none of the choices']
  return { ...baseOf(schema, value, place, problems), kind: 'choice', choices }
}

/** Returns the schemas in `oneOf`, else in `anyOf`; null if there are none. */
export function listIn({ oneOf, anyOf }: Schema): readonly unknown[] | null {
  const list = Array.isArray(oneOf) ? oneOf : anyOf
  return Array.isArray(list) && list.length > 0 ? list : null
}
