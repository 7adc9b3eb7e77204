/**
 * Differences within lines: finds which deleted line became which inserted line, and which parts differ.
 *
 * The marker takes each run of deleted and inserted lines. Lines that differ in white space only are paired
 * first, in order, so that each line of a re-indented block has its pair. Between those, the pairs with most
 * text in common are chosen, without crossing. Paired lines are divided into words, runs of white space and
 * single characters, and these pieces are aligned like lines.
 *
 * All work is bounded: by {@link MAX_COMPARED} for one difference, by {@link MAX_TABLE_CELLS} for one block
 * (a larger block, or one with very long lines, is paired line by line from its top), and by
 * {@link MAX_LINE_LENGTH} for one line (of a longer one, only the common start and end are found). Lines
 * beyond a bound have no marks. A mark never splits a surrogate pair. `test/core/diff/cases.test.ts` covers
 * this.
 *
 * @module
 */

import type { DiffLine } from './hunks.ts'
import { align } from './myers.ts'

/** Budget of one difference, in UTF-16 code units of replaced lines. */
export const MAX_COMPARED = 2 ** 20

/** Cost of a line in addition to its text. */
const PER_LINE = 16

/** Adds `spans` to lines that have a partner, by replacing them in both arrays. */
export type Marker = (deleted: DiffLine[], inserted: DiffLine[]) => void

/** Creates a marker for one difference, which shares the budget among all its runs. */
export function createMarker(budget = MAX_COMPARED): Marker {
  let left = budget
  return (deleted, inserted) => {
    if (deleted.length === 0 || inserted.length === 0 || left <= 0) return
    const cost = costOf(deleted) + costOf(inserted)
    const share = Math.min(1, left / cost)
    left -= cost
    markPairs(deleted, inserted, share)
  }
}

function costOf(lines: readonly DiffLine[]): number {
  // Only the two ends of a longer line are compared, which is cheap.
  return lines.reduce((sum, { text }) => sum + Math.min(text.length, MAX_LINE_LENGTH) + PER_LINE, 0)
}

/** Marks paired lines. With a `share` below 1, only that share of each side, from the top. */
function markPairs(deleted: DiffLine[], inserted: DiffLine[], share: number): void {
  const texts = (lines: readonly DiffLine[]) =>
    lines.slice(0, Math.floor(lines.length * share)).map((line) => line.text)
  for (const [i, j] of pairLines(texts(deleted), texts(inserted))) {
    const old = deleted[i]
    const next = inserted[j]
    if (!old || !next) continue
    const spans = changedSpans(old.text, next.text)
    deleted[i] = { ...old, spans: spans.old }
    inserted[j] = { ...next, spans: spans.new }
  }
}

/** Indexes in the two lists of lines. */
type Pair = readonly [deleted: number, inserted: number]

/** Maximum number of cells of the table that compares the lines of one block, each with each. */
const MAX_TABLE_CELLS = 512

/** Limit of {@link align} for the lines of one run. */
const LINE_STEPS = 2 ** 18

/** Minimum share of text, from 0 to 1, that paired lines have in common. */
const MIN_LIKENESS = 0.5

/** Pairs the lines of one run, in order and without crossing. */
function pairLines(deleted: readonly string[], inserted: readonly string[]): Pair[] {
  if (deleted.length === 1 && inserted.length === 1) return pairBlock(deleted, inserted)
  const partners = alignTexts(deleted.map(withoutSpace), inserted.map(withoutSpace), LINE_STEPS)
  const pairs: Pair[] = []
  let from: Pair = [0, 0]
  const next = (to: Pair) => {
    const block = pairBlock(deleted.slice(from[0], to[0]), inserted.slice(from[1], to[1]))
    for (const [i, j] of block) pairs.push([from[0] + i, from[1] + j])
  }
  for (const [i, j] of partners.entries()) {
    if (j === -1) continue
    next([i, j])
    if (deleted[i]?.trim() !== '') pairs.push([i, j])
    from = [i + 1, j + 1]
  }
  next([deleted.length, inserted.length])
  return pairs
}

function withoutSpace(line: string): string {
  return line.replace(/\s+/g, '')
}

function pairBlock(deleted: readonly string[], inserted: readonly string[]): Pair[] {
  if (deleted.length === 0 || inserted.length === 0) return []
  const old = deleted.map(contentOf)
  const next = inserted.map(contentOf)
  const small = old.length * next.length <= MAX_TABLE_CELLS && ![...old, ...next].some(isLong)
  return small && old.length + next.length > 2 ? pairBest(old, next) : pairInOrder(old, next)
}

function pairInOrder(old: readonly Content[], next: readonly Content[]): Pair[] {
  return old
    .slice(0, next.length)
    .map((content, at): Pair | null =>
      likeness(content, next[at]) >= MIN_LIKENESS ? [at, at] : null,
    )
    .filter((pair) => pair !== null)
}

/** Finds the non-crossing pairs with most in common, by dynamic programming. */
function pairBest(old: readonly Content[], next: readonly Content[]): Pair[] {
  const width = next.length + 1
  const best = new Float64Array((old.length + 1) * width)
  const at = (i: number, j: number) => best[i * width + j] ?? 0
  const likenesses = old.map((content) => next.map((other) => likeness(content, other)))
  const gain = (i: number, j: number) => {
    const alike = likenesses[i]?.[j] ?? 0
    return alike >= MIN_LIKENESS ? at(i, j) + alike : -1
  }
  for (let i = 0; i < old.length; i++)
    for (let j = 0; j < next.length; j++)
      best[(i + 1) * width + j + 1] = Math.max(at(i, j + 1), at(i + 1, j), gain(i, j))

  const pairs: Pair[] = []
  let [i, j] = [old.length, next.length]
  while (i > 0 && j > 0) {
    // Of equally good pairs, the first.
    if (at(i - 1, j) === at(i, j)) i--
    else if (at(i, j - 1) === at(i, j)) j--
    else pairs.push([--i, --j])
  }
  return pairs.reverse()
}

