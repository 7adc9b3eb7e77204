/**
 * The lines most similar to a text that was not found, so that an agent sees what it got wrong. Similarity is
 * the share of letter pairs that two lines have in common, which tolerates indentation and small errors. The
 * number of letters compared is limited.
 *
 * @module
 */

import type { NumberedLine } from '../problem.ts'
import { shorten } from './lines.ts'

const SHOWN = 3
const ENOUGH = 0.4
const LINES_COMPARED = 20_000
const LENGTH_COMPARED = 300
/** Of all lines together: about a tenth of a second, and more than 20,000 lines of source code have. */
const LETTERS_COMPARED = 1_000_000
const LINE_BYTES = 400

/** Finds up to three lines similar to the first line of `find` that has more than two characters. */
export function nearestLines(text: string, find: string): NumberedLine[] {
  const wanted = find.split('\n').find((line) => line.trim().length > 2)
  if (wanted === undefined) return []
  const pairs = pairsOf(wanted)
  return linesToCompare(text)
    .map((line, index) => ({ line: index + 1, text: line, likeness: likeness(pairs, line) }))
    .filter((near) => near.likeness >= ENOUGH)
    .sort((a, b) => b.likeness - a.likeness || a.line - b.line)
    .slice(0, SHOWN)
    .map((near) => ({ line: near.line, text: shorten(near.text, LINE_BYTES) }))
}

function linesToCompare(text: string): string[] {
  const lines = text.split('\n', LINES_COMPARED)
  let left = LETTERS_COMPARED
  const end = lines.findIndex((line) => (left -= Math.min(line.length, LENGTH_COMPARED)) < 0)
  return end === -1 ? lines : lines.slice(0, end)
}

function likeness(wanted: ReadonlySet<string>, line: string): number {
  const pairs = pairsOf(line)
  if (wanted.size + pairs.size === 0) return 0
  let common = 0
  for (const pair of pairs) if (wanted.has(pair)) common++
  return (2 * common) / (wanted.size + pairs.size)
}

function pairsOf(line: string): Set<string> {
  const letters = line.slice(0, LENGTH_COMPARED).toLowerCase().replace(/\s+/g, '')
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2))
  return pairs
}
