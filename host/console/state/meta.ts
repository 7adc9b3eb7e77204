/**
 * The terms of a call, as they are typed and as they are sent in `_meta`.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'

export interface Meta {
  /** Apply is offered without a preview. */
  readonly direct: boolean
  readonly policy: JsonRecord
  /** One scope a line. */
  readonly granted: string
  /** Further members, as JSON text. */
  readonly more: string
}

export const NO_META: Meta = { direct: false, policy: {}, granted: '', more: '' }

/** The members as they are sent. */
export function metaOf({ policy, granted, more }: Meta): JsonRecord {
  const scopes = granted.split(/[\s,]+/).filter((scope) => scope !== '')
  return {
    ...(jsonOf(more) ?? {}),
    ...(Object.keys(policy).length > 0 && { policy }),
    ...(scopes.length > 0 && { granted_scopes: scopes }),
  }
}

/** A JSON object, nothing for empty text, and null for anything else. */
export function jsonOf(text: string): JsonRecord | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
