/**
 * Terms: what a call asks for beside its arguments, read from `_meta` at the door.
 *
 * Past {@link termsOf} nobody looks at raw `_meta`. What belongs to nobody we know is ignored, as MCP
 * asks; what is ours and malformed is refused, and nothing runs. Typed is not entitled: what a grant
 * is worth is for `area.ts` to say.
 *
 * @module
 */

import { own, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { readScope, type Scope } from '#core/scope.ts'
import { PREVIEW_META } from '#core/wire.ts'

export interface Terms {
  /** Show what the call would do, and do nothing. */
  readonly preview: boolean
  /** Apply exactly what this preview showed. */
  readonly bound: string | null
  /** A policy for this call, not read yet; undefined when there is none. */
  readonly policy: unknown
  /** What the person has granted for this call. */
  readonly granted: readonly Scope[]
  readonly denied: readonly Scope[]
}

/** A request that is refused before anything runs, as a JSON-RPC error. */
export interface Refused {
  readonly code: number
  readonly message: string
}

export const INVALID_PARAMS = -32602

export type Meta = JsonRecord | undefined

const NONE: Terms = { preview: false, bound: null, policy: undefined, granted: [], denied: [] }

/** Scopes of one call. */
const MAX_SCOPES = 100

/** Reads a call's `_meta`. */
export function termsOf(meta: Meta): Result<Terms, Refused> {
  if (!meta || !OURS.some((key) => Object.hasOwn(meta, key))) return ok(NONE)
  const preview = previewOf(meta)
  const bound = own(meta, PREVIEW_META) ?? null
  const granted = scopesOf(meta, 'granted_scopes', 'allowed_scopes')
  const denied = scopesOf(meta, 'denied_scopes')
  if (preview === null) return refuse('_meta.preview must be true or false')
  if (bound !== null && typeof bound !== 'string')
    return refuse(`_meta["${PREVIEW_META}"] must be an id`)
  if (!granted) return refuse('_meta.granted_scopes must be a scope or a list of scopes')
  if (!denied) return refuse('_meta.denied_scopes must be a scope or a list of scopes')
  return ok({ preview, bound, policy: own(meta, 'policy'), granted, denied })
}

const OURS = [
  'preview',
  PREVIEW_META,
  'policy',
  'granted_scopes',
  'allowed_scopes',
  'denied_scopes',
]

function previewOf(meta: NonNullable<Meta>): boolean | null {
  if (!Object.hasOwn(meta, 'preview')) return false
  const value = meta['preview']
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : null
}

/** What is no well-formed scope counts for nothing; what is no text is refused. */
function scopesOf(meta: NonNullable<Meta>, ...keys: string[]): Scope[] | null {
  const scopes: Scope[] = []
  for (const key of keys) {
    const value = own(meta, key) ?? []
    const texts: unknown[] = Array.isArray(value) ? value : [value]
    if (texts.length > MAX_SCOPES) return null
    for (const text of texts) {
      if (typeof text !== 'string') return null
      const scope = readScope(text)
      if (scope.ok) scopes.push(scope.value)
    }
  }
  return scopes
}

function refuse(message: string) {
  return err({ code: INVALID_PARAMS, message })
}
