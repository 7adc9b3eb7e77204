/**
 * Pairs: finds which deleted line became which inserted line.
 *
 * Lines that differ in white space only are paired first, in order, so that each line of a re-indented
 * block has its pair. Between those, the pairs with most text in common are chosen, without crossing. Both
 * steps are bounded: the first by `align`, the second by a table of {@link LARGEST_TABLE} cells; a larger
 * block, or one with very long lines, is paired line by line from its top.
 *
 * @module
 */

import { alignTexts, commonEnds, LONGEST_LINE, piecesOf } from './words.ts'

/** Indexes in the two lists of lines. */
export type Pair = readonly [deleted: number, inserted: number]

/** Maximum number of cells of the table that compares the lines of one block, each with each. */
export const LARGEST_TABLE = 512

/** Steps for the lines of one run, see align.ts. */
const LINE_STEPS = 2 ** 18

/** Minimum share of text, from 0 to 1, that paired lines have in common. */
const ENOUGH = 0.5

/** Pairs the lines of one run, in order and without crossing. */
export function pairLines(deleted: readonly string[], inserted: readonly string[]): Pair[] {
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
  const small = old.length * next.length <= LARGEST_TABLE && ![...old, ...next].some(isLong)
  return small && old.length + next.length > 2 ? pairBest(old, next) : pairInOrder(old, next)
}

function pairInOrder(old: readonly Content[], next: readonly Content[]): Pair[] {
  return old
    .slice(0, next.length)
    .map((content, at): Pair | null => (likeness(content, next[at]) >= ENOUGH ? [at, at] : null))
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
    return alike >= ENOUGH ? at(i, j) + alike : -1
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
  if (line.length > LONGEST_LINE) return { line, weights: null, weight: line.length }
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
  if ((2 * Math.min(one.weight, other.weight)) / all < ENOUGH) return 0
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
