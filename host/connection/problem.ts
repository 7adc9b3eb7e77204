/**
 * Translates failures of a connection into sentences for the user: what happened, and what can be
 * done.
 *
 * The SDK throws errors of several classes, nested in each other; only this module reads them.
 * `test/host/connection-problem.test.ts` has the table.
 *
 * @module
 */

import {
  InsufficientScopeError,
  OAuthClientFlowError,
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { recordOf } from '#core/json.ts'
import type { ConnectionProblem, ProblemKind } from './types.ts'

/** A failure of a connection or a request; `problem` describes it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly problem: ConnectionProblem

  constructor(problem: ConnectionProblem, options?: ErrorOptions) {
    super(problem.message, options)
    this.problem = problem
  }
}

/** Advice by kind; a kind without an entry needs none. */
const ADVICE: Readonly<Partial<Record<ProblemKind, string>>> = {
  'bad-url': 'Give the whole address, such as https://example.com/mcp.',
  unreachable: 'Check the address, and that the server is running.',
  cors: 'The server has to allow this page’s origin (CORS), and to expose Mcp-Session-Id.',
  'mixed-content': 'Use an https address, or open this page over http.',
  unauthorized: 'Sign in, or add a header with a token. A link may have ended or been revoked.',
  forbidden: 'Sign in as somebody who may, or ask for a wider link.',
  'not-found': 'Check the address. A link may have ended or been revoked.',
  'not-mcp': 'Check that the address is that of an MCP endpoint; it often ends in /mcp.',
  configuration: 'Change the configuration and connect again.',
  timeout: 'Try again, or allow more time.',
  closed: 'Connect again.',
}

/**
 * Builds a problem with the advice of its kind.
 *
 * @param message One sentence: what happened.
 * @param more Other members, such as the HTTP status.
 */
export function makeProblem(
  kind: ProblemKind,
  message: string,
  more: Partial<ConnectionProblem> = {},
): ConnectionProblem {
  const advice = ADVICE[kind] ?? ''
  return { kind, message, advice, status: null, code: null, data: null, scopes: [], ...more }
}

/** The user or the caller cancelled. */
export const CANCELLED = makeProblem('aborted', 'It was cancelled.')
/** The connection is closed, by the caller or by the SDK. */
export const CLOSED = makeProblem('closed', 'The connection is closed.')
/** The time limit of a request is over. */
export const TOO_LATE = makeProblem('timeout', 'The server did not answer in time.')

/** Translates any thrown value. */
export function problemOf(error: unknown): ConnectionProblem {
  if (error instanceof ConnectionError) return error.problem
  if (error instanceof InsufficientScopeError) return lacking(error.requiredScope)
  if (error instanceof UnauthorizedError) return makeProblem('unauthorized', SIGN_IN)
  if (error instanceof ProtocolError) return answered(error)
  if (error instanceof SdkHttpError) return ofHttp(error)
  if (error instanceof SdkError) return ofSdk(error)
  if (error instanceof OAuthError || error instanceof OAuthClientFlowError) {
    return makeProblem('unauthorized', `Signing in failed: ${error.message}`)
  }
  return ofAny(error)
}

const SIGN_IN = 'The server asks to sign in.'

function lacking(scope: string | undefined): ConnectionProblem {
  const scopes = (scope ?? '').split(' ').filter((word) => word !== '')
  const named = scopes.length > 0 ? `: it needs ${scopes.join(', ')}` : ''
  return makeProblem('forbidden', `The token does not allow this${named}.`, { scopes, status: 403 })
}

function answered({ code, message, data }: ProtocolError): ConnectionProblem {
  return makeProblem('protocol', message, { code, data })
}

function ofHttp(error: SdkHttpError): ConnectionProblem {
  const { status } = error
  const more = { status: status ?? null }
  const said = wordsIn(error.data.text)
  const because = said === '' ? '' : `: ${said}`
  if (status === 401) return makeProblem('unauthorized', SIGN_IN, more)
  if (status === 403) return makeProblem('forbidden', `The server refuses this${because}.`, more)
  if (status === 404) return makeProblem('not-found', `There is nothing there${because}.`, more)
  if (status === 405 || status === 406 || status === 415)
    return makeProblem('not-mcp', `This does not answer like MCP (HTTP ${status}).`, more)
  if (status !== undefined && status >= 500)
    return makeProblem('server', `The server failed (HTTP ${status})${because}.`, more)
  return makeProblem('protocol', `The server answered HTTP ${status ?? '?'}${because}.`, more)
}

function ofSdk(error: SdkError): ConnectionProblem {
  const { code, message, cause } = error
  if (code === SdkErrorCode.RequestTimeout) {
    const isStopped = isAbort(cause) || /abort/i.test(message)
    return isStopped ? CANCELLED : TOO_LATE
  }
  if (code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.NotConnected) return CLOSED
  if (code === SdkErrorCode.ClientHttpUnexpectedContent)
    return makeProblem('not-mcp', `This does not answer like MCP: ${message}.`)
  return cause === undefined ? ofUnknown(error) : problemOf(cause)
}

function ofAny(error: unknown): ConnectionProblem {
  if (isAbort(error)) return CANCELLED
  // fetch throws a TypeError if there was no response, without the reason.
  if (error instanceof TypeError && /fetch|network/i.test(error.message))
    return makeProblem('unreachable', 'The server could not be reached.')
  if (error instanceof SyntaxError || isIssues(error))
    return makeProblem('not-mcp', 'What came back is not MCP.')
  if (error instanceof Error && error.cause !== undefined) return problemOf(error.cause)
  return ofUnknown(error)
}

function ofUnknown(error: unknown): ConnectionProblem {
  return makeProblem('unknown', error instanceof Error ? error.message : String(error))
}

const isAbort = (error: unknown) =>
  error instanceof DOMException && (error.name === 'AbortError' || error.name === 'TimeoutError')

/** A schema validation error of what the server sent. */
const isIssues = (error: unknown) => error instanceof Error && /^(\$?Zod)/.test(error.name)

/** Extracts the message from the body of an HTTP error; none from an HTML page. */
function wordsIn(body: unknown): string {
  if (typeof body !== 'string' || /^\s*</.test(body)) return ''
  try {
    const { message, error } = recordOf(JSON.parse(body))
    const said = typeof message === 'string' ? message : recordOf(error)['message']
    return typeof said === 'string' ? said.slice(0, 300).replace(/\.$/, '') : ''
  } catch {
    return body.slice(0, 300).trim()
  }
}
