/**
 * Request metadata of a call, as the form holds it and as it is sent in `_meta`.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'

/** Request metadata as the form holds it. */
export interface RequestOptions {
  /** Whether Apply is offered without a preview. */
  readonly direct: boolean
  readonly policy: JsonRecord
  /** Granted scopes, one per line. */
  readonly granted: string
  /** Further members, as JSON text. */
  readonly more: string
}

/** Request metadata with nothing set. */
export const NO_OPTIONS: RequestOptions = { direct: false, policy: {}, granted: '', more: '' }

/** Converts the form's values to the `_meta` of a request. */
export function buildMeta({ policy, granted, more }: RequestOptions): JsonRecord {
  const scopes = granted.split(/[\s,]+/).filter((scope) => scope !== '')
  return {
    ...(parseJsonObject(more) ?? {}),
    ...(Object.keys(policy).length > 0 && { policy }),
    ...(scopes.length > 0 && { granted_scopes: scopes }),
  }
}

/** Parses what a saved input keeps of the form, which is untrusted input. */
export function parseOptions({ direct, policy, granted, more }: JsonRecord): RequestOptions {
  return {
    direct: direct === true,
    policy: recordOf(policy),
    granted: typeof granted === 'string' ? granted : '',
    more: typeof more === 'string' ? more : '',
  }
}

/** Parses a JSON object; empty text is an empty object, and anything else is null. */
export function parseJsonObject(text: string): JsonRecord | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
