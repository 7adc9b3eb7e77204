/**
 * The form of a question. What a server may ask for is a small part of JSON Schema, where a list is of
 * choices that each count once, and a default is an answer that is proposed.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { defaultsOf } from './difference.ts'

/** The same schema, whose lists of choices say that they are such. */
export function formOf(schema: JsonRecord): JsonRecord {
  const properties = Object.entries(recordOf(schema['properties']))
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, field]) => [name, choosing(field)])),
  }
}

const choosing = (field: unknown) =>
  isRecord(field) && field['type'] === 'array' ? { ...field, uniqueItems: true } : field

/** What the server proposes, and no more: what it leaves open is for the person to say. */
export const proposedAnswer = (schema: JsonRecord): JsonRecord => defaultsOf(schema)
