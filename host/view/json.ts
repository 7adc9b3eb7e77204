/**
 * Reads members of untrusted JSON: records, strings and labels.
 *
 * @module
 */

import { isString, recordOf, type JsonRecord } from '#core/json.ts'

/** Returns a member that is a record, or an empty record. */
export const recordIn = (value: unknown, name: string): JsonRecord =>
  recordOf(recordOf(value)[name])

/** Returns the first 100 characters of a non-empty string, or null. */
export const label = (value: unknown) => (isString(value) && value ? value.slice(0, 100) : null)
