/**
 * Explains why a text was not found: it looks like one that is there, or which lines are most similar.
 *
 * `test/worker/tools/mismatch.test.ts` has the cases.
 *
 * @module
 */

import type { Problem } from '../../errors/problem.ts'
import { createFinder } from '../../search/find-text.ts'
import type { Meter } from '../../search/meter.ts'
import { countNewlines } from '../../texts/endings.ts'
import { compareLookalikes, fold, pointsOf } from '../../texts/lookalike.ts'
import {
  MAX_COMPARED_LETTERS,
  MAX_NAMED_DIFFERENCES,
  MAX_SIMILAR_LINE_BYTES,
  MAX_SPAN_LINES,
} from './limits.ts'
import { nearestLines } from './nearest.ts'
import { shorten } from './lines.ts'

type NotFound = Extract<Problem, { reason: 'find_not_found' }>

/** What a text has that looks like one that was sent. */
type Lookalike = NonNullable<NotFound['lookalike']>

/** Letters of a file that is looked through for what looks the same: it takes longer than a search. */
const MAX_FOLDED_LETTERS = MAX_COMPARED_LETTERS / 4

/** Numbers of lines, as `read_file` shows them, at the beginning of each line. */
const NUMBERED = /^[ \t]*\d+[:\t|→-]/

/** Explains why a text with `\n` at the end of each line does not have another one. */
export function explainMismatch(text: string, find: string, edit: number, meter: Meter): NotFound {
  const lines = find.split('\n').filter((line) => line.trim() !== '')
  const isNumbered = lines.length > 0 && lines.every((line) => NUMBERED.test(line))
  const lookalike = findLookalike(text, find, meter) ?? findAtEnds(text, find)
  const nearest = lookalike ? spanFrom(text, lookalike.line, find) : nearestSpan(text, find)
  return {
    reason: 'find_not_found',
    find,
    edit,
    nearest,
    ...(isNumbered && { isNumbered: true as const }),
    ...(lookalike && { lookalike }),
  }
}

/** Finds the only part of a text that looks the same; null if there is none, or more than one. */
function findLookalike(text: string, find: string, meter: Meter): Lookalike | null {
  if (text.length > MAX_FOLDED_LETTERS) return null
  const [there, wanted] = [fold(text), fold(find).text.replace(/ $/, '')]
  if (wanted.trim() === '') return null
  const findIn = createFinder(wanted)
  const at = findIn(there.text, 0, meter)
  if (at === -1 || findIn(there.text, at + 1, meter) !== -1) return null
  const exact = text.slice(there.starts[at], there.starts[at + wanted.length])
  const line = countNewlines(text.slice(0, there.starts[at])) + 1
  const differences = compareLookalikes(exact, find, line, MAX_NAMED_DIFFERENCES)
  return { line, exact, differences }
}

/** Finds a text without the line breaks that it has before the first or after the last line; null if they are none. */
function findAtEnds(text: string, find: string): Lookalike | null {
  const before = Math.max(0, countBreaks(find, 1) - countBreaks(text, 1))
  const after = Math.max(0, countBreaks(find, -1) - countBreaks(text, -1))
  const exact = find.slice(before, find.length - after)
  if (before + after === 0 || exact.trim() === '') return null
  if (before > 0 && !text.startsWith(exact)) return null
  if (after > 0 && !text.endsWith(exact)) return null
  const line = before > 0 ? 1 : countNewlines(text.slice(0, text.length - exact.length)) + 1
  const end = text.slice(text.lastIndexOf('\n') + 1)
  const differences = [
    { line: 1, column: 1, found: '', sent: pointsOf('\n'.repeat(before)) },
    {
      line: countNewlines(text) + 1,
      column: Array.from(end).length + 1,
      found: '',
      sent: pointsOf('\n'.repeat(after)),
    },
  ].filter(({ sent }) => sent !== '')
  return { line, exact, differences }
}

/** Counts the line breaks at the beginning of a text (1) or at its end (-1). */
function countBreaks(text: string, step: 1 | -1): number {
  let count = 0
  while (text.at(step === 1 ? count : -1 - count) === '\n') count++
  return count
}

/** The lines most similar to a text; where that has several, those around the most similar one. */
function nearestSpan(text: string, find: string): NotFound['nearest'] {
  const nearest = nearestLines(text, find)
  const [best] = nearest
  if (!best || !find.trimEnd().includes('\n')) return nearest
  const before = find.split('\n').findIndex((line) => line.trim().length > 2)
  return spanFrom(text, Math.max(1, best.line - before), find)
}

/** As many lines as a text has, from a line on. */
function spanFrom(text: string, line: number, find: string): NotFound['nearest'] {
  const count = Math.min(countNewlines(find.replace(/\n$/, '')) + 1, MAX_SPAN_LINES)
  return text
    .split('\n', line - 1 + count)
    .slice(line - 1)
    .map((one, index) => ({ line: line + index, text: shorten(one, MAX_SIMILAR_LINE_BYTES) }))
}
