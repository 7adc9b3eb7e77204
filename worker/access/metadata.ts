/**
 * Request metadata: what a request asks for in `_meta`, parsed at the boundary.
 *
 * Only {@link parseMetadata} reads raw `_meta`. Keys of other protocols are ignored, as MCP requires; a
 * malformed key of ours is refused before anything runs. `access.ts` decides which grants are effective.
 * `test/worker/call/metadata.laws.test.ts` tests it with random input.
 *
 * @module
 */

import { own, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { readScope, type Scope } from '#core/scope.ts'
import type { Requester } from '#core/policy.ts'
import { PREVIEW_META, REQUESTER_META } from '#core/wire.ts'
import type { Problem } from '../errors/problem.ts'
import { shortText } from '../errors/short.ts'
import { MAX_SCOPES } from './limits.ts'

/** The parsed metadata of a call. */
export interface CallMetadata {
  /** Whether to return what the call would do, without doing it. */
  readonly preview: boolean
  /** The id of the preview whose plan the call applies, or null. */
  readonly previewId: string | null
  /** A policy for this call, not parsed yet; undefined if there is none. */
  readonly policy: unknown
  /** Who asked for the policy. A model may not set fields that are for a person. */
  readonly requester: Requester
  /** Scopes that a person has granted for this call. */
  readonly granted: readonly Scope[]
  /** Scopes that are denied for this call. */
  readonly denied: readonly Scope[]
  /** Whether `read_file` should return an HTML table. */
  readonly highlight: boolean
}

/** A request that is refused before anything runs, as a JSON-RPC error. */
export interface Refused {
  readonly code: number
  readonly message: string
  /** Set if a token lacks scopes; the transport then responds with status 403. */
  readonly lack?: Problem & { readonly reason: 'insufficient_scope' }
  /** Set if a person has to decide first; the endpoint says so in the form of the client's era. */
  readonly elicit?: Elicitation
}

/** A page that a person has to open before a call can be answered. */
export interface Elicitation {
  readonly id: string
  readonly url: string
  /** What the client shows beside the URL. */
  readonly message: string
  /** What the client gives back when it calls again; null in the legacy era. */
  readonly state: string | null
  /** Whether the person was not asked yet. */
  readonly isFirst: boolean
}

/** The JSON-RPC error code for invalid parameters. */
export const INVALID_PARAMS = -32602

/** The raw `_meta` of a request. */
export type Meta = JsonRecord | undefined

/** The metadata of a call without `_meta`. */
export const NO_METADATA: CallMetadata = {
  preview: false,
  previewId: null,
  policy: undefined,
  requester: 'human',
  granted: [],
  denied: [],
  highlight: false,
}

/** Parses the `_meta` of a request. */
export function parseMetadata(meta: Meta): Result<CallMetadata, Refused> {
  if (!meta || !hasServerKeys(meta)) return ok(NO_METADATA)
  const preview = readFlag(meta, 'preview')
  const highlight = readFlag(meta, 'highlight')
  const previewId = own(meta, PREVIEW_META)
  const granted = readScopes(meta, 'granted_scopes')
  const allowed = readScopes(meta, 'allowed_scopes')
  const denied = readScopes(meta, 'denied_scopes')
  const requester = readRequester(meta)
  if (preview === null) return refuse('Invalid _meta.preview: it must be true or false')
  if (highlight === null) return refuse('Invalid _meta.highlight: it must be true or false')
  if (previewId !== undefined && (typeof previewId !== 'string' || previewId === ''))
    return refuse(`Invalid _meta["${PREVIEW_META}"]: it must be the id of a preview`)
  if (!granted) return refuse(`Invalid _meta.granted_scopes: ${SCOPES}`)
  if (!allowed) return refuse(`Invalid _meta.allowed_scopes: ${SCOPES}`)
  if (!denied) return refuse(`Invalid _meta.denied_scopes: ${SCOPES}`)
  if (!requester) return refuse(`Invalid _meta["${REQUESTER_META}"]: it must be human or llm`)
  const policy = own(meta, 'policy')
  return ok({
    preview,
    highlight,
    previewId: previewId ?? null,
    policy,
    requester,
    granted: [...granted, ...allowed],
    denied,
  })
}

const SCOPES = 'it must be a scope or a list of scopes'

/** The keys of `_meta` that decide what a request may touch. */
const ACCESS_KEYS = ['policy', 'granted_scopes', 'allowed_scopes', 'denied_scopes'] as const

/** Returns the members of `_meta` that decide what a request may touch, to be stored and parsed again. */
export function accessMetaOf(meta: Meta): Record<string, unknown> {
  const known = meta ?? {}
  return Object.fromEntries(
    ACCESS_KEYS.flatMap((key) => (Object.hasOwn(known, key) ? [[key, known[key]]] : [])),
  )
}

/** Whether a request has a key that this server reads, which can change what it may touch, or be malformed. */
export const hasServerKeys = (meta: Meta): boolean =>
  meta !== undefined && SERVER_KEYS.some((key) => Object.hasOwn(meta, key))

const SERVER_KEYS = ['preview', 'highlight', PREVIEW_META, REQUESTER_META, ...ACCESS_KEYS]

/** Null is not absent: a policy of a model would be taken for one of a person. */
function readRequester(meta: NonNullable<Meta>): Requester | null {
  if (!Object.hasOwn(meta, REQUESTER_META)) return 'human'
  const value = meta[REQUESTER_META]
  return value === 'human' || value === 'llm' ? value : null
}

/** A boolean, or the text `true` as some clients send it; null for anything else. */
function readFlag(meta: NonNullable<Meta>, key: string): boolean | null {
  if (!Object.hasOwn(meta, key)) return false
  const value = meta[key]
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : null
}

/**
 * Parses the scopes of a key; null refuses the request. Values other than text are refused, and so are null and text that
 * is empty or JSON, from which a host would learn nothing. Any other invalid scope grants nothing, but is refused in
 * `denied_scopes`, because what it should deny is unknown.
 */
function readScopes(meta: NonNullable<Meta>, key: string): Scope[] | null {
  if (!Object.hasOwn(meta, key)) return []
  const value = meta[key]
  const texts: unknown[] = Array.isArray(value) ? value : [value]
  if (texts.length > MAX_SCOPES) return null
  const scopes: Scope[] = []
  for (const text of texts) {
    if (typeof text !== 'string' || /^\s*(?:$|[[{"])/.test(text)) return null
    const scope = readScope(text)
    if (scope.ok) scopes.push(scope.value)
    else if (key === 'denied_scopes') return null
  }
  return scopes
}

/** Refuses a request before anything runs. */
export function refuse(message: string) {
  return err({ code: INVALID_PARAMS, message: shortText(message) })
}
