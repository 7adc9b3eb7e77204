/**
 * Members of a stranger's JSON: records, texts, and what of a text can be shown.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'

export const isText = (value: unknown): value is string => typeof value === 'string'

/** The member of that name where it is a record, else an empty one. */
export const recordIn = (value: unknown, name: string): JsonRecord =>
  recordOf(recordOf(value)[name])

/** The text where it is one, short enough to be shown. */
export const label = (value: unknown) => (isText(value) && value ? value.slice(0, 100) : null)
