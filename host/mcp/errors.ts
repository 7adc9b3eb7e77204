/**
 * Translates failures of a connection into sentences for the user: what happened, and what can be
 * done.
 *
 * The SDK throws errors of several classes, nested in each other; only this module reads them.
 * `test/host/mcp/errors.test.ts` has the table.
 *
 * @module
 */

import { cutEnd } from '#core/cut-middle.ts'
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

/** Kinds of problems; {@link ADVICE} has the advice for each. */
export type ProblemKind =
  | 'bad-url'
  | 'unreachable'
  | 'cors'
  | 'mixed-content'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'not-mcp'
  | 'configuration'
  | 'timeout'
  | 'aborted'
  | 'closed'
  | 'protocol'
  | 'server'
  | 'unknown'

/** What went wrong with a connection or a request, in sentences for the user. */
export interface ConnectionProblem {
  readonly kind: ProblemKind
  /** One sentence: what happened. */
  readonly message: string
  /** One sentence: what the user can do; empty if there is nothing. */
  readonly advice: string
  /** HTTP status, if there was one. */
  readonly status: number | null
  /** Code and data of a JSON-RPC error, if the server returned one. */
  readonly code: number | null
  readonly data: unknown
  /** Scopes that the token lacks, as the server names them. */
  readonly scopes: readonly string[]
}

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
  'bad-url': 'Enter the full address, such as https://example.com/mcp.',
  unreachable: 'Check the address, and that the server is running.',
  cors: 'The server must allow this page’s origin (CORS) and expose Mcp-Session-Id.',
  'mixed-content': 'Use an https address, or open this page over http.',
  unauthorized: 'Sign in, or add a header with a token. A link may have expired or been revoked.',
  forbidden: 'Sign in as a user with this permission, or ask for a link with more scopes.',
  'not-found': 'Check the address. A link may have expired or been revoked.',
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
export const CANCELLED = makeProblem('aborted', 'The request was cancelled.')
/** The connection is closed, by the caller or by the SDK. */
export const CLOSED = makeProblem('closed', 'The connection is closed.')
/** A request exceeded its time limit. */
export const TIMED_OUT = makeProblem('timeout', 'The server did not answer in time.')

/** Translates any thrown value. */
export function problemOf(error: unknown): ConnectionProblem {
  if (error instanceof ConnectionError) return error.problem
  if (error instanceof InsufficientScopeError) return fromScopeError(error.requiredScope)
  if (error instanceof UnauthorizedError) return makeProblem('unauthorized', SIGN_IN)
  if (error instanceof ProtocolError) return fromProtocolError(error)
  if (error instanceof SdkHttpError) return fromHttpError(error)
  if (error instanceof SdkError) return fromSdkError(error)
  if (error instanceof OAuthError || error instanceof OAuthClientFlowError) {
    return makeProblem('unauthorized', `Signing in failed: ${error.message}`)
  }
  return fromOther(error)
}

const SIGN_IN = 'The server requires signing in.'

function fromScopeError(scope: string | undefined): ConnectionProblem {
  const scopes = (scope ?? '').split(' ').filter((word) => word !== '')
  const named = scopes.length > 0 ? `: ${scopes.join(', ')}` : ''
  return makeProblem('forbidden', `The token lacks the required scope${named}.`, {
    scopes,
    status: 403,
  })
}

function fromProtocolError({ code, message, data }: ProtocolError): ConnectionProblem {
  return makeProblem('protocol', message, { code, data })
}

function fromHttpError(error: SdkHttpError): ConnectionProblem {
  const { status } = error
  const { message, code } = readBody(error.data.text)
  const more = { status: status ?? null, code }
  const because = message === '' ? '' : `: ${message}`
  if (status === 401) return makeProblem('unauthorized', SIGN_IN, more)
  if (status === 403)
    return makeProblem('forbidden', `The server refused the request${because}.`, more)
  if (status === 404) {
    // Servers begin the sentence themselves.
    const isComplete = /^not found\b/i.test(message)
    return makeProblem('not-found', isComplete ? `${message}.` : `Not found${because}.`, more)
  }
  if (status === 405 || status === 406 || status === 415)
    return makeProblem('not-mcp', `Not an MCP endpoint (HTTP ${status}).`, more)
  if (status !== undefined && status >= 500)
    return makeProblem('server', `The server failed (HTTP ${status})${because}.`, more)
  return makeProblem('protocol', `The server returned HTTP ${status ?? '?'}${because}.`, more)
}

function fromSdkError(error: SdkError): ConnectionProblem {
  const { code, message, cause } = error
  if (code === SdkErrorCode.RequestTimeout) {
    const isCancelled = isAbort(cause) || /abort/i.test(message)
    return isCancelled ? CANCELLED : TIMED_OUT
  }
  if (code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.NotConnected) return CLOSED
  if (code === SdkErrorCode.ClientHttpUnexpectedContent)
    return makeProblem('not-mcp', `Not an MCP endpoint: ${message}.`)
  return cause === undefined ? fromUnknown(error) : problemOf(cause)
}

function fromOther(error: unknown): ConnectionProblem {
  if (isAbort(error)) return CANCELLED
  // fetch throws a TypeError if there was no response, without the reason.
  if (error instanceof TypeError && /fetch|network/i.test(error.message))
    return makeProblem('unreachable', 'The server could not be reached.')
  if (error instanceof SyntaxError || isIssues(error))
    return makeProblem('not-mcp', 'The response is not a valid MCP message.')
  if (error instanceof Error && error.cause !== undefined) return problemOf(error.cause)
  return fromUnknown(error)
}

function fromUnknown(error: unknown): ConnectionProblem {
  return makeProblem('unknown', error instanceof Error ? error.message : String(error))
}

const isAbort = (error: unknown) =>
  error instanceof DOMException && (error.name === 'AbortError' || error.name === 'TimeoutError')

/** A schema validation error of what the server sent. */
const isIssues = (error: unknown) => error instanceof Error && /^(\$?Zod)/.test(error.name)

/** Characters of an HTTP error’s message that are shown. */
const MAX_DETAIL = 300

/** Reads the body of an HTTP error: its message, and the code if it is a JSON-RPC error. */
function readBody(body: unknown): { readonly message: string; readonly code: number | null } {
  const isPage = typeof body === 'string' && /^\s*</.test(body)
  if (typeof body !== 'string' || isPage) return { message: '', code: null }
  try {
    const { message: plain, error } = recordOf(JSON.parse(body))
    const { message: nested, code } = recordOf(error)
    const text = typeof plain === 'string' ? plain : nested
    return {
      message: typeof text === 'string' ? cutEnd(text, MAX_DETAIL).replace(/\.$/, '') : '',
      code: typeof code === 'number' ? code : null,
    }
  } catch {
    return { message: cutEnd(body, MAX_DETAIL).trim(), code: null }
  }
}
