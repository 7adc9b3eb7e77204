/** Readers of what only fields of a form have: their options and their default value. @module */

import { isRecord } from '../json.ts'
import { MAX_SETTING_LENGTH } from './limits.ts'
import { listOf, object, placeOf, refuse, text, type Place } from './reader.ts'

/** An option of a select. */
export interface FieldOption {
  readonly value: string
  readonly label: string
}

/** Reads options: texts, or objects with `value` and `label`. */
export const readFieldOptions = listOf((place: Place): FieldOption => {
  if (!isRecord(place.value)) {
    const value = text('')(place)
    return { value, label: value }
  }
  const { value, label } = readOption(place)
  return { value, label: label || value }
})

const readOption = object({ value: text(''), label: text('') })

/** The default value of a field; null for none. */
export type FieldDefault = string | number | boolean | null

/** Reads the default value of a field. */
export function readFieldDefault(place: Place): FieldDefault {
  const { value } = place
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return value
  if (typeof value === 'string' && value.length <= MAX_SETTING_LENGTH) return value
  refuse(place, 'Expected a text, a number, true or false')
  return null
}

/** Notes a default value that a field of its type cannot have. */
export function checkFieldDefault(place: Place, type: string, value: FieldDefault): void {
  if (value === null) return
  const expected = type === 'checkbox' ? 'boolean' : type === 'number' ? 'number' : 'string'
  if (typeof value !== expected)
    refuse(placeOf(place, 'default'), `Expected a ${expected}, as the type of the field is ${type}`)
}
