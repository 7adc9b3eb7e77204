/**
 * Builds fields from a schema and a value.
 *
 * This module chooses the kind of field; each kind has its own file. A value that does not fit its
 * field is never dropped: it is shown as JSON, with its problem.
 *
 * @module
 */

import { jsonField, type Building, type Place } from './base.ts'
import { choiceField, choicesOf } from './choice.ts'
import { listField } from './list.ts'
import { withoutNull } from './null.ts'
import { objectField } from './object.ts'
import { plain, typesOf, type Reading, type Schema } from './schema.ts'
import { booleanField, numberField, textField } from './single.ts'
import type { Field, Pointer } from './types.ts'
import { variantField, variantsOf } from './variant.ts'

/** Fields nested deeper than this are edited as JSON. */
const MAX_DEPTH = 12

/**
 * Creates the function that builds the fields of one form.
 *
 * @param chosen Variants that the user has chosen, by pointer.
 */
export function createFields(
  reading: Reading,
  chosen: ReadonlyMap<Pointer, number>,
): Building['field'] {
  const building: Building = { ...reading, chosen, field: fieldOf }

  function fieldOf(schema: unknown, value: unknown, place: Place): Field {
    const { rest, nullable } = withoutNull(plain(schema, reading), reading)
    if (value === null && nullable) {
      const empty = fieldOfKind(rest, undefined, { ...place, required: false })
      const { required } = place
      return { ...empty, required, nullable, value: null, isSet: true, problems: [] }
    }
    return { ...fieldOfKind(rest, value, place), nullable }
  }

  function fieldOfKind(schema: Schema, value: unknown, place: Place): Field {
    if (place.depth > MAX_DEPTH || !reading.budget.spend()) return jsonField(schema, value, place)
    const choices = choicesOf(schema, reading)
    if (choices) return choiceField(schema, choices, value, place)
    const variants = variantsOf(schema, reading) ?? []
    const [only] = variants
    if (only && variants.length === 1) return fieldOfKind(only, value, place)
    if (only) return variantField(schema, variants, value, place, building)
    return fieldOfType(typesOf(schema)[0] ?? '', schema, value, place)
  }

  function fieldOfType(type: string, schema: Schema, value: unknown, place: Place): Field {
    switch (type) {
      case 'string':
        return textField(schema, value, place)
      case 'number':
      case 'integer':
        return numberField(schema, value, place)
      case 'boolean':
        return booleanField(schema, value, place)
      case 'array':
        return listField(schema, value, place, building)
      case 'object':
        return objectField(schema, value, place, building)
      default:
        return jsonField(schema, value, place)
    }
  }
  return fieldOf
}
