/**
 * Authorization requests: which are valid, and how an invalid one is refused.
 *
 * The browser is sent back only to a redirect URI that is known to be the client's. `test/e2e/oauth/details.slow.test.ts`
 * tests it.
 *
 * @module
 */

import {
  AuthorizationError,
  CimdFetchError,
  type AuthRequest,
} from '@cloudflare/workers-oauth-provider'
import { shortText } from '../errors/short.ts'
import { markup, type Html } from '../encoding/html.ts'
import type { Env } from '../env.ts'
import { authorizationServer } from './oauth.ts'
import { page } from './page.ts'
import { documentWait, repeatedIn, refuseTooManyRequests } from './protocol.ts'
import { hasRefusedScheme, REFUSED_SCHEME } from './redirect-schemes.ts'
import { knownResource } from './resource.ts'

/**
 * Parses an authorization request. The scheme is checked here as well as at registration: a client can have a
 * document instead, or be older than the check.
 *
 * @throws {AuthorizationError} If it is invalid.
 */
export async function parseRequest(request: Request, env: Env): Promise<AuthRequest> {
  const { origin, searchParams } = new URL(request.url)
  const repeated = repeatedIn(searchParams)
  if (repeated !== undefined)
    throw new AuthorizationError('invalid_request', {
      description: `Invalid request: ${shortText(repeated)} is repeated. Send each parameter once`,
    })
  refuseScheme(searchParams.get('redirect_uri') ?? '', env)
  const api = authorizationServer(origin).getOAuthApi(env)
  return api.parseAuthRequest(withKnownResource(request))
}

/**
 * Refuses a redirect URI whose scheme belongs to no client.
 *
 * @throws {AuthorizationError} If it does not.
 */
export function refuseScheme(redirectUri: string, env: Env): void {
  if (hasRefusedScheme(redirectUri, env))
    throw new AuthorizationError('invalid_request', { description: REFUSED_SCHEME })
}

function withKnownResource(request: Request): Request {
  const url = new URL(request.url)
  const named = url.searchParams.getAll('resource')
  url.searchParams.delete('resource')
  for (const one of named) url.searchParams.append('resource', knownResource(one, url.origin))
  return new Request(url, request)
}

/**
 * Returns the refusal of a request whose client or redirect URI is unknown, before sign-in: no secret should
 * be entered for a request that cannot be answered. Any other error is sent to the client, after sign-in.
 */
export async function refuseUnanswerable(request: Request, env: Env): Promise<Response | null> {
  const url = new URL(request.url)
  const wait = await documentWait(request, env, url.searchParams.get('client_id') ?? '')
  if (wait > 0) return refuseTooManyRequests(wait)
  try {
    await parseRequest(request, env)
    return null
  } catch (error) {
    if (error instanceof CimdFetchError) return unknown(error)
    if (!(error instanceof AuthorizationError)) throw error
    return error.redirectTo === undefined ? refuseAuthorization(error) : null
  }
}

/** Returns the refusal of an error that parsing or consent throws; null if it is another error. */
export function respondAuthorizationError(error: unknown): Response | null {
  if (error instanceof AuthorizationError) return refuseAuthorization(error)
  return error instanceof CimdFetchError ? unknown(error) : null
}

function refuseAuthorization({ redirectTo, description }: AuthorizationError): Response {
  return redirectTo === undefined ? refusePage(markup`${description}`) : redirectBack(redirectTo)
}

/**
 * Explains a client metadata document that could not be used. It has the redirect URI, so the browser cannot
 * be sent back.
 */
function unknown({ metadataUrl, detail }: CimdFetchError): Response {
  const [address = '', reason = ''] = [metadataUrl, detail].map((text) => shortText(String(text)))
  // The runtime gives a host that it cannot reach no reason but the number of an entry in its own log.
  const known = /^internal error\b/.test(reason) ? 'its host cannot be reached' : reason
  return refusePage(markup`Could not load the client metadata document ${address}: ${known}`)
}

function refusePage(reason: Html): Response {
  const body = markup`<h1>Invalid request</h1>
    <p>${reason}</p>
    <p class="muted">Nothing was allowed. Start the sign-in again in the client.</p>`
  return page('Invalid request', body, { status: 400 })
}

/** Sends the browser back to the client. */
export const redirectBack = (location: string) =>
  new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })
