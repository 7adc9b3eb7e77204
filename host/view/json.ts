/**
 * Reads members of untrusted JSON: records, strings and labels.
 *
 * @module
 */

import { isString, recordOf, type JsonRecord } from '#core/json.ts'

/** Returns a member that is a record, or an empty record. */
export const recordIn = (value: unknown, name: string): JsonRecord =>
  recordOf(recordOf(value)[name])

/** Replaces by `_` characters that cannot be seen, or that reorder the text around them. */
export const replaceHidden = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '_')

/** Returns the first 100 characters of a non-empty string, without hidden ones, or null. */
export const label = (value: unknown) =>
  isString(value) && value ? replaceHidden(value.slice(0, 100)) : null
