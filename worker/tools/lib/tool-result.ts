/**
 * Tool results: a `CallToolResult` as plain data.
 *
 * Hosts show the model either the text or the structured content, so each of them alone holds all that a
 * model needs. An error has no structured content: half of all clients validate it against the tool's
 * `outputSchema` and lose the error. `test/worker/mcp/results.test.ts` has the shapes.
 *
 * @module
 */

import { ERROR_META } from '#core/wire.ts'
import { codeOf, detailsOf, sentence, type Problem } from '../../errors/problem.ts'
import { fitError, shortText } from '../../errors/short.ts'
import { MAX_NEWS_BYTES } from '../../limits.ts'
import { firstFitting } from './first-fitting.ts'
import type { Answer, Block } from './tool.ts'

/** The `CallToolResult` of one call. */
export interface Outcome extends Record<string, unknown> {
  content: Block[]
  structuredContent?: Record<string, unknown>
  isError?: true
  _meta?: Record<string, unknown>
}

/** Builds the result of a call that succeeded. */
export function succeeded({ text, structured, blocks }: Answer): Outcome {
  return {
    content: blocks ?? [{ type: 'text', text }],
    ...(structured && { structuredContent: structured }),
  }
}

/**
 * Adds decisions on the caller's draft and requests to a result: as a block of their own, and as `news` in the
 * structured content, which some hosts show the model alone.
 */
export function appendNews(outcome: Outcome, sentences: readonly string[]): Outcome {
  if (sentences.length === 0) return outcome
  const news = fittingNews(sentences)
  const { content, structuredContent: structured } = outcome
  return {
    ...outcome,
    content: [...content, { type: 'text', text: news.join('\n') }],
    ...(structured && { structuredContent: { ...structured, news } }),
  }
}

/** The sentences that fit an answer. `draft_status` lists what the others say. */
function fittingNews(sentences: readonly string[]): string[] {
  const short = sentences.map((one) => shortText(one, MAX_NEWS_BYTES / 2 - 100))
  const fitting = firstFitting(short, (one) => one, MAX_NEWS_BYTES)
  const left = short.length - fitting.length
  const more = `… and ${left} more ${left === 1 ? 'decision' : 'decisions'}; draft_status lists them.`
  return left === 0 ? [...fitting] : [...fitting, more]
}

/** Builds the tool error of a problem: sentence and code as text, code and details as data in `_meta`. */
export function failed(problem: Problem): Outcome {
  const code = codeOf(problem)
  const requested = problem.reason === 'outside_root' ? problem.requested : null
  const given = { code, ...(requested && { requested_scopes: requested }), ...detailsOf(problem) }
  const { sentence: text, data } = fitError(sentence(problem), given)
  const { requested_scopes: scopes, ...details } = data
  return {
    isError: true,
    content: [{ type: 'text', text: `${text} [${code}]` }],
    _meta: { [ERROR_META]: details, ...(scopes !== undefined && { requested_scopes: scopes }) },
  }
}
