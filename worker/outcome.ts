/** What a call comes to, as a `CallToolResult` in plain data. @module */

import { codeOf, detailsOf, sentence, type Problem } from './problem.ts'
import type { Answer, Block } from './tools/tool.ts'

export interface Outcome extends Record<string, unknown> {
  content: Block[]
  structuredContent: Record<string, unknown>
  isError?: true
  _meta?: Record<string, unknown>
}

export function answered({ text, structured, blocks }: Answer): Outcome {
  return { content: blocks ?? [{ type: 'text', text }], structuredContent: structured }
}

export function failed(problem: Problem): Outcome {
  return {
    isError: true,
    content: [{ type: 'text', text: sentence(problem) }],
    structuredContent: { code: codeOf(problem), ...detailsOf(problem) },
    ...(problem.reason === 'outside_root' &&
      problem.requested && { _meta: { requested_scopes: problem.requested } }),
  }
}
