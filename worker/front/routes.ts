/**
 * The front Worker: the guard, authentication, and the routes to the workspace objects.
 *
 * A request for `/w/{workspace}/…` reaches the object of that name under the rest of its path; without a name
 * it reaches the workspace `default`.
 *
 * @module
 */

import { ACT_ROOTS } from '#core/owner/acts.ts'
import { manifestSchema } from '../mcp/schemas.ts'
import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { consoleAsset, installedFile, publicScript } from './assets.ts'
import { discardUnread } from '../archive/bytes.ts'
import { authenticate, refuseUnowned } from '../auth/gate.ts'
import { addressOf } from '../auth/sender.ts'
import { headersOf, type Identity } from '../sessions/identity.ts'
import { metadataUrl } from '../auth/resource.ts'
import { davOptions, forwardDav, serveDavFront, type DavRequest } from './dav.ts'
import { isReadOnly, offersImports, refuseMisconfigured } from './deployed-config.ts'
import type { Env } from '../env.ts'
import { isHealth, refuseMalformedHost, preflight, refuseUnknownOrigin, withCors } from './guard.ts'
import { isReading, namesStream } from '../http.ts'
import { withIdentity, withMcpIdentity } from '../sessions/identity-headers.ts'
import { SERVER_INFO } from '../mcp/server-info.ts'
import { forwardMcp, type StaticAnswers } from '../mcp/front.ts'
import { MCP_URL } from '../mcp/plain-request.ts'
import { sandboxAnswer } from './sandbox.ts'
import { serveDiscovery } from './server-card.ts'
import {
  isDavPath,
  isPageLink,
  LINK_HEADER,
  LINKED_PATH,
  PAGE_PATH,
  PREFIX_HEADER,
  refuseLink,
  parseToken,
  TRANSFER_PATH,
} from '../sessions/links.ts'
import { observerOf } from '../observe/observer.ts'
import { enterWorkspace, observeRequest } from '../observe/request.ts'
import { isWorkspaceName } from '../workspace-name.ts'
import { whileMeasuring } from '../store/disk-space.ts'
import { notAllowed } from '../errors/respond.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { respondInternalError } from './internal-error.ts'
import { shortError } from '../errors/short.ts'

/** The first segments of the paths that a workspace serves beside MCP. */
const FORWARDED: ReadonlySet<string> = new Set([
  ...ACT_ROOTS,
  'files',
  'changes',
  'import',
  'export',
])

/** Whether a workspace serves a path beside MCP. */
export const isForwarded = (path: string) => FORWARDED.has(path.split('/', 2)[1] ?? '')

const NAMED = /^\/w\/([^/]*)(\/.*)$/
const LINK = /^\/s\/([^/]+)(?:\/(mcp)\/?|\/file|(\/changes|\/files(?:\/.*)?)|(\/dav)(\/.*)?)$/

/** Creates the fetch handler. `answers` are the MCP results that need no workspace. */
export function createFront(answers: StaticAnswers) {
  function fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const observer = observerOf(env)
    async function answer(known: Request): Promise<Response> {
      const response = await answerTo(known, env, context)
      await discardUnread(known)
      return shortError(response)
    }
    return observer ? observeRequest(request, observer, answer) : answer(request)
  }

  /**
   * Runs the guard before all routes, so no route can bypass it. Only the sandbox and the public scripts come
   * earlier.
   */
  async function answerTo(request: Request, env: Env, context: ExecutionContext) {
    const answer =
      refuseMalformedHost(request) ?? sandboxAnswer(request, env) ?? publicScript(request, env)
    if (answer) return answer
    const refused = refuseUnknownOrigin(request, env)
    if (refused) return forbidCaching(refused)
    if (request.method === 'OPTIONS') return davOptions(request) ?? preflight(request)
    let response: Response
    try {
      response = await authenticateAndRoute(request, env, context, answers)
    } catch (error) {
      response = respondInternalError(error)
    }
    const closed = request.method === 'POST' ? response : forbidCaching(response)
    return request.headers.has('origin') ? withCors(request, closed) : closed
  }
  return { fetch }
}

const FOR_ONE_READER = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Forbids caches to store a response, and browsers to send its URL as a referrer: the content depends on the
 * caller, and the URL may be a secret. Headers that a route has set are kept. What a route answers to POST
 * skips this: it is never cached, and every tool call would pay for the copy.
 */
