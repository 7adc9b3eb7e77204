/**
 * Object fields: members that the schema describes, and further members of the value.
 *
 * @module
 */

import { isRecord, own, recordOf } from '#core/json.ts'
import { baseOf, inWords, jsonField, type Building, type Place } from './base.ts'
import type { Schema } from './schema.ts'
import { newItem, startOf } from './start.ts'
import type { ExtraRow, Field } from './types.ts'
import { below } from './value.ts'

/** Builds an object field. */
export function objectField(
  schema: Schema,
  value: unknown,
  place: Place,
  building: Building,
): Field {
  if (value !== undefined && !isRecord(value))
    return jsonField(schema, value, place, 'Give an object')
  const more = schema['additionalProperties']
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const known = membersOf(schema, required)
  const values = value ?? {}
  const at = (name: string, isRequired: boolean): Place => ({
    pointer: below(place.pointer, name),
    label: inWords(name),
    required: isRequired,
    depth: place.depth + 1,
  })
  // An optional object without a value has no fields, so that a recursive schema ends.
  const isOpen = value !== undefined || place.required
  const fields = isOpen
    ? Object.entries(known).map(([name, member]) =>
        building.field(member, own(values, name), at(name, required.includes(name))),
      )
    : []
  const rows = Object.entries(values)
    .filter(([name]) => !Object.hasOwn(known, name))
    .map(([name, member]): ExtraRow => {
      const field = building.field(more === false ? {} : (more ?? {}), member, {
        ...at(name, false),
        label: `Value of ${name}`,
      })
      return { name, field: more === false ? unknownName(field) : field }
    })
  const canAdd =
    more === true || isRecord(more) || (more !== false && fields.length === 0 && isOpen)
  return {
    ...baseOf(schema, value, place),
    kind: 'object',
    fields,
    extra:
      canAdd || rows.length > 0 ? { rows, canAdd, start: newItem(more ?? {}, building) } : null,
    start: startOf(schema, building) ?? {},
  }
}

/** Returns the described members, and the required ones that have no description. */
function membersOf({ properties, additionalProperties }: Schema, required: readonly unknown[]) {
  const described = recordOf(properties)
  const others = required
    .filter((name) => typeof name === 'string')
    .filter((name) => !Object.hasOwn(described, name))
    .map((name) => [name, additionalProperties ?? {}] as const)
  return Object.fromEntries([...Object.entries(described), ...others])
}

const unknownName = (field: Field): Field => ({
  ...field,
  problems: [...field.problems, 'Nothing of this name is expected here'],
})
