/**
 * Consent: the page shows the person which client asks and where the answer goes, and lets them choose the
 * scopes.
 *
 * The choice becomes a session of the chosen workspace. So a client has exactly what was ticked, whatever it
 * asked for, and ending the session revokes all of it.
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
import { isWorkspaceName } from '../front/workspace-name.ts'
import { MAX_GRANTED_SCOPES } from '../sessions/limits.ts'
import { parseRequest, redirectBack, refusalOf } from './authorization-request.ts'
import { chosenScopes, consentForm } from './consent-form.ts'
import { authorizationServer, isFirstAnswer, type Props } from './oauth.ts'
import { page } from './page.ts'
import { workspaceIn } from './resource.ts'
import { fieldsOf } from './signin.ts'

/** Serves `/authorize` for an owner who is signed in. */
export async function authorize(request: Request, env: Env): Promise<Response> {
  try {
    return request.method === 'POST'
      ? await answerConsent(request, env)
      : await showConsent(request, env)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal) return refusal
    throw error
  }
}

async function showConsent(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url)
  const api = authorizationServer(url.origin).getOAuthApi(env)
  const wanted = await parseRequest(request, env)
  // OAuth 2.1 requires PKCE of every client; the library requires it only of clients without a secret.
  if (wanted.codeChallenge === undefined)
    return redirectBack(authorizationErrorRedirect(wanted, 'invalid_request', 'PKCE is required'))
  const [client, { handle, headers }] = await Promise.all([
    api.describeConsent(wanted),
    api.beginConsent(wanted),
  ])
  const workspace = workspaceIn(url.searchParams.get('resource'), url.origin) ?? 'default'
  return page('Allow access', consentForm(client, handle, workspace), { headers })
}

async function answerConsent(request: Request, env: Env): Promise<Response> {
  const { origin } = new URL(request.url)
  const api = authorizationServer(origin).getOAuthApi(env)
  const fields = await fieldsOf(request)
  const handle = fields.get('handle') ?? ''
  if (request.headers.get('origin') !== origin || fields.get('answer') !== 'allow') {
    const { headers } = await api.denyConsent(request, handle)
    return new Response(null, { status: 303, headers })
  }
  const workspace = fields.get('workspace') ?? ''
  const scopes = chosenScopes(fields)
  const isValid = scopes.length > 0 && scopes.length <= MAX_GRANTED_SCOPES
  if (!isWorkspaceName(workspace) || !isValid) {
    const isTooMuch = scopes.length > MAX_GRANTED_SCOPES
    const { headers } = await api.denyConsent(request, handle, {
      description: isTooMuch
        ? `The owner selected more than ${MAX_GRANTED_SCOPES} scopes`
        : 'The owner selected no valid scopes',
    })
    return new Response(null, { status: 303, headers })
  }
  const actions = [...new Set(scopes.map((scope) => scope.split(':')[0] ?? ''))]
  const { request: approved, headers } = await api.approveConsent(request, handle, {
    scope: actions,
  })
  // The store of the library has no compare-and-set, so two answers at once would both be accepted there.
  if (!(await isFirstAnswer(handle, env)))
    throw new AuthorizationError('invalid_request', {
      description: 'This request was answered already; start again',
    })
  headers.set('location', await grantAccess(api, env, approved, { workspace, scopes }))
  return new Response(null, { status: 303, headers })
}

/**
 * Creates the session that was chosen and a grant for it. Returns the URL that takes the code to the client.
 */
async function grantAccess(
  api: OAuthHelpers,
  env: Env,
  request: AuthRequest,
  { workspace, scopes }: Chosen,
): Promise<string> {
  const client = await api.describeConsent(request)
  const label = client.clientDomain ?? client.clientName
  const session = await makeSession(env, workspace, label, scopes)
  const props: Props = { workspace, session }
  const { redirectTo } = await api.completeAuthorization({
    request,
    userId: 'owner',
    metadata: { label, workspace, session },
    scope: request.scope,
    props,
    revokeExistingGrants: false,
  })
  return redirectTo
}

interface Chosen {
  readonly workspace: string
  readonly scopes: readonly string[]
}

async function makeSession(
  { WORKSPACE }: Env,
  workspace: string,
  label: string,
  scopes: readonly string[],
): Promise<string> {
  const object = WORKSPACE.get(WORKSPACE.idFromName(workspace))
  const body = JSON.stringify({ label, scopes })
  const answer = await object.fetch('https://workspace/grant', { method: 'POST', body })
  if (!answer.ok)
    throw new Error(`Cannot create the session of a grant: the workspace answered ${answer.status}`)
  return answer.text()
}
