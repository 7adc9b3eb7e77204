/**
 * Terms: what a call asks for beside its arguments, read from `_meta` at the door.
 *
 * Past {@link termsOf} nobody looks at raw `_meta`. What is not understood here and belongs to
 * nobody we know is ignored, as MCP asks; what is ours and malformed is refused, and nothing runs.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'

export interface Terms {
  /** Show what the call would do, and do nothing. */
  readonly preview: boolean
}

/** A request that is refused before anything runs, as a JSON-RPC error. */
export interface Refused {
  readonly code: number
  readonly message: string
}

export const INVALID_PARAMS = -32602

/** Reads a call's `_meta`. */
export function termsOf(
  meta: Readonly<Record<string, unknown>> | undefined,
): Result<Terms, Refused> {
  const preview = meta && Object.hasOwn(meta, 'preview') ? meta['preview'] : false
  if (preview === true || preview === 'true') return ok({ preview: true })
  if (preview === false) return ok({ preview: false })
  return err({ code: INVALID_PARAMS, message: '_meta.preview must be true or false' })
}
