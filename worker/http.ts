/**
 * The front: routes, the guard, and what can be answered without waking a workspace.
 *
 * A request for `/w/{workspace}/…` reaches the object of that name under the rest of its path; without
 * a name it is the workspace called `default`.
 *
 * @module
 */

import { CONFIG_SCHEMA } from '#core/config-schema.ts'
import { consoleAsset, publicScript } from './assets.ts'
import { admit } from './auth/admit.ts'
import {
  headersOf,
  PRINCIPAL_HEADER,
  SCOPES_HEADER,
  SESSION_HEADER,
  type Identity,
} from './auth/identity.ts'
import { metadataUrl } from './auth/resource.ts'
import { misconfigured } from './deployed.ts'
import type { Env } from './env.ts'
import { isHealth, preflight, refusal, withCors } from './guard.ts'
import { MODERN, SERVER_INFO } from './mcp/facts.ts'
import { parseBody, readBody } from './mcp/body.ts'
import { sandboxAnswer } from './sandbox.ts'
import { BASE_HEADER, LINK_HEADER, noLink, parseToken } from './sessions/links.ts'
import { observerOf } from './observe/observer.ts'
import { watched } from './observe/request.ts'
import { openStream, readListen } from './mcp/listen.ts'
import { looksPlain, MCP_URL, readPlain } from './mcp/plain.ts'
import { isWorkspaceName } from './names.ts'

/** Answers that are the same whatever a workspace holds, by method. */
export type StaticAnswers = Readonly<Record<string, (id: string | number) => Response>>

const LISTEN = 'subscriptions/listen'

const SESSION_ID = 'mcp-session-id'

/** Headers that the front alone may set. */
const OURS = [LINK_HEADER, BASE_HEADER, PRINCIPAL_HEADER, SESSION_HEADER, SCOPES_HEADER]

/** What a workspace serves beside MCP. */
const FORWARDED =
  /^\/(?:files(?:\/.*)?|import|export|status|audit(?:\/check)?|config|sessions(?:\/[^/]+)?)$/

const NAMED = /^\/w\/([^/]*)(\/.*)$/
const LINK = /^\/s\/([^/]+)\/mcp$/

