/**
 * Pages to visit before a call can be made: the older way in which a server asks for that is an error.
 * Each is asked about like any question of the server; the call is for the person to make again, who
 * alone knows when they are done there.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { ConnectionError } from '../../connection/problem.ts'
import type { Elicitation } from '../../connection/types.ts'
import { askServerQuestion } from './questions.ts'
import { textIn } from './storage.ts'

/** The code of the error by which MCP says so. */
const URL_FIRST = -32042

/** Pages that are asked about; a server that wants more is refused the rest. */
const MOST = 3

/** Asks about the pages that an error names, and answers the error to go on with. */
export async function visitedFirst(
  error: unknown,
  server: string,
  signal: AbortSignal,
): Promise<unknown> {
  const pages = pagesIn(error)
  if (pages.length === 0) return error
  for (const page of pages) {
    const { action } = await askServerQuestion(page, server, signal)
    if (action !== 'accept') return error
  }
  return new Error('Finish what the page asks of you in its own tab, then run this again')
}

function pagesIn(error: unknown): Elicitation[] {
  if (!(error instanceof ConnectionError) || error.problem.code !== URL_FIRST) return []
  const { data } = error.problem
  const list = isRecord(data) ? data['elicitations'] : null
  return Array.isArray(list) ? list.slice(0, MOST).flatMap(pageIn) : []
}

function pageIn(value: unknown): Elicitation[] {
  const url = textIn(value, 'url')
  const message = textIn(value, 'message') ?? ''
  return url === null ? [] : [{ mode: 'url', message, schema: null, url }]
}
