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
  CimdFetchError,
  type AuthRequest,
  type ConsentDescription,
  type OAuthHelpers,
} from '@cloudflare/workers-oauth-provider'
import { resolvePath } from '#core/path.ts'
import { visible } from '#core/visible.ts'
import type { Env } from '../env.ts'
import { isWorkspaceName, WORKSPACE_NAME } from '../front/workspace-name.ts'
import { authorizationServer, type Props } from './oauth.ts'
import { markup, type Html } from '../encoding/html.ts'
import { page } from './page.ts'
import { documentWait, tooMany } from './protocol.ts'
import { knownResource, workspaceIn } from './resource.ts'
import { fieldsOf } from './signin.ts'
import { MAX_GRANTED_SCOPES } from '../sessions/limits.ts'
import { MAX_CLIENT_NAME_LENGTH } from './limits.ts'

/** Serves `/authorize` for an owner who is signed in. */
export async function authorize(request: Request, env: Env): Promise<Response> {
  try {
    return request.method === 'POST'
      ? await answerConsent(request, env)
      : await showConsent(request, env)
  } catch (error) {
    if (error instanceof AuthorizationError) return refuseAuthorization(error)
    if (error instanceof CimdFetchError) return unknown(error)
    throw error
  }
}

/**
 * Returns the refusal of a request whose client or redirect URI is unknown, before sign-in: no secret should
 * be entered for a request that cannot be answered. Any other error is sent to the client, after sign-in.
 */
export async function unanswerable(request: Request, env: Env): Promise<Response | null> {
  const url = new URL(request.url)
  const wait = documentWait(request, url.searchParams.get('client_id') ?? '')
  if (wait > 0) return tooMany(wait)
  try {
    await authorizationServer(url.origin)
      .getOAuthApi(env)
      .parseAuthRequest(withKnownResource(request))
    return null
  } catch (error) {
    if (error instanceof CimdFetchError) return unknown(error)
    if (!(error instanceof AuthorizationError)) throw error
    return error.redirectTo === undefined ? refuseAuthorization(error) : null
  }
}

function refuseAuthorization({ redirectTo, description }: AuthorizationError): Response {
  return redirectTo === undefined ? refusePage(markup`${description}`) : redirectBack(redirectTo)
}

/**
 * Explains a client metadata document that could not be used. It has the redirect URI, so the browser cannot
 * be sent back.
 */
function unknown({ metadataUrl, detail }: CimdFetchError): Response {
  return refusePage(markup`Could not load the client metadata document ${metadataUrl}: ${detail}`)
}

function refusePage(reason: Html): Response {
  const body = markup`<h1>Invalid request</h1>
    <p>${reason}</p>`
  return page('Invalid request', body, { status: 400 })
}

const redirectBack = (location: string) =>
  new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })

async function showConsent(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url)
  const api = authorizationServer(url.origin).getOAuthApi(env)
  const wanted = await api.parseAuthRequest(withKnownResource(request))
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

function withKnownResource(request: Request): Request {
  const url = new URL(request.url)
  const named = url.searchParams.getAll('resource')
  url.searchParams.delete('resource')
  for (const one of named) url.searchParams.append('resource', knownResource(one, url.origin))
  return new Request(url, request)
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

/** Reads the ticked actions as scopes: each action everywhere, or below each folder. */
function chosenScopes(fields: URLSearchParams): string[] {
  const actions = ['read', 'write'].filter((action) => fields.has(action))
  const folders = (fields.get('folders') ?? '').split(',').map((text) => text.trim())
  const paths = folders.filter((text) => text !== '').map((text) => resolvePath(text))
  // An invalid folder must not widen the grant to all folders.
  if (paths.some((path) => !path.ok)) return []
  const places = paths.flatMap((path) => (path.ok ? [path.value] : []))
  return actions.flatMap((action) =>
    places.length === 0 ? [action] : places.map((path) => `${action}:file:${path}`),
  )
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

function consentForm(client: ConsentDescription, handle: string, workspace: string): Html {
  const { clientDomain, scope } = client
  const name = renderName(client.clientName)
  const wants = (action: string) =>
    scope.length === 0 || scope.some((one) => one.split(':')[0] === action)
  const tick = (action: string) => (wants(action) ? markup` checked` : markup``)
  const folders = [...new Set(scope.flatMap((one) => one.split(':file:')[1] ?? []))].join(', ')
  return markup` <h1>${name} wants to use your workspace</h1>
    <dl>
      <dt>Client</dt>
      <dd>${renderClient(name, clientDomain)}</dd>
      <dt>Redirects to</dt>
      <dd>${renderTarget(client)}</dd>
    </dl>
    ${isProgram(client) ? PROGRAM : markup``}
    <form method="post" action="/authorize">
      <input type="hidden" name="handle" value="${handle}" />
      <fieldset>
        <legend>Permissions</legend>
        <label><input type="checkbox" name="read" ${tick('read')} /> read files</label>
        <label
          ><input type="checkbox" name="write" ${tick('write')} /> change files; you can undo every
change</label
        >
        <label
          >only in these folders, separated by commas (empty: all folders)
          <input
            type="text"
            name="folders"
            value="${folders}"
            placeholder="/docs, /notes"
            autocomplete="off"
        /></label>
        <label
          >in the workspace
          <input
            type="text"
            name="workspace"
            value="${workspace}"
            pattern="${WORKSPACE_NAME}"
            autocomplete="off"
            required
        /></label>
      </fieldset>
      <div class="row">
        <button name="answer" value="deny">Deny</button>
        <button class="main" name="answer" value="allow">Allow</button>
      </div>
      <p class="muted">You can end this at any time under Sessions in the console.</p>
    </form>`
}

/**
 * Shows a client's own name as untrusted text: quoted, cut, isolated, and with invisible characters shown.
 */
function renderName(name: string): Html {
  const shown = visible(name.slice(0, MAX_CLIENT_NAME_LENGTH).toWellFormed())
  return markup`<bdi>“${shown}${name.length > MAX_CLIENT_NAME_LENGTH ? '…' : ''}”</bdi>`
}

const renderClient = (name: Html, domain: string | undefined) =>
  domain === undefined
    ? markup`${name} <span class="muted">(unverified name)</span>`
    : markup`<strong>${domain}</strong>
        <span class="muted">(verified domain), which calls itself ${name}</span>`

/**
 * Whether the redirect URI has a private scheme: `cursor://claude.example/` goes to the program that opens
 * `cursor:`, not to a host.
 */
const isPrivate = ({ redirectUri }: ConsentDescription) => !/^https?:/i.test(redirectUri)

const isProgram = (client: ConsentDescription) => client.redirectIsLoopback || isPrivate(client)

const renderTarget = (client: ConsentDescription) =>
  isPrivate(client)
    ? markup`the program that opens <strong>${new URL(client.redirectUri).protocol}</strong>`
    : markup`<strong>${new URL(client.redirectUri).host}</strong>`

const PROGRAM = markup`<p class="warn">
  Access goes to a program on your own computer. Any program on this computer could receive it,
whatever its name.
</p>`