function forbidCaching(response: Response): Response {
  const closed = new Response(response.body, response)
  for (const [name, value] of Object.entries(FOR_ONE_READER))
    if (!closed.headers.has(name)) closed.headers.set(name, value)
  return closed
}

/** Waits for nothing that is known at once, as every tool call passes here. */
function authenticateAndRoute(
  request: Request,
  env: Env,
  context: ExecutionContext,
  answers: StaticAnswers,
): MaybePromise<Response> {
  if (isHealth(request)) return readOnly(request, { ok: true, version: SERVER_INFO.version })
  const installed = installedFile(request, env)
  if (installed) return installed
  const broken = refuseMisconfigured(env)
  if (broken) return broken
  const found = serveDiscovery(request)
  if (found) return refuseUnowned(request, env) ?? found
  const identity = authenticate(request, env, context)
  const serve = (known: Identity | Response) => serveAs(request, env, known, answers)
  return identity instanceof Promise ? identity.then(serve) : serve(identity)
}

function serveAs(
  request: Request,
  env: Env,
  identity: Identity | Response,
  answers: StaticAnswers,
): MaybePromise<Response> {
  if (identity instanceof Response) return identity
  const serve = () => route(request, env, identity, answers)
  const response = isReading(request) ? serve() : whileMeasuring(env.DISK, serve)
  return identity.kind === 'client' ? withMetadata(request, response) : response
}

function route(
  request: Request,
  env: Env,
  identity: Identity,
  answers: StaticAnswers,
): MaybePromise<Response> {
  const endpoint = MCP_URL.exec(request.url)
  if (endpoint) return serveMcp(request, env, endpoint[1], identity, answers)
  const { pathname } = new URL(request.url)
  if (pathname === '/.well-known/mcp-config') return readOnly(request, CONFIG_SCHEMA)
  if (pathname === '/app.schema.json') return readOnly(request, manifestSchema())
  // Anything below `/s/` may be a mistyped secret, so no response repeats it.
  if (pathname.startsWith('/s/')) return serveLink(request, env, pathname)
  if (isPageLink(pathname)) return servePageLink(request, env, pathname)
  if (isDavPath(pathname)) return serveDav(request, env)

  const [, name, rest = pathname] = NAMED.exec(pathname) ?? []
  if (rest === '/mcp' || rest === '/mcp/') return serveMcp(request, env, name, identity, answers)
  if (identity.kind === 'client') return refuseToken(identity.workspace)
  if (isForwarded(rest)) return forward(request, env, name ?? 'default', identity, rest)
  return serveConsole(request, env, pathname)
}

/** Clients of MCP are often given the address of the server alone, or with the path of another server. */
const hintFor = (request: Request) => (namesStream(request) ? '. The MCP endpoint is /mcp' : '')

async function serveConsole(request: Request, env: Env, pathname: string): Promise<Response> {
  const asset = await consoleAsset(request, env)
  return asset ?? notFound('NOT_FOUND', `Not found: ${pathname}${hintFor(request)}`)
}

/** A token is valid for MCP of one workspace, and never for the routes that only the user may call. */
function refuseToken(workspace: string): Response {
  const message = `This token is valid only for MCP of the workspace ${workspace}. Use /mcp.`
  return Response.json({ code: 'FORBIDDEN', message }, { status: 403 })
}

/** Adds the URL of the protected resource metadata to a challenge (RFC 9728, section 5.1). */
async function withMetadata({ url }: Request, coming: MaybePromise<Response>): Promise<Response> {
  const response = await coming
  const challenge = response.headers.get('www-authenticate')
  if (challenge === null) return response
  const answer = new Response(response.body, response)
  const metadata = `resource_metadata="${metadataUrl(new URL(url))}"`
  answer.headers.set('www-authenticate', `${challenge}, ${metadata}`)
  return answer
}

/** Answers a read-only route with JSON. */
function readOnly(request: Request, value: unknown): Response {
  return isReading(request) ? Response.json(value) : notAllowed('GET, HEAD')
}

function notFound(code: string, message: string): Response {
  return Response.json({ code, message }, { status: 404 })
}

