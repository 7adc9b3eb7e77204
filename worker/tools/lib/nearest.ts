/**
 * The lines most similar to a text that was not found, so that an agent sees what it got wrong. Similarity is
 * the share of letter pairs that two lines have in common, which tolerates indentation and small errors. The
 * number of letters compared is limited.
 *
 * @module
 */

import type { NumberedLine } from '../../errors/problem.ts'
import { shorten } from './lines.ts'
import {
  MAX_COMPARED_LENGTH,
  MAX_COMPARED_LETTERS,
  MAX_COMPARED_LINES,
  MAX_SIMILAR_LINE_BYTES,
  MAX_SIMILAR_LINES,
} from './limits.ts'

/** Similarity, 0 to 1, from which a line is shown. */
const SIMILAR = 0.4

/** Finds up to three lines similar to the first line of `find` that has more than two characters. */
export function nearestLines(text: string, find: string): NumberedLine[] {
  const wanted = find.split('\n').find((line) => line.trim().length > 2)
  if (wanted === undefined) return []
  const pairs = pairsOf(wanted)
  return linesToCompare(text)
    .map((line, index) => ({ line: index + 1, text: line, likeness: likeness(pairs, line) }))
    .filter((near) => near.likeness >= SIMILAR)
    .sort((a, b) => b.likeness - a.likeness || a.line - b.line)
    .slice(0, MAX_SIMILAR_LINES)
    .map((near) => ({ line: near.line, text: shorten(near.text, MAX_SIMILAR_LINE_BYTES) }))
}

function linesToCompare(text: string): string[] {
  const lines = text.split('\n', MAX_COMPARED_LINES)
  let left = MAX_COMPARED_LETTERS
  const end = lines.findIndex((line) => (left -= Math.min(line.length, MAX_COMPARED_LENGTH)) < 0)
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
  const letters = line.slice(0, MAX_COMPARED_LENGTH).toLowerCase().replace(/\s+/g, '')
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < letters.length; at++) pairs.add(letters.slice(at, at + 2))
  return pairs
}
