/**
 * List fields: lists of any items, sets of choices, and lists whose first items have their own
 * schemas.
 *
 * @module
 */

import { baseOf, jsonField, type Building, type Place } from './base.ts'
import { countIn, listProblems } from './check.ts'
import { choicesOf } from './choice.ts'
import { plain, type Schema } from './schema.ts'
import { itemsOf, newItem } from './start.ts'
import type { Field } from './types.ts'
import { below } from './value.ts'

/** Lists longer than this are edited as JSON. */
const MAX_ITEMS = 500

/**
 * Builds a list field, or a field of choices if the schema lists the possible items and each occurs
 * once.
 */
export function listField(schema: Schema, value: unknown, place: Place, building: Building): Field {
  if (value !== undefined && !Array.isArray(value))
    return jsonField(schema, value, place, 'Give a list')
  const values: readonly unknown[] = value ?? []
  if (values.length > MAX_ITEMS) return jsonField(schema, value, place)
  const { first, each } = itemsOf(schema)
  const choices = schema['uniqueItems'] === true ? choicesOf(plain(each, building), building) : null
  const problems = listProblems(schema, values)
  if (choices && first.length === 0)
    return { ...baseOf(schema, value, place, problems), kind: 'choices', choices }

  const maxItems = countIn(schema, 'maxItems')
  const items = values.map((item, index) =>
    building.field(first[index] ?? each, item, {
      pointer: below(place.pointer, index),
      label: `Entry ${index + 1}`,
      required: true,
      depth: place.depth + 1,
    }),
  )
  const open = each !== false || values.length < first.length
  return {
    ...baseOf(schema, value, place, problems),
    kind: 'list',
    items,
    minItems: countIn(schema, 'minItems') ?? 0,
    maxItems,
    fixed: Math.min(first.length, values.length),
    canAdd: open && (maxItems === null || values.length < maxItems),
    start: open ? newItem(first[values.length] ?? each, building) : null,
  }
}
