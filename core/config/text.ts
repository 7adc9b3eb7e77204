/**
 * The text of settings: the variable of a configuration field, and the value that a variable or a flag has as text.
 *
 * `test/core/config-text.test.ts` has the table.
 *
 * @module
 */

import { isRecord } from '../json.ts'
import { FIELDS, type FieldName } from './fields.ts'

/** The variable that sets a field for all workspaces. */
export type FieldVariable = `EDGEWISE_${Uppercase<FieldName>}`

/** Returns the name of the variable of a field. */
export const variableOf = (name: FieldName): string => `EDGEWISE_${name.toUpperCase()}`

const BOOLEANS = new Map<string, boolean>([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])

/**
 * Parses text as the kind of value that a field has: folders and hosts are names separated by commas, or JSON. Text of another
 * kind stays text, which the parser of the field refuses with its name.
 */
export function parseFieldText(name: FieldName, text: string): unknown {
  const { type } = FIELDS[name].schema
  if (type === 'boolean') return BOOLEANS.get(text) ?? text
  if (type === 'integer') return /^\d+$/.test(text) ? Number(text) : text
  if (type === 'string') return text
  if (/^\s*[[{]/.test(text)) return parseJson(text) ?? text
  const names = text.split(',').map((one) => one.trim())
  return name === 'roots' ? names.map((path) => ({ path })) : names
}

/** Parses JSON; undefined where it is malformed, or an object in it has a key twice, of which one would be ignored. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return countKeys(value) === countWrittenKeys(text) ? value : undefined
  } catch {
    return undefined
  }
}

/** A string of JSON, and the colon after it if it is a key. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g

const countWrittenKeys = (text: string) =>
  [...text.matchAll(STRING)].filter(([, colon]) => colon !== undefined).length

function countKeys(value: unknown): number {
  if (!isRecord(value) && !Array.isArray(value)) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, inner) => sum + countKeys(inner), own)
}
