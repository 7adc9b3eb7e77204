/**
 * Reads members of untrusted JSON: records, strings and labels.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'

/** Whether a value is a string. */
export const isText = (value: unknown): value is string => typeof value === 'string'

/** Returns a member that is a record, or an empty record. */
export const recordIn = (value: unknown, name: string): JsonRecord =>
  recordOf(recordOf(value)[name])

/** Returns the first 100 characters of a non-empty string, or null. */
export const label = (value: unknown) => (isText(value) && value ? value.slice(0, 100) : null)
