/**
 * Requests to this server's HTTP API, and whether the browser is signed in. No script can read the
 * cookie, so the signed-in state is known only from the status of responses.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { recordOf } from '#core/json.ts'
import { AnswerError, type FieldProblem } from '../ui/errors.ts'
import { textIn } from '../ui/storage.ts'

/** Whether the server has returned 401 since the last successful response. */
export const isSignedOut = signal(false)

/** Updates the signed-in state from the status of a response. */
export function noteStatus(status: number | null): void {
  if (status === 401) isSignedOut.value = true
  else if (status !== null && status < 400) isSignedOut.value = false
}

/** Like `fetch`, for requests to this server. A 401 becomes a response with a message for the user. */
export const fetchOwn: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  noteStatus(answer.status)
  return answer.status === 401 ? Response.json(UNAUTHORIZED, { status: 401 }) : answer
}

/** The server's own 401 response is a JSON-RPC error, whatever the path. */
const UNAUTHORIZED = { code: 'UNAUTHORIZED', message: 'Sign in first' } as const

/**
 * Fetches JSON from this server.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 */
export async function getJson(url: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetchOwn(url, signal ? { signal } : {})
  return readAnswer(answer)
}

/**
 * Reads the JSON of a response of this server.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 */
export async function readAnswer(answer: Response): Promise<unknown> {
  if (!answer.ok) throw await readRefusal(answer)
  const body: unknown = await answer.json().catch(() => null)
  if (body !== null) return body
  throw unreadable(answer.status)
}

const unreadable = (status: number) =>
  new AnswerError('The server returned an unreadable response', status)

/** Reads the server's message from a refused request. */
export async function readRefusal(answer: Response): Promise<AnswerError> {
  const body: unknown = await answer.json().catch(() => null)
  const { problems } = recordOf(body)
  const fields = Array.isArray(problems) ? problems.map(readFieldProblem) : []
  const message = textIn(body, 'message') ?? `The server returned HTTP ${answer.status}`
  return new AnswerError(message, answer.status, { code: textIn(body, 'code'), fields })
}

const readFieldProblem = (value: unknown): FieldProblem => ({
  message: textIn(value, 'message') ?? '',
  pointer: textIn(value, 'pointer') ?? '',
})
