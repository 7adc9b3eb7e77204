/**
 * Any failure in words: one sentence on what happened, one on what can be done, and the code that a
 * search engine knows.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { errorDetails, textForPerson } from '#core/wire.ts'
import { ConnectionError, problemOf } from '../../connection/problem.ts'
import type { CallToolResult } from '../../connection/types.ts'
import { textIn } from './storage.ts'

export interface Words {
  readonly message: string
  readonly advice: string
  readonly code: string | null
}

export function wordsOf(error: unknown): Words {
  // What fetch throws is the browser's own words, and no sentence for a person.
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

/** What can be done, where the failure does not say it itself. */
function adviceOn(status: number | null, message: string): string {
  if (status === null || /try again/i.test(message)) return ''
  if (status === 429) return 'Wait a little, then try again.'
  return status >= 500 ? 'Try again in a moment.' : ''
}

/** What this server answered beside MCP, where it is not what was asked for. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** A tool's own error as something to throw. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string | null
  constructor(result: CallToolResult) {
    const code = textIn(errorDetails(result.meta, result.structuredContent), 'code')
    super(textForPerson(textOf(result), code) || 'The tool answered an error without words')
    this.code = code
  }
}

export function textOf({ content }: CallToolResult): string {
  return content
    .map((block) => (block.type === 'text' ? textIn(block, 'text') : null))
    .filter((text) => text !== null)
    .join('\n')
}
