/**
 * Request metadata: what a request asks for in `_meta`, parsed at the boundary.
 *
 * Past {@link parseMetadata} nothing reads raw `_meta`. Keys of other protocols are ignored, as MCP
 * requires; a malformed key of ours is refused before anything runs. What a grant is worth is decided in
 * `access.ts`. `test/worker/fuzz-meta.test.ts` sends many of them.
 *
 * @module
 */

import { own, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { readScope, type Scope } from '#core/scope.ts'
import { PREVIEW_META } from '#core/wire.ts'
import type { Problem } from '../problem.ts'

export interface CallMetadata {
  /** Show what the call would do, and do nothing. */
  readonly preview: boolean
  /** The id of the preview whose plan is to be applied. */
  readonly bound: string | null
  /** A policy for this call, not parsed yet; undefined when there is none. */
  readonly policy: unknown
  /** Scopes that the person has granted for this call. */
  readonly granted: readonly Scope[]
  readonly denied: readonly Scope[]
  /** Asks `read_file` for an HTML table. */
  readonly highlight: boolean
}

/** A request that is refused before anything runs, as a JSON-RPC error. */
export interface Refused {
  readonly code: number
  readonly message: string
  /** Set where a token lacks scopes, which the transport answers with a 403. */
  readonly lack?: Problem & { readonly reason: 'insufficient_scope' }
}

export const INVALID_PARAMS = -32602

export type Meta = JsonRecord | undefined

export const NO_METADATA: CallMetadata = {
  preview: false,
  bound: null,
  policy: undefined,
  granted: [],
  denied: [],
  highlight: false,
}

/** Scopes of one request. */
const MAX_SCOPES = 100

/** Parses the `_meta` of a request. */
export function parseMetadata(meta: Meta): Result<CallMetadata, Refused> {
  if (!meta || !OURS.some((key) => Object.hasOwn(meta, key))) return ok(NO_METADATA)
  const preview = readFlag(meta, 'preview')
  const highlight = readFlag(meta, 'highlight')
  const bound = own(meta, PREVIEW_META) ?? null
  const granted = readScopes(meta, 'granted_scopes', 'allowed_scopes')
  const denied = readScopes(meta, 'denied_scopes')
  if (preview === null) return refuse('_meta.preview must be true or false')
  if (highlight === null) return refuse('_meta.highlight must be true or false')
  if (bound !== null && typeof bound !== 'string')
    return refuse(`_meta["${PREVIEW_META}"] must be an id`)
  if (!granted) return refuse('_meta.granted_scopes must be a scope or a list of scopes')
  if (!denied) return refuse('_meta.denied_scopes must be a scope or a list of scopes')
  return ok({ preview, highlight, bound, policy: own(meta, 'policy'), granted, denied })
}

/** The keys of `_meta` that decide what a request may touch; kept for as long as a stream is open. */
export const ACCESS_KEYS = ['policy', 'granted_scopes', 'allowed_scopes', 'denied_scopes'] as const

const OURS = ['preview', 'highlight', PREVIEW_META, ...ACCESS_KEYS]

/** A boolean, or the text `true` as some clients send it; null for anything else. */
function readFlag(meta: NonNullable<Meta>, key: string): boolean | null {
  if (!Object.hasOwn(meta, key)) return false
  const value = meta[key]
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : null
}

/**
 * A value that is no text is refused. Text that is no well-formed scope grants nothing; what it was meant to
 * deny is unknown, so there it is refused too.
 */
function readScopes(meta: NonNullable<Meta>, ...keys: string[]): Scope[] | null {
  const scopes: Scope[] = []
  for (const key of keys) {
    const value = own(meta, key) ?? []
    const texts: unknown[] = Array.isArray(value) ? value : [value]
    if (texts.length > MAX_SCOPES) return null
    for (const text of texts) {
      if (typeof text !== 'string') return null
      const scope = readScope(text)
      if (scope.ok) scopes.push(scope.value)
      else if (key === 'denied_scopes') return null
    }
  }
  return scopes
}

function refuse(message: string) {
  return err({ code: INVALID_PARAMS, message })
}
