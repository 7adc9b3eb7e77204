/**
 * Consent: the page shows the person which client asks, where the answer goes and what it requests, and lets them
 * select.
 *
 * The selection becomes a session of the workspace that the client named. So a client has exactly the rows that were
 * shown and selected, and ending the session revokes all of it. An answer that grants nothing, such as one that adds
 * a folder, shows the page again for the same request. `test/worker/auth/consent.test.ts` tests it.
 *
 * @module
 */

import {
  AuthorizationError,
  authorizationErrorRedirect,
  type AuthRequest,
  type OAuthHelpers,
} from '@cloudflare/workers-oauth-provider'
import type { Env } from '../env.ts'
import type { OwnerIdentity } from '../sessions/identity.ts'
import { ALLOW_DELAY_SOURCE } from './allow-delay.ts'
import {
  parseRequest,
  redirectBack,
  respondAuthorizationError,
  refuseScheme,
} from './authorization-request.ts'
import {
  digestOffer,
  firstEntries,
  readAnswer,
  type Entries,
  type Offer,
} from './consent-answer.ts'
import { consentForm } from './consent-form.ts'
import { grantAccess, type Answered } from './consent-grant.ts'
import { readRows } from './consent-rows.ts'
import { MAX_CONSENT_BODY_BYTES } from './limits.ts'
import { authorizationServer, isFirstAnswer } from './oauth.ts'
import { page } from './page.ts'
import { boundedText } from './protocol.ts'
import { workspaceIn } from './resource.ts'

/** Serves `/authorize` for an owner who is signed in. */
export async function authorize(
  request: Request,
  env: Env,
  owner: OwnerIdentity,
): Promise<Response> {
  try {
    return request.method === 'POST'
      ? await answerConsent(request, env, owner)
      : await startConsent(request, env)
  } catch (error) {
    const refusal = respondAuthorizationError(error)
    if (refusal) return refusal
    throw error
  }
}

async function startConsent(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url)
  const api = authorizationServer(url.origin).getOAuthApi(env)
  const wanted = await parseRequest(request, env)
  // OAuth 2.1 requires PKCE of every client; the library requires it only of clients without a secret.
  if (wanted.codeChallenge === undefined)
    return redirectBack(authorizationErrorRedirect(wanted, 'invalid_request', 'PKCE is required'))
  const named = url.searchParams.get('resource')
  // The request is stored with the resource that the client named, which says which workspace it wants.
  const asked = named === null ? wanted : { ...wanted, resource: named }
  const offer = await readOffer(asked, url.origin, api)
  return offer instanceof Response ? offer : show(asked, api, { offer })
}

/** Builds what the page shows from the stored request, or refuses the request. */
async function readOffer(
  asked: AuthRequest,
  origin: string,
  api: OAuthHelpers,
): Promise<Offer | Response> {
  const rows = readRows(asked.scope)
  if (!rows.ok) return redirectBack(authorizationErrorRedirect(asked, 'invalid_scope', rows.error))
  const client = await api.describeConsent(asked)
  const workspace = workspaceIn(asked.resource ?? null, origin) ?? 'default'
  return { client, workspace, rows: rows.value }
}

interface Shown {
  readonly offer: Offer
  readonly entries?: Entries
}

/** Stores the request under a new handle and shows the page for it. */
async function show(
  asked: AuthRequest,
  api: OAuthHelpers,
  { offer, entries = firstEntries(offer.rows) }: Shown,
): Promise<Response> {
  const { handle, headers } = await api.beginConsent(asked)
  const form = consentForm(offer, entries, { handle, shown: digestOffer(offer) })
  return page('Allow access', form, { headers, script: ALLOW_DELAY_SOURCE })
}

async function answerConsent(request: Request, env: Env, owner: OwnerIdentity): Promise<Response> {
  const { origin } = new URL(request.url)
  const api = authorizationServer(origin).getOAuthApi(env)
  const fields = await fieldsOf(request)
  const handle = fields.get('handle') ?? ''
  const isOwn = request.headers.get('origin') === origin
  if (!isOwn || !/^(?:allow|add)$/.test(fields.get('answer') ?? '')) {
    const { headers } = await api.denyConsent(request, handle)
    return new Response(null, { status: 303, headers })
  }
  // The only call of the library that returns the stored request. It also ends the handle.
  const { request: asked, headers } = await api.approveConsent(request, handle)
  // The store of the library has no compare-and-set, so two answers at once would both be accepted there.
  if (!(await isFirstAnswer(handle, env)))
    throw new AuthorizationError('invalid_request', {
      description: 'This request was answered already; start again',
    })
  const next = await settle(fields, { asked, origin, env, owner })
  for (const cookie of headers.getSetCookie()) next.headers.append('set-cookie', cookie)
  return next
}

/** Grants what was selected and sends the code to the client, or shows the page again. */
async function settle(fields: URLSearchParams, answered: Answered): Promise<Response> {
  const { asked, origin, env } = answered
  // The request was stored, and the setting may have changed since.
  refuseScheme(asked.redirectUri, env)
  const api = authorizationServer(origin).getOAuthApi(env)
  const offer = await readOffer(asked, origin, api)
  if (offer instanceof Response) return offer
  const answer = readAnswer(fields, offer)
  if (answer.is === 'shown') return show(asked, api, answer)
  const headers = { location: await grantAccess(offer, answer.rows, answered), ...NOT_STORED }
  return new Response(null, { status: 303, headers })
}

const NOT_STORED = { 'cache-control': 'no-store' }

/** Reads the fields of the form; one that is too large has none. */
async function fieldsOf(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams((await boundedText(request, MAX_CONSENT_BODY_BYTES)) ?? '')
}
