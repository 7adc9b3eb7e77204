/**
 * Anchors: items that occur once on both sides, in the longest order that both sides share.
 *
 * This is the idea of the patience diff. It is not minimal, but takes n log n steps for any input, so it
 * divides tasks that are too large for a minimal search.
 *
 * @module
 */

/** A part of both sequences, half-open. */
export interface Task {
  readonly oldLow: number
  readonly oldHigh: number
  readonly newLow: number
  readonly newHigh: number
}

/** The indexes of one item in both sequences. */
export interface Anchor {
  readonly old: number
  readonly new: number
}

interface Link extends Anchor {
  readonly before: Link | null
}

/** Finds the anchors in a part of two sequences, in order. */
export function findAnchors(old: Int32Array, next: Int32Array, task: Task): Anchor[] {
  const inOld = onlyPlaces(old, task.oldLow, task.oldHigh)
  const inNew = onlyPlaces(next, task.newLow, task.newHigh)
  const common: Anchor[] = []
  for (const [item, place] of inOld) {
    const other = inNew.get(item) ?? MANY
    if (place !== MANY && other !== MANY) common.push({ old: place, new: other })
  }
  return longestRise(common)
}

const MANY = -1

function onlyPlaces(items: Int32Array, low: number, high: number): Map<number, number> {
  const places = new Map<number, number>()
  for (let at = low; at < high; at++) {
    const item = items[at] ?? 0
    places.set(item, places.has(item) ? MANY : at)
  }
  return places
}

/** Returns the longest subsequence, in the order of `old`, whose indexes in `new` increase. */
function longestRise(anchors: readonly Anchor[]): Anchor[] {
  // The end of the best chain of each length. Their indexes in `new` increase with the length.
  const ends: Link[] = []
  for (const anchor of anchors) {
    const at = countBelow(ends, anchor.new)
    ends[at] = { ...anchor, before: ends[at - 1] ?? null }
  }
  const rise: Anchor[] = []
  for (let link = ends.at(-1) ?? null; link; link = link.before) rise.push(link)
  return rise.reverse()
}

function countBelow(ends: readonly Link[], place: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.new ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
