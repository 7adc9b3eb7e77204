/**
 * Describes any failure for the user: one sentence on what happened, one on what can be done, and a
 * code to search for.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { errorDetails, textForPerson } from '#core/wire.ts'
import { ConnectionError, problemOf } from '../../connection/problem.ts'
import type { CallToolResult } from '../../connection/types.ts'
import { textIn } from './storage.ts'

/** A failure in words. */
export interface Words {
  /** What happened. */
  readonly message: string
  /** What the user can do; empty if there is nothing. */
  readonly advice: string
  readonly code: string | null
}

/** Describes any thrown value. */
export function wordsOf(error: unknown): Words {
  // fetch throws a TypeError with the browser's own message, which is not meant for users.
  const read = error instanceof TypeError ? new ConnectionError(problemOf(error)) : error
  if (read instanceof ConnectionError) {
    const { message, advice, code, status } = read.problem
    const shown = String(code ?? status ?? '')
    return {
      message,
      advice: advice || adviceOn(status, message),
      code: shown === '' || message.includes(shown) ? null : shown,
    }
  }
  if (isRecord(read) && typeof read['message'] === 'string') {
    const { message, status } = read
    const advice = adviceOn(typeof status === 'number' ? status : null, message)
    return { message, advice, code: textIn(read, 'code') }
  }
  return { message: 'Something went wrong here', advice: 'Reload the page.', code: null }
}

/** Returns advice by HTTP status, if the message contains none. */
function adviceOn(status: number | null, message: string): string {
  if (status === null || /try again/i.test(message)) return ''
  if (status === 429) return 'Wait a little, then try again.'
  return status >= 500 ? 'Try again in a moment.' : ''
}

/** An unexpected or refused response of this server's HTTP API. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** An error that a tool reported in its result. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string | null
  constructor(result: CallToolResult) {
    const code = textIn(errorDetails(result.meta, result.structuredContent), 'code')
    super(textForPerson(textOf(result), code) || 'The tool answered an error without words')
    this.code = code
  }
}

/** Joins the text blocks of a result, one per line. */
export function textOf({ content }: CallToolResult): string {
  return content
    .map((block) => (block.type === 'text' ? textIn(block, 'text') : null))
    .filter((text) => text !== null)
    .join('\n')
}