/** A line with the weights of its words and other characters; `weights` is null for a long line. */
interface Content {
  readonly line: string
  readonly weights: ReadonlyMap<string, number> | null
  readonly weight: number
}

function contentOf(line: string): Content {
  if (line.length > MAX_LINE_LENGTH) return { line, weights: null, weight: line.length }
  const weights = new Map<string, number>()
  let weight = 0
  for (const piece of piecesOf(line)) {
    if (piece.trim() === '') continue
    weights.set(piece, (weights.get(piece) ?? 0) + piece.length)
    weight += piece.length
  }
  return { line, weights, weight }
}

function isLong({ weights }: Content): boolean {
  return weights === null
}

/** Computes a similarity from 0, nothing in common, to 1, the same words in any order. */
function likeness(one: Content, other: Content | undefined): number {
  if (!other || one.weight === 0 || other.weight === 0) return 0
  // The lines share at most the whole shorter line.
  const all = one.weight + other.weight
  if ((2 * Math.min(one.weight, other.weight)) / all < MIN_LIKENESS) return 0
  return (2 * sharedWeight(one, other)) / all
}

function sharedWeight(one: Content, other: Content): number {
  if (!one.weights || !other.weights) {
    const { start, end } = commonEnds(one.line, other.line)
    return start + end
  }
  let shared = 0
  for (const [piece, weight] of one.weights)
    shared += Math.min(weight, other.weights.get(piece) ?? 0)
  return shared
}

/** A range of UTF-16 code units, half-open. */
export type Span = readonly [from: number, to: number]

/** The changed ranges of two lines. */
export interface Spans {
  readonly old: readonly Span[]
  readonly new: readonly Span[]
}

/** Maximum length, in UTF-16 code units, of a line that is compared word by word. */
export const MAX_LINE_LENGTH = 1_000

/** Limit of {@link align} for the words of two lines: enough for about 100 changed words. */
const WORD_STEPS = 2 ** 15

// A pattern cannot find words in scripts that are written without spaces.
const PIECE =
  /(?:(?![\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+|\s+|./gsu

const ASCII_PIECE = /\w+|\s+|./gs

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/** Splits a line into words, runs of white space and single characters. Joined, they are the line. */
export function piecesOf(line: string): readonly string[] {
  return line.match(ASCII.test(line) ? ASCII_PIECE : PIECE) ?? []
}

/** Returns the ranges to mark in each of two lines. */
export function changedSpans(old: string, next: string): Spans {
  if (old.length > MAX_LINE_LENGTH || next.length > MAX_LINE_LENGTH) return outerSpans(old, next)
  const oldPieces = piecesOf(old)
  const newPieces = piecesOf(next)
  const partners = alignTexts(oldPieces, newPieces, WORD_STEPS)
  const stays = new Set(partners)
  return {
    old: spansOf(oldPieces, (index) => partners[index] !== -1),
    new: spansOf(newPieces, (index) => stays.has(index)),
  }
}

/** Returns the lengths, in UTF-16 code units, of the common start and end of two lines, without overlap. */
function commonEnds(old: string, next: string): { start: number; end: number } {
  const shortest = Math.min(old.length, next.length)
  let start = 0
  while (start < shortest && old.charCodeAt(start) === next.charCodeAt(start)) start++
  if (cutsCharacter(old, start) || cutsCharacter(next, start)) start--
  let end = 0
  const oldLast = old.length - 1
  const newLast = next.length - 1
  while (end < shortest - start && old.charCodeAt(oldLast - end) === next.charCodeAt(newLast - end))
    end++
  if (cutsCharacter(old, old.length - end) || cutsCharacter(next, next.length - end)) end--
  return { start, end }
}

/** Aligns texts as `align` does numbers. */
function alignTexts(old: readonly string[], next: readonly string[], steps: number): Int32Array {
  const numbers = new Map<string, number>()
  const number = (text: string) => {
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  }
  return align(Int32Array.from(old, number), Int32Array.from(next, number), steps)
}

function outerSpans(old: string, next: string): Spans {
  const { start, end } = commonEnds(old, next)
  const between = (line: string): Span[] =>
    start < line.length - end ? [[start, line.length - end]] : []
  return { old: between(old), new: between(next) }
}

/** Joins adjacent changed pieces, also across pieces of white space. */
function spansOf(pieces: readonly string[], stays: (index: number) => boolean): Span[] {
  const spans: Span[] = []
  let at = 0
  let open = false
  for (const [index, piece] of pieces.entries()) {
    const end = at + piece.length
    if (!stays(index)) {
      const last = open ? spans.pop() : undefined
      spans.push([last?.[0] ?? at, end])
      open = true
    } else if (piece.trim() !== '') open = false
    at = end
  }
  return spans
}

/** Whether an index lies between the two halves of a surrogate pair. */
export function cutsCharacter(text: string, at: number): boolean {
  return at > 0 && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
