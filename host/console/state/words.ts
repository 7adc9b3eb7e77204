/**
 * Any failure in words: one sentence on what happened, one on what can be done, and the code that a
 * search engine knows.
 *
 * @module
 */

import { ConnectionError } from '../../connection/problem.ts'
import type { CallToolResult } from '../../connection/types.ts'
import { isRecord, textIn } from './storage.ts'

export interface Words {
  readonly message: string
  readonly advice: string
  readonly code: string | null
}

export function wordsOf(error: unknown): Words {
  if (error instanceof ConnectionError) {
    const { message, advice, code, status } = error.problem
    const shown = code ?? status
    return { message, advice, code: shown === null ? null : String(shown) }
  }
  if (isRecord(error) && typeof error['message'] === 'string') {
    return { message: error['message'], advice: '', code: textIn(error, 'code') }
  }
  return { message: 'Something went wrong here', advice: 'Reload the page.', code: null }
}

/** A tool's own error as something to throw. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string | null
  constructor(result: CallToolResult) {
    super(textOf(result) || 'The tool answered an error without words')
    this.code = textIn(result.structuredContent, 'code')
  }
}

export function textOf({ content }: CallToolResult): string {
  return content
    .map((block) => (block.type === 'text' ? textIn(block, 'text') : null))
    .filter((text) => text !== null)
    .join('\n')
}
