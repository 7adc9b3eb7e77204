/**
 * The OAuth endpoints, with limits applied before the library reads a request.
 *
 * Anyone may call them, so the cost of a request is limited: its body, the registrations that are stored, and
 * the documents that are fetched for it. The counts are in memory, like every rate limit.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { readText } from '../archive/bytes.ts'
import { toBase64 } from '../encoding/base64.ts'
import type { Env } from '../env.ts'
import { shortText } from '../errors/short.ts'
import { createAttempts, type AttemptRates } from './attempts.ts'
import { authorizationServer, type TokenEnv } from './oauth.ts'
import { hasRefusedScheme, REFUSED_SCHEME } from './redirect-schemes.ts'
import { completeTokenResponse } from './refresh-answer.ts'
import { markOf, withoutMark } from './refresh-token.ts'
import { knownResource } from './resource.ts'
import { findReplayedGrant, watchGrants } from './revocation.ts'
import { identifySender, senderOf, type Sender } from './sender.ts'
import { MAX_OAUTH_BODY_BYTES } from './limits.ts'

/** Rate limits of requests that store or fetch something; a client sends only a few of them. */
const COSTLY: AttemptRates = { one: { burst: 60, seconds: 2 }, all: { burst: 300, seconds: 1 } }

const costly = createAttempts(Date.now, COSTLY)

const countCostly = ({ from, isKnown }: Sender) => costly.count(from, isKnown)

/** Serves an OAuth endpoint: checks size and rate limit, then passes the request to the library. */
export async function serveOAuth(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  const { origin, pathname } = new URL(request.url)
  const server = authorizationServer(origin)
  if (request.method !== 'POST') return server.fetch(request, env, context)
  const body = await boundedText(request, MAX_OAUTH_BODY_BYTES)
  if (body === null)
    return refuse(413, `The request has more than ${MAX_OAUTH_BODY_BYTES} bytes, or ended early`)
  const form = isForm(request) ? new URLSearchParams(body) : null
  const repeated = form && repeatedIn(form)
  if (repeated) return refuse(400, `${shortText(repeated)} is repeated. Send each parameter once`)
  const wait = costs(request, form) ? countCostly(await identifySender(request, env, form)) : 0
  if (wait > 0) return refuseTooManyRequests(wait)
  if (pathname === REGISTER && redirectUrisIn(body).some((uri) => hasRefusedScheme(uri, env)))
    return refuse(400, REFUSED_SCHEME, 'invalid_redirect_uri')
  const known = form === null ? body : asLibraryReads(form, origin).toString()
  return answerWatched(new Request(request, { body: known }), env, context, form)
}

/**
 * Returns a parameter that is sent more than once, which OAuth 2.1 (section 3) forbids: of two values, the one that is
 * checked might not be the one that is used. A resource may be repeated (RFC 8707, section 2).
 */
export function repeatedIn(parameters: URLSearchParams): string | undefined {
  const names = [...parameters.keys()].filter((name) => name !== 'resource')
  return names.find((name, at) => names.indexOf(name) !== at)
}

const REGISTER = '/oauth/register'

/** Returns the redirect URIs of a registration; the library refuses what is no list of texts. */
function redirectUrisIn(body: string): string[] {
  try {
    const { redirect_uris: uris } = recordOf(JSON.parse(body))
    return Array.isArray(uris) ? uris.map(String) : []
  } catch {
    return []
  }
}

/** Passes a request to the library; when that ends a grant, its session ends, too. */
async function answerWatched(
  request: Request,
  env: Env,
  context: ExecutionContext,
  form: URLSearchParams | null,
): Promise<Response> {
  const server = authorizationServer(new URL(request.url).origin)
  const token = refreshTokenIn(form)
  const { env: watched, ended } = watchGrants<TokenEnv>({
    ...env,
    refresh: await hashOf(token),
    mark: markOf(token),
    accepted: [],
  })
  const answer = await server.fetch(request, watched, context)
  const replayed = answer.status === 400 ? await findReplayedGrant(token, watched) : null
  // When one token of a grant is revoked its session has ended, so its other tokens are revoked as well.
  for (const { user, grant } of replayed ? [replayed] : ended)
    await server.getOAuthApi(watched).revokeGrant(grant, user)
  return completeTokenResponse(answer, token, watched)
}

/** Returns the refresh token that is used; null for a code, beside which anything may be sent. */
const refreshTokenIn = (form: URLSearchParams | null): string | null =>
  form?.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : null

async function hashOf(token: string | null): Promise<string | null> {
  if (token === null) return null
  const bytes = new TextEncoder().encode(withoutMark(token))
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return toBase64(new Uint8Array(hash))
}

/** Reads a body as text; null when it has more than `most` bytes, or ends early. */
export async function boundedText(request: Request, most: number): Promise<string | null> {
  // Only its sender can cut a body short, so this is not logged.
  const text = await readText(request, most).catch(() => null)
  return text?.ok ? text.value : null
}

const isForm = ({ headers }: Request) =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/**
 * Whether a request is costly: a registration is stored for months, and the document of a client id that is a
 * URL is fetched, wherever the request names it.
 */
function costs({ url, headers }: Request, form: URLSearchParams | null): boolean {
  if (new URL(url).pathname === REGISTER) return true
  // Only a client with a document signs assertions, and one can name it.
  if (form?.has('client_assertion')) return true
  return [form?.get('client_id') ?? '', userOf(headers)].some(isDocument)
}

/** Returns the user of Basic credentials, encoded as in a form; empty without any. */
function userOf(headers: Headers): string {
  const encoded = /^basic[ \t]+(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
  try {
    // As the library reads it, also without padding.
    return atob(encoded).split(':')[0] ?? ''
  } catch {
    return ''
  }
}

/**
 * Counts the fetch of a client's metadata document. Returns the seconds to wait, or 0. A client id that is no
 * URL has no document and is not counted.
 */
export const documentWait = async (request: Request, env: Env, clientId: string): Promise<number> =>
  isDocument(clientId) ? countCostly(await senderOf(request, env)) : 0

/** The id of a registered client has neither character, and a URL has one of them, encoded or not. */
const isDocument = (clientId: string) => /[:%]/.test(clientId)

/** Rewrites a form as the library reads it: with the one resource, and with tokens as it gave them. */
function asLibraryReads(form: URLSearchParams, origin: string): URLSearchParams {
  const read = (name: string, value: string) => {
    if (name === 'resource') return knownResource(value, origin)
    return /^(?:refresh_)?token$/.test(name) ? withoutMark(value) : value
  }
  return new URLSearchParams([...form].map(([name, value]) => [name, read(name, value)]))
}

/** Builds the 429 of a request that exceeds a rate limit, with `Retry-After`. */
export function refuseTooManyRequests(seconds: number): Response {
  const message = `Too many requests. Try again in ${seconds} seconds`
  const answer = refuse(429, message, 'temporarily_unavailable')
  answer.headers.set('retry-after', String(seconds))
  return answer
}

function refuse(status: number, error_description: string, error = 'invalid_request'): Response {
  const headers = { 'cache-control': 'no-store' }
  return Response.json({ error, error_description }, { status, headers })
}
