/**
 * MCP in the front Worker: answers what needs no workspace, and passes everything else to the object.
 *
 * Streams are held here, so that an object may sleep while clients listen (`docs/decisions`, 3).
 *
 * @module
 */

import { IDENTITY_HEADERS } from '../sessions/identity-headers.ts'
import { acceptsStream } from './accept.ts'
import { parseMessage } from './envelope.ts'
import { readBody } from './message-body.ts'
import { beginningFor, openStream, readListen } from './listen.ts'
import { looksPlain, MCP_URL, readPlain, type PlainRequest } from './plain-request.ts'
import { readProfile, RESEARCH } from './profile.ts'
import { respondError } from '../json-rpc.ts'
import { LAST_EVENT_ID } from './resume.ts'

/** Results that are the same for every workspace, by method; null for a request that needs the workspace. */
export type StaticAnswers = Readonly<Record<string, StaticAnswer>>

type StaticAnswer = (request: PlainRequest) => Response | null

const LISTEN = 'subscriptions/listen'

const SESSION_ID = 'mcp-session-id'

/**
 * Forwards an MCP request to its workspace, or serves it here: streams, and results that are the same for every
 * workspace. The identity of the caller is in its headers.
 */
export function forwardMcp(
  object: Fetcher,
  request: Request,
  answers: StaticAnswers,
): Promise<Response> {
  const { method, headers } = request
  const profile = readProfile(request.url)
  if (profile === 'unknown') return Promise.resolve(refuseProfile())
  if (method === 'GET' && !acceptsStream(request)) return refuseNotAcceptable(object, request)
  if (method === 'GET' && headers.has(SESSION_ID))
    return openStream(object, request, streamHeaders(request), {
      beginning: beginningFor(request),
    })
  const mcpMethod = method === 'POST' ? (headers.get('mcp-method') ?? '') : ''
  if (mcpMethod === LISTEN) return serveListen(object, request)
  const isWritten = profile === null && Object.hasOwn(answers, mcpMethod)
  const answer = isWritten ? answers[mcpMethod] : undefined
  return answer && looksPlain(headers, mcpMethod)
    ? answerStatic(object, request, answer)
    : object.fetch(mcpRequest(request))
}

function refuseProfile(): Response {
  const message = `Unknown profile. Use ?profile=${RESEARCH}, or none for all tools`
  return respondError(null, -32600, `Invalid Request: ${message}`, 400)
}

/** Answers a request that needs no workspace; passes it on if its body says otherwise. */
async function answerStatic(
  object: Fetcher,
  request: Request,
  answer: StaticAnswer,
): Promise<Response> {
  const body = await readBody(request)
  if (!body.ok) return body.error
  const json = parseMessage(body.value)
  const plain = json.ok ? readPlain(request.headers, json.value) : null
  return (plain && answer(plain)) ?? object.fetch(mcpRequest(request, body.value))
}

/**
 * Refuses a GET that accepts no event stream. The object first decides whether the caller has access at all.
 */
async function refuseNotAcceptable(object: Fetcher, request: Request): Promise<Response> {
  const answer = await object.fetch(mcpRequest(request))
  if (answer.status !== 405) return answer
  return respondError(null, -32000, 'Not Acceptable: a GET must accept text/event-stream', 406)
}

/** Opens a stream of updates. A request that is not plain is first validated by the SDK, in the object. */
async function serveListen(object: Fetcher, request: Request): Promise<Response> {
  const body = await readBody(request)
  if (!body.ok) return body.error
  const json = parseMessage(body.value)
  const first = json.ok ? readListen(json.value) : null
  if (!json.ok || first === null) return object.fetch(mcpRequest(request, body.value))
  if (!looksPlain(request.headers, LISTEN) || !readPlain(request.headers, json.value)) {
    const answer = await object.fetch(mcpRequest(request, body.value))
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
    // The SDK accepted the request. Its own stream gets no notifications, so it is closed.
    await answer.body?.cancel()
  }
  return openStream(object, request, streamHeaders(request), { first })
}

/** A stream is opened by a request of its own, which must carry the identity and the session. */
function streamHeaders({ headers }: Request): Record<string, string> {
  const names = [SESSION_ID, LAST_EVENT_ID, ...IDENTITY_HEADERS].filter((name) => headers.has(name))
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']))
}

/** Returns the same request under the path that the object serves. */
function mcpRequest(request: Request, body?: string): Request {
  const { method, headers, url } = request
  if (body === undefined && MCP_URL.test(url)) return request
  const profile = readProfile(url)
  const known = new URL(profile === null ? '/mcp' : `/mcp?profile=${profile}`, url)
  return body === undefined
    ? new Request(known, request)
    : new Request(known, { method, headers, body })
}
