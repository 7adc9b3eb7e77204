/**
 * Prepares the form of an elicitation. Its schemas are a small part of JSON Schema, in which a list
 * is a set of choices and a default is a proposed answer.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { defaultsOf } from './difference.ts'

/** Marks the lists of a schema as sets, so that the form shows them as choices. */
export function formOf(schema: JsonRecord): JsonRecord {
  const properties = Object.entries(recordOf(schema['properties']))
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, field]) => [name, choosing(field)])),
  }
}

const choosing = (field: unknown) =>
  isRecord(field) && field['type'] === 'array' ? { ...field, uniqueItems: true } : field

/** Returns the defaults of the schema; other fields stay unset. */
export const proposedAnswer = (schema: JsonRecord): JsonRecord => defaultsOf(schema)
