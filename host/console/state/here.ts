/**
 * What this very server answers beside MCP, as JSON; anything else is thrown, in words.
 *
 * @module
 */

import { fetchHere } from './person.ts'
import { textIn } from './storage.ts'
import { AnswerError } from './words.ts'

export async function jsonHere(url: string, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetchHere(url, signal ? { signal } : {})
  if (!answer.ok) throw await refusalOf(answer)
  const body: unknown = await answer.json().catch(() => null)
  if (body !== null) return body
  throw new AnswerError('The server answered something that cannot be read', answer.status)
}

/** Why it was refused, as the server says it. */
export async function refusalOf(answer: Response): Promise<AnswerError> {
  const said = textIn(await answer.json().catch(() => null), 'message')
  return new AnswerError(said ?? `The server answered HTTP ${answer.status}`, answer.status)
}
