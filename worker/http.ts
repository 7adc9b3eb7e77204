/**
 * The front: routes, the guard, and what can be answered without waking a workspace.
 *
 * A request for `/w/{workspace}/…` reaches the object of that name under the rest of its path; without
 * a name it is the workspace called `default`.
 *
 * @module
 */

import { CONFIG_SCHEMA } from '#core/config-schema.ts'
import { Hono, type Context } from 'hono'
import type { Env } from './env.ts'
import { preflight, refusal, withCors } from './guard.ts'
import { SERVER_INFO } from './mcp/facts.ts'
import { parseBody, readBody } from './mcp/body.ts'
import { BASE_HEADER, LINK_HEADER, parseToken } from './sessions/links.ts'
import { openStream, readListen } from './mcp/listen.ts'
import { looksPlain, plainResult, readPlain } from './mcp/plain.ts'
import { home } from './home.ts'

/** Answers that are the same whatever a workspace holds, by method. */
export type StaticAnswers = Readonly<Record<string, () => Record<string, unknown>>>

const LISTEN = 'subscriptions/listen'

/** What a workspace serves beside MCP. */
const FORWARDED = [
  '/files/*',
  '/import',
  '/export',
  '/status',
  '/config',
  '/sessions',
  '/sessions/*',
] as const

const WORKSPACE_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

export function createFront(answers: StaticAnswers) {
  const app = new Hono<{ Bindings: Env }>({ strict: false })

  app.get('/healthz', (context) => context.json({ ok: true, version: SERVER_INFO.version }))
  app.get('/', (context) => home(context.req.raw))
  app.get('/.well-known/mcp-config', (context) => context.json(CONFIG_SCHEMA))
  app.all('/mcp', (context) => serveMcp(context, 'default', answers))
  app.all('/s/:token/mcp', (context) => serveLink(context, context.req.param('token')))
  app.all('/w/:workspace/mcp', (context) =>
    serveMcp(context, context.req.param('workspace'), answers),
  )
  for (const route of FORWARDED) {
    app.all(route, (context) => forward(context, 'default', rawPath(context.req.url)))
    app.all(`/w/:workspace${route}`, (context) => {
      const name = context.req.param('workspace')
      return forward(context, name, rawPath(context.req.url).slice(`/w/${name}`.length))
    })
  }
  app.notFound((context) =>
    context.json({ code: 'NOT_FOUND', message: `There is nothing at ${context.req.path}` }, 404),
  )
  app.onError((error, context) => {
    console.error(error)
    return context.json(
      { code: 'INTERNAL', message: 'Something went wrong here. Nothing more was done' },
      500,
    )
  })

  /** The guard stands before the routes, so that none can be added beside it. */
  async function fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const refused = refusal(request, env)
    if (refused) return refused
    if (request.method === 'OPTIONS') return preflight(request)
    const response = await app.fetch(request, env, context)
    return request.headers.has('origin') ? withCors(request, response) : response
  }
  return { fetch }
}

type Ctx = Context<{ Bindings: Env }>

async function serveMcp(context: Ctx, name: string, answers: StaticAnswers): Promise<Response> {
  const object = objectOf(context, name)
  if (object instanceof Response) return object
  const request = identified(context.req.raw, name)
  if (request.method === 'GET') {
    if (!request.headers.has('mcp-session-id')) return object.fetch(mcpRequest(request))
    return openStream(object, request, {
      'mcp-session-id': request.headers.get('mcp-session-id') ?? '',
    })
  }

  const method = request.headers.get('mcp-method') ?? ''
  if (method === LISTEN) return serveListen(object, request)
  if (!Object.hasOwn(answers, method) || !looksPlain(request.headers, method)) {
    return object.fetch(mcpRequest(request))
  }
  const body = await readBody(request)
  if (!body.ok) return body.error
  const json = parseBody(body.value)
  const plain = json.ok ? readPlain(request.headers, json.value) : null
  const answer = plain ? answers[method] : undefined
  if (plain && answer) return plainResult(plain.id, answer())
  return object.fetch(mcpRequest(request, body.value))
}

/** MCP through a session link: nothing is answered here, because it may do less than others. */
async function serveLink(context: Ctx, text: string): Promise<Response> {
  const token = parseToken(text)
  const object = token && objectOf(context, token.workspace)
  if (!token || !object || object instanceof Response)
    return context.json({ code: 'NOT_FOUND', message: 'This is no link' }, 404)
  const request = context.req.raw
  const identity = {
    [LINK_HEADER]: token.secret,
    [BASE_HEADER]: linkBase(request, token.workspace),
  }
  const headers = { ...Object.fromEntries(request.headers), ...identity }
  if (request.method === 'GET') return openStream(object, request, headers)
  const known = new Request(request, { headers })
  if (request.headers.get('mcp-method') === LISTEN) return serveListen(object, known, identity)
  return object.fetch(mcpRequest(known))
}

/** The beginning of the URL of every link to a workspace. */
function linkBase(request: Request, workspace: string): string {
  return `${new URL(request.url).origin}/s/${workspace}`
}

/** A stream of updates. Where the request is not plain, the SDK says first whether it is in order. */
async function serveListen(
  object: Fetcher,
  request: Request,
  identity: Readonly<Record<string, string>> = {},
): Promise<Response> {
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
  return openStream(object, request, identity, first)
}

/**
 * The request with what only this front may say of it. The name under which callers know a
 * workspace is told where it can matter: links are made by tool calls alone.
 */
function identified(request: Request, workspace: string): Request {
  const forged = request.headers.has(LINK_HEADER) || request.headers.has(BASE_HEADER)
  if (
    !forged &&
    request.headers.get('mcp-name') !== 'delegate' &&
    request.headers.has('mcp-method')
  )
    return request
  const headers = new Headers(request.headers)
  headers.delete(LINK_HEADER)
  headers.set(BASE_HEADER, linkBase(request, workspace))
  return new Request(request, { headers })
}

/** The same request under the path that the object knows. */
function mcpRequest(request: Request, body?: string): Request {
  const url = new URL('/mcp', request.url).href
  if (body !== undefined)
    return new Request(url, { method: request.method, headers: request.headers, body })
  return url === request.url ? request : new Request(url, request)
}

function forward(context: Ctx, name: string, path: string): Response | Promise<Response> {
  const object = objectOf(context, name)
  if (object instanceof Response) return object
  const { search } = new URL(context.req.url)
  const request = identified(context.req.raw, name)
  return object.fetch(new Request(new URL(path + search, context.req.url), request))
}

/** The path as it was sent: Hono decodes what a store path may hold encoded. */
function rawPath(url: string): string {
  return new URL(url).pathname
}

function objectOf(context: Ctx, name: string): Fetcher | Response {
  if (!WORKSPACE_NAME.test(name)) {
    const message = 'A workspace has a name of a-z, 0-9 and -, 63 characters at most'
    return context.json({ code: 'INVALID_WORKSPACE', message }, 404)
  }
  const { WORKSPACE } = context.env
  return WORKSPACE.get(WORKSPACE.idFromName(name))
}
