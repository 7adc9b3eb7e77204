/**
 * Fields that are one of several schemas; the user's choice decides which one, or else the value.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { baseOf, jsonField, shown, textOf, type Building, type Place } from './base.ts'
import { listIn } from './choice.ts'
import { problemsIn } from './problems.ts'
import { merge, plain, typesOf, type Reading, type Schema } from './schema.ts'
import { startOf } from './start.ts'
import type { Field } from './types.ts'

/** Most variants that a field offers. */
export const MAX_VARIANTS = 30

/** Returns the alternatives of a schema: its `oneOf` or `anyOf`, or one for each of several types. */
export function variantsOf(schema: Schema, reading: Reading): Schema[] | null {
  const list = listIn(schema)
  if (list && list.length <= MAX_VARIANTS) {
    const { anyOf: _, oneOf: __, title: ___, description: ____, ...rest } = schema
    return list.map((each) => {
      const variant = plain(each, reading)
      return merge(rest, variant)
    })
  }
  const types = typesOf(schema)
  if (types.length < 2 || types.every((type) => type === 'number' || type === 'integer'))
    return null
  return types.map((type) => ({ ...schema, type, title: TYPE_NAMES.get(type) ?? type }))
}

const TYPE_NAMES = new Map([
  ['string', 'Text'],
  ['number', 'Number'],
  ['integer', 'Whole number'],
  ['boolean', 'Yes or no'],
  ['array', 'List'],
  ['object', 'Object'],
])

/** Builds a variant field. */
export function variantField(
  schema: Schema,
  variants: readonly Schema[],
  value: unknown,
  place: Place,
  building: Building,
): Field {
  const inner = { ...place, depth: place.depth + 1 }
  const fields = variants.map((variant) => building.field(variant, value, inner))
  const chosen = building.chosen.get(place.pointer) ?? bestOf(fields)
  const field = fields[chosen] ?? fields[0]
  if (!field) return jsonField(schema, value, place)
  const names = variants.map((variant, index) => ({
    label: variantName(variant, index),
    description: textOf(variant['description']),
    start: startOf(variant, building),
  }))
  return {
    ...baseOf(schema, value, place),
    problems: [],
    kind: 'variant',
    variants: names,
    chosen: Math.min(chosen, fields.length - 1),
    field: { ...field, label: names[chosen]?.label ?? field.label },
  }
}

/** Returns the variant with the fewest problems; the first of equal ones. */
function bestOf(fields: readonly Field[]): number {
  const faults = fields.map((field) => [...problemsIn(field)].length)
  return faults.indexOf(Math.min(...faults))
}

function variantName(variant: Schema, index: number): string {
  const title = textOf(variant['title'])
  if (title !== '') return title
  const { properties } = variant
  // A member with a constant value tells the variants apart.
  const mark = isRecord(properties)
    ? Object.values(properties).find((member) => isRecord(member) && 'const' in member)
    : undefined
  if (isRecord(mark)) return shown(mark['const'])
  const type = typesOf(variant)[0]
  return (type && TYPE_NAMES.get(type)) ?? `Choice ${index + 1}`
}
