/**
 * Handles the MCP error that asks the user to visit pages before a call: the older form of a URL
 * elicitation. Each page is asked about like an elicitation. The user repeats the call, as only
 * they know when they are done.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { ConnectionError } from '../../mcp/errors.ts'
import type { Elicitation } from '../../mcp/types.ts'
import { askServerQuestion } from './queue.ts'
import { textIn } from '../ui/storage.ts'

/** The MCP error code for required URL elicitations. */
const URL_ELICITATION_REQUIRED = -32042

/** Most pages of one error; further ones are ignored. */
const MAX_PAGES = 3

/**
 * Asks about the pages that an error names.
 *
 * @returns The error to throw: advice to repeat the call if the user opened all pages, else the
 *   original.
 */
export async function visitPages(
  error: unknown,
  server: string,
  signal: AbortSignal,
): Promise<unknown> {
  const pages = readPages(error)
  if (pages.length === 0) return error
  for (const page of pages) {
    const { action } = await askServerQuestion(page, server, signal)
    if (action !== 'accept') return error
  }
  return new Error('Complete the page in the other tab, then run the tool again')
}

function readPages(error: unknown): Elicitation[] {
  if (!(error instanceof ConnectionError) || error.problem.code !== URL_ELICITATION_REQUIRED)
    return []
  const { data } = error.problem
  const list = isRecord(data) ? data['elicitations'] : null
  return Array.isArray(list) ? list.slice(0, MAX_PAGES).flatMap(readPage) : []
}

function readPage(value: unknown): Elicitation[] {
  const url = textIn(value, 'url')
  const message = textIn(value, 'message') ?? ''
  return url === null ? [] : [{ mode: 'url', message, schema: null, url, app: null }]
}
