/**
 * Fetches JSON from this server's HTTP API; failures are thrown as errors with a message for the
 * user.
 *
 * @module
 */

import { fetchHere } from './person.ts'
import { textIn } from './storage.ts'
import { AnswerError } from './words.ts'

/**
 * Fetches JSON from this server.
 *
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 */
export async function jsonHere(url: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetchHere(url, signal ? { signal } : {})
  if (!answer.ok) throw await refusalOf(answer)
  const body: unknown = await answer.json().catch(() => null)
  if (body !== null) return body
  throw new AnswerError('The server answered something that cannot be read', answer.status)
}

/** Reads the server's message from a refused request. */
export async function refusalOf(answer: Response): Promise<AnswerError> {
  const said = textIn(await answer.json().catch(() => null), 'message')
  return new AnswerError(said ?? `The server answered HTTP ${answer.status}`, answer.status)
}