/** Serves MCP of a workspace; without a name, of the one that a token is for, or of the default one. */
function serveMcp(
  request: Request,
  env: Env,
  named: string | undefined,
  identity: Identity,
  answers: StaticAnswers,
): MaybePromise<Response> {
  const own = identity.kind === 'client' ? identity.workspace : null
  const name = named ?? own ?? 'default'
  if (own !== null && name !== own) return refuseToken(own)
  const object = objectOf(env, name)
  if (object instanceof Response) return object
  enterWorkspace(name)
  // What a client may do depends on its session, which only the workspace knows.
  const isOwn = identity.kind === 'client' || isReadOnly(env) || offersImports(env)
  return forwardMcp(
    object,
    withMcpIdentity(request, name, headersOf(identity)),
    isOwn ? {} : answers,
  )
}

/**
 * Serves MCP and files through a session link, or the file of a transfer link. Static answers are not used, because a
 * link may have less access than other callers.
 */
async function serveLink(request: Request, env: Env, pathname: string): Promise<Response> {
  const [, text = '', mcp, path, dav, rest = ''] = LINK.exec(pathname) ?? []
  const token = parseToken(text)
  const object = token && objectOf(env, token.workspace)
  if (!token || !object || object instanceof Response) return refuseLink()
  const { workspace, secret } = token
  if (dav !== undefined)
    return serveLinkedDav(request, env, { token, prefix: `/s/${text}/dav`, rest })
  const known = withIdentity(request, workspace, { [LINK_HEADER]: secret })
  const inside =
    path === undefined ? TRANSFER_PATH : LINKED_PATH + path + new URL(request.url).search
  const answer =
    mcp === undefined
      ? await object.fetch(new Request(new URL(inside, request.url), known))
      : await forwardMcp(object, known, {})
  // An invalid link can name any workspace, so only a valid one is recorded.
  if (answer.status !== 401) enterWorkspace(workspace)
  return answer
}

/** Serves the pages of a link for people. Whatever is wrong with it, the answer is the same page. */
async function servePageLink(request: Request, env: Env, pathname: string): Promise<Response> {
  const { notFoundPage } = await import('../page-links/serve-page.ts')
  const [, text = '', rest = ''] = /^\/p\/([^/]+)(\/.*)?$/.exec(pathname) ?? []
  const token = parseToken(text)
  const object = token && objectOf(env, token.workspace)
  if (!token || !object || object instanceof Response) return notFoundPage()
  const { workspace, secret } = token
  const known = withIdentity(request, workspace, {
    [LINK_HEADER]: secret,
    [PREFIX_HEADER]: `/p/${text}`,
  })
  const inside = `${PAGE_PATH}${rest}${new URL(request.url).search}`
  const answer = await object.fetch(new Request(new URL(inside, request.url), known))
  if (answer.status === 401) return notFoundPage()
  // An invalid link can name any workspace, so only a valid one is recorded.
  if (answer.status !== 404) enterWorkspace(workspace)
  return answer
}

/** Serves WebDAV with a session link as the password. */
const serveDav = (request: Request, env: Env): Promise<Response> =>
  serveDavFront(request, (name) => objectOf(env, name), addressOf(request, env))

/** Serves WebDAV below a session link. */
async function serveLinkedDav(request: Request, env: Env, dav: DavRequest): Promise<Response> {
  const answer = await forwardDav(request, dav, (name) => objectOf(env, name))
  return answer.status === 401 ? refuseLink() : answer
}

function forward(
  received: Request,
  env: Env,
  name: string,
  identity: Identity,
  path: string,
): MaybePromise<Response> {
  const object = objectOf(env, name)
  if (object instanceof Response) return object
  enterWorkspace(name)
  const { search } = new URL(received.url)
  const url = new URL(path + search, received.url)
  return object.fetch(new Request(url, withIdentity(received, name, headersOf(identity))))
}

function objectOf({ WORKSPACE }: Env, name: string): Fetcher | Response {
  if (isWorkspaceName(name)) return WORKSPACE.get(WORKSPACE.idFromName(name))
  const message =
    'Cannot open this workspace: its name must have 1 to 63 characters of a-z, 0-9 and -.'
  return notFound('INVALID_WORKSPACE', message)
}
