/**
 * Values of a form, with the types of its fields, and what is wrong with them.
 *
 * `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import type { FormField } from '#core/apps/templates.ts'

/** A typed value; null for a number that was left empty. */
export type FieldValue = string | number | boolean | null

/** What a person entered: the text of a field, or whether a box is checked. */
export type Entered = string | boolean

/** Returns what a field contains at first. */
export function initialValue({ type, default: value, options, required }: FormField): Entered {
  if (type === 'checkbox') return value === true
  if (value !== null) return String(value)
  return type === 'select' && required ? (options[0]?.value ?? '') : ''
}

export function typedValue({ type }: FormField, entered: Entered): FieldValue {
  if (typeof entered === 'boolean') return entered
  if (type !== 'number') return entered
  return entered.trim() === '' ? null : Number(entered)
}

// A space or a control character in an address is a mistake; the rest is for the server to judge.
const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Returns what is wrong with a field; empty for nothing. */
export function findFault(field: FormField, entered: Entered): string {
  const { type, required, label, options } = field
  if (typeof entered === 'boolean') return required && !entered ? `${label} has to be checked` : ''
  if (entered.trim() === '') return required ? `${label} is required` : ''
  if (type === 'number' && !Number.isFinite(Number(entered))) return `${label} is not a number`
  if (type === 'email' && !EMAIL.test(entered)) return `${label} is not an email address`
  const isOption = options.some(({ value }) => value === entered)
  return type === 'select' && !isOption ? `${label} is not one of the options` : ''
}

/** Formats a value for a CSV file. */
export const csvValue = (value: FieldValue): string => (value === null ? '' : String(value))
