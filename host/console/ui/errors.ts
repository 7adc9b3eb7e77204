/**
 * Describes any failure for the user: one sentence on what happened, one on what can be done, and a
 * code to search for.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { errorDetails, textForPerson } from '#core/wire.ts'
import { ConnectionError, problemOf } from '../../mcp/errors.ts'
import type { CallToolResult } from '../../mcp/types.ts'
import { textIn } from './storage.ts'

/** A failure in words. */
export interface ErrorDescription {
  /** What happened. */
  readonly message: string
  /** What the user can do; empty if there is nothing. */
  readonly advice: string
  readonly code: string | null
}

/** Describes any thrown value. */
export function describeError(error: unknown): ErrorDescription {
  // fetch throws a TypeError with the browser's own message, which is not meant for users.
  const read = error instanceof TypeError ? new ConnectionError(problemOf(error)) : error
  if (read instanceof ConnectionError) {
    const { message, advice, code, status } = read.problem
    const shown = String(status ?? code ?? '')
    return {
      message,
      advice: advice || getAdvice(status, message),
      code: shown === '' || message.includes(shown) ? null : shown,
    }
  }
  if (isRecord(read) && typeof read['message'] === 'string') {
    const { message, status } = read
    const advice = getAdvice(typeof status === 'number' ? status : null, message)
    return { message, advice, code: textIn(read, 'code') }
  }
  return { message: 'Unexpected error', advice: 'Reload the page.', code: null }
}

/** Returns advice by HTTP status, if the message contains none. */
function getAdvice(status: number | null, message: string): string {
  if (status === null || /try again/i.test(message)) return ''
  if (status === 429) return 'Wait a little, then try again.'
  return status >= 500 ? 'Try again in a moment.' : ''
}

/** What is wrong with one field of what was sent. */
export interface FieldProblem {
  readonly message: string
  /** JSON Pointer, such as `/roots/0/path`; empty for the whole document. */
  readonly pointer: string
}

/** Further facts of a refusal. */
interface Refusal {
  readonly code?: string | null
  readonly fields?: readonly FieldProblem[]
}

/** An unexpected or refused response of this server's HTTP API. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number
  readonly code: string | null
  /** The invalid fields; empty if the problem is another one. */
  readonly fields: readonly FieldProblem[]
  constructor(message: string, status: number, { code = null, fields = [] }: Refusal = {}) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** An error that a tool reported in its result. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string | null
  constructor(result: CallToolResult) {
    const code = textIn(errorDetails(result.meta, result.structuredContent), 'code')
    super(
      textForPerson(joinTextBlocks(result), code) || 'The tool returned an error without a message',
    )
    this.code = code
  }
}

/** Joins the text blocks of a result, one per line. */
function joinTextBlocks({ content }: CallToolResult): string {
  return content
    .map((block) => (block.type === 'text' ? textIn(block, 'text') : null))
    .filter((text) => text !== null)
    .join('\n')
}