export function createFront(answers: StaticAnswers) {
  async function fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const observer = observerOf(env)
    return observer
      ? watched(request, observer, (known) => answerTo(known, env, context))
      : answerTo(request, env, context)
  }

  /** The guard stands before the routes, so that none can be added beside it. */
  async function answerTo(request: Request, env: Env, context: ExecutionContext) {
    const answer = sandboxAnswer(request, env) ?? publicScript(request, env)
    if (answer) return answer
    const refused = refusal(request, env)
    if (refused) return forOneReader(refused)
    if (request.method === 'OPTIONS') return preflight(request)
    const response = await enter(request, env, context, answers).catch(somethingWrong)
    const closed = request.method === 'POST' ? response : forOneReader(response)
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
 * What is answered depends on who asks, so nobody keeps it for anybody else; and an address, which may
 * be a secret, is told to nobody. Where an answer has something to say of its own, that holds. What is
 * posted is never kept, and every call comes that way.
 */
function forOneReader(response: Response): Response {
  const closed = new Response(response.body, response)
  for (const [name, value] of Object.entries(FOR_ONE_READER))
    if (!closed.headers.has(name)) closed.headers.set(name, value)
  return closed
}

async function enter(
  request: Request,
  env: Env,
  context: ExecutionContext,
  answers: StaticAnswers,
): Promise<Response> {
  if (isHealth(request)) return Response.json({ ok: true, version: SERVER_INFO.version })
  const broken = misconfigured(env)
  if (broken) return broken
  const identity = await admit(request, env, context)
  if (identity instanceof Response) return identity
  const response = await route(request, env, identity, answers)
  return identity.kind === 'client' ? withMetadata(request, response) : response
}

async function route(
  request: Request,
  env: Env,
  identity: Identity,
  answers: StaticAnswers,
): Promise<Response> {
  const pathname = MCP_URL.test(request.url) ? '/mcp' : new URL(request.url).pathname
  if (pathname === '/mcp') return serveMcp(request, env, workspaceOf(identity), identity, answers)
  if (pathname === '/.well-known/mcp-config') return Response.json(CONFIG_SCHEMA)
  // Whatever stands below `/s/` may be a secret that was mistyped, so nothing repeats it.
  if (pathname.startsWith('/s/')) return serveLink(request, env, LINK.exec(pathname)?.[1] ?? '')

  const [, name = 'default', rest = pathname] = NAMED.exec(pathname) ?? []
  if (identity.kind === 'client' && (rest !== '/mcp' || name !== identity.workspace))
    return notItsOwn(identity.workspace)
  if (rest === '/mcp') return serveMcp(request, env, name, identity, answers)
  if (FORWARDED.test(rest)) return forward(request, env, name, identity, rest)
  const asset = await consoleAsset(request, env)
  return asset ?? notFound('NOT_FOUND', `There is nothing at ${pathname}`)
}

const workspaceOf = (identity: Identity) =>
  identity.kind === 'client' ? identity.workspace : 'default'

/** A token opens MCP of one workspace, and nothing that is for the person alone. */
function notItsOwn(workspace: string): Response {
  const message = `This token is good for MCP of the workspace ${workspace}, at /mcp`
  return Response.json({ code: 'FORBIDDEN', message }, { status: 403 })
}

/** Adds to a challenge where the client learns how to ask for more. */
function withMetadata({ url }: Request, response: Response): Response {
  const challenge = response.headers.get('www-authenticate')
  if (challenge === null) return response
  const answer = new Response(response.body, response)
  const metadata = `resource_metadata="${metadataUrl(new URL(url))}"`
  answer.headers.set('www-authenticate', `${challenge}, ${metadata}`)
  return answer
}

/** A bug is for the log; whoever asked only learns that there was one. */
function somethingWrong(error: unknown): Response {
  console.error(error)
  const message = 'Something went wrong here. Nothing more was done'
  return Response.json({ code: 'INTERNAL', message }, { status: 500 })
}

function notFound(code: string, message: string): Response {
  return Response.json({ code, message }, { status: 404 })
}

function serveMcp(
  request: Request,
  env: Env,
  name: string,
  identity: Identity,
  answers: StaticAnswers,
): Response | Promise<Response> {
  const object = objectOf(env, name)
  if (object instanceof Response) return object
  // What a client may do depends on its session, which only the workspace knows.
  const known = identity.kind === 'client' ? {} : answers
  return converse(object, identified(request, name, headersOf(identity)), known)
}

/** MCP through a session link: nothing is answered here, because it may do less than others. */
async function serveLink(request: Request, env: Env, text: string): Promise<Response> {
  const token = parseToken(text)
  const object = token && objectOf(env, token.workspace)
  if (!token || !object || object instanceof Response) {
    // An answer must not overtake what is still being sent.
    await readBody(request)
    return noLink()
  }
  return converse(object, identified(request, token.workspace, { [LINK_HEADER]: token.secret }), {})
}

/** One request of a conversation, from whoever its headers say. */
async function converse(
  object: Fetcher,
  request: Request,
  answers: StaticAnswers,
): Promise<Response> {
  if (request.method === 'GET' && request.headers.has(SESSION_ID))
    return openStream(object, request, streamHeaders(request))
  const method = request.method === 'POST' ? (request.headers.get('mcp-method') ?? '') : ''
  if (method === LISTEN) return serveListen(object, request)
  if (!Object.hasOwn(answers, method) || !looksPlain(request.headers, method))
    return object.fetch(mcpRequest(request))
  const body = await readBody(request)
  if (!body.ok) return body.error
  const json = parseBody(body.value)
  const plain = json.ok ? readPlain(request.headers, json.value) : null
  const answer = plain ? answers[method] : undefined
  if (plain && answer) return answer(plain.id)
  return object.fetch(mcpRequest(request, body.value))
}

/** The beginning of the URL of every link to a workspace. */
function linkBase(request: Request, workspace: string): string {
  return `${new URL(request.url).origin}/s/${workspace}`
}

/** A stream of updates. Where the request is not plain, the SDK says first whether it is in order. */
async function serveListen(object: Fetcher, request: Request): Promise<Response> {
  const body = await readBody(request)
  if (!body.ok) return body.error
  const json = parseBody(body.value)
  const first = json.ok ? readListen(json.value) : null
  if (!json.ok || first === null) return object.fetch(mcpRequest(request, body.value))
  if (!looksPlain(request.headers, LISTEN) || !readPlain(request.headers, json.value)) {
    const answer = await object.fetch(mcpRequest(request, body.value))
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
    // It would have listened there, where nothing is told. All that counts is that it may.
    await answer.body?.cancel()
  }
  return openStream(object, request, streamHeaders(request), first)
}

/** A stream is opened by a request of its own, which has to say for whom and for which session. */
function streamHeaders({ headers }: Request): Record<string, string> {
  const names = [SESSION_ID, ...OURS].filter((name) => headers.has(name))
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']))
}

/**
 * The request with what only this front may say of it. The name under which callers know a
 * workspace is told where it can matter: links are made by tool calls alone.
 */
function identified(
  request: Request,
  workspace: string,
  identity: Readonly<Record<string, string>>,
): Request {
  const said = Object.entries(identity)
  const forged = OURS.some((name) => request.headers.has(name))
  if (!forged && said.length === 0 && makesNoLink(request)) return request
  const headers = new Headers(request.headers)
  for (const name of OURS) headers.delete(name)
  headers.set(BASE_HEADER, linkBase(request, workspace))
  for (const [name, value] of said) headers.set(name, value)
  return new Request(request, { headers })
}

/**
 * Whether a request cannot ask for a link, going by its headers, from which a body of the modern era
 * may not differ. Those of the older era say nothing, and a name may come encoded.
 */
function makesNoLink({ headers }: Request): boolean {
  const name = headers.get('mcp-name') ?? ''
  return (
    headers.get('mcp-protocol-version') === MODERN && name !== 'delegate' && !name.startsWith('=?')
  )
}

/** The same request under the path that the object knows. */
function mcpRequest(request: Request, body?: string): Request {
  const { method, headers, url } = request
  if (body === undefined && MCP_URL.test(url)) return request
  const known = new URL('/mcp', url)
  return body === undefined
    ? new Request(known, request)
    : new Request(known, { method, headers, body })
}

function forward(
  received: Request,
  env: Env,
  name: string,
  identity: Identity,
  path: string,
): Response | Promise<Response> {
  const object = objectOf(env, name)
  if (object instanceof Response) return object
  const { search } = new URL(received.url)
  const url = new URL(path + search, received.url)
  return object.fetch(new Request(url, identified(received, name, headersOf(identity))))
}

function objectOf({ WORKSPACE }: Env, name: string): Fetcher | Response {
  if (isWorkspaceName(name)) return WORKSPACE.get(WORKSPACE.idFromName(name))
  const message = 'A workspace has a name of a-z, 0-9 and -, 63 characters at most'
  return notFound('INVALID_WORKSPACE', message)
}
