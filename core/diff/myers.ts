/**
 * Alignment: finds which items of one sequence stay, and where they are in the other.
 *
 * Both searches are those of Myers ("An O(ND) Difference Algorithm and Its Variations"), and all work is
 * counted in steps, so the result is the same on every machine.
 *
 * - {@link alignFew} compares the lines themselves. Most edits change little in a long file: then this is
 *   cheaper than numbering all lines, and the reached points are few enough to store. It gives up after
 *   {@link MAX_FEW_CHANGES} changed lines or too many comparisons.
 * - {@link align} compares numbers in linear space: two searches, one from either end, meet in the middle of
 *   a shortest edit script, and each half is a smaller task of the same kind. A search may use half of the
 *   remaining steps. If it finds nothing, the task is divided at anchors ({@link findAnchors}); without
 *   anchors, or without steps, nothing is aligned. So the result is minimal wherever the steps suffice.
 * - {@link findAnchors} finds items that occur once on both sides, in the longest order that both share (the
 *   idea of the patience diff). It is not minimal, but takes n log n steps for any input.
 *
 * `test/core/diff/align.test.ts` tests all three.
 *
 * @module
 */

/** Maximum number of deleted and inserted lines that this search finds. */
export const MAX_FEW_CHANGES = 200

/** Comparisons per line before the search gives up. */
const STEPS_PER_LINE = 4

/** Returns for each line of `old` its index in `next`, or -1; null if too many lines were changed. */
export function alignFew(
  old: readonly string[],
  next: readonly string[],
  maxSteps = (old.length + next.length) * STEPS_PER_LINE + MAX_FEW_CHANGES ** 2,
): Int32Array | null {
  const rounds: Int32Array[] = []
  const reached = new Int32Array(2 * MIDDLE + 1)
  let steps = 0
  for (let edits = 0; edits <= MAX_FEW_CHANGES && steps <= maxSteps; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const from = startOfRound(reached, k, edits)
      let x = from
      let y = x - k
      while (x < old.length && y < next.length && old[x] === next[y]) {
        x++
        y++
      }
      steps += x - from + 1
      reached[MIDDLE + k] = x
      if (x >= old.length && y >= next.length) return readBack(rounds, old.length, next.length)
    }
    rounds.push(reached.slice())
  }
  return null
}

/** The array index of diagonal 0; the array has one spare element on either side. */
const MIDDLE = MAX_FEW_CHANGES + 1

/** Returns the line of `old` at which diagonal `k` starts after one more edit. */
function startOfRound(reached: Int32Array, k: number, edits: number): number {
  if (edits === 0) return 0
  const above = reached[MIDDLE + k + 1] ?? 0
  return insertsFirst(reached, k, edits) ? above : (reached[MIDDLE + k - 1] ?? 0) + 1
}

function insertsFirst(reached: Int32Array, k: number, edits: number): boolean {
  if (k === -edits || k === edits) return k === -edits
  return (reached[MIDDLE + k - 1] ?? 0) < (reached[MIDDLE + k + 1] ?? 0)
}

function readBack(rounds: readonly Int32Array[], oldLength: number, newLength: number): Int32Array {
  const partners = new Int32Array(oldLength).fill(-1)
  let x = oldLength
  let y = newLength
  for (const [before, reached] of [...rounds.entries()].reverse()) {
    const k = x - y
    const start = startOfRound(reached, k, before + 1)
    while (x > start) partners[--x] = --y
    if (insertsFirst(reached, k, before + 1)) y--
    else x--
  }
  while (x > 0) partners[--x] = --y
  return partners
}

/** Maximum number of steps of one alignment, about a tenth of a second. A step visits one item. */
export const MAX_STEPS = 2 ** 25

/** Positions on a diagonal that a search has not reached, from the start and from the end. */
const BEFORE_ALL = -1
const AFTER_ALL = 2 ** 31 - 1

/** Returns for each item of `old` its index in `next`, or -1. The indexes are strictly increasing. */
export function align(old: Int32Array, next: Int32Array, steps = MAX_STEPS): Int32Array {
  const aligner = new Aligner(old, next, steps)
  aligner.run({ oldLow: 0, oldHigh: old.length, newLow: 0, newHigh: next.length })
  return aligner.partners
}

class Aligner {
  readonly partners: Int32Array
  readonly #old: Int32Array
  readonly #next: Int32Array
  #left: number
  /** The furthest point reached on each diagonal, from the start and from the end. */
  #fromStart = new Int32Array(0)
  #fromEnd = new Int32Array(0)

  constructor(old: Int32Array, next: Int32Array, steps: number) {
    this.partners = new Int32Array(old.length).fill(-1)
    this.#old = old
    this.#next = next
    this.#left = steps
  }

  run(whole: Task): void {
    const task = this.#trim(whole)
    const { oldLow, oldHigh, newLow, newHigh } = task
    if (oldLow === oldHigh || newLow === newHigh) return
    const at = this.#middle(task)
    if (!at) return this.#divide(task)
    this.run({ oldLow, oldHigh: at.old, newLow, newHigh: at.new })
    this.run({ oldLow: at.old, oldHigh, newLow: at.new, newHigh })
  }

  /** Aligns the common start and end, and returns the part between them. */
  #trim({ oldLow, oldHigh, newLow, newHigh }: Task): Task {
    const old = this.#old
    const next = this.#next
    while (oldLow < oldHigh && newLow < newHigh && old[oldLow] === next[newLow])
      this.partners[oldLow++] = newLow++
    while (oldLow < oldHigh && newLow < newHigh && old[oldHigh - 1] === next[newHigh - 1])
      this.partners[--oldHigh] = --newHigh
    return { oldLow, oldHigh, newLow, newHigh }
  }

  #divide(task: Task): void {
    const size = task.oldHigh - task.oldLow + task.newHigh - task.newLow
    if (this.#left < size) return
    this.#left -= size
    const anchors = findAnchors(this.#old, this.#next, task)
    if (anchors.length === 0) return

    let { oldLow, newLow } = task
    for (const anchor of anchors) {
      this.partners[anchor.old] = anchor.new
      this.run({ oldLow, oldHigh: anchor.old, newLow, newHigh: anchor.new })
      oldLow = anchor.old + 1
      newLow = anchor.new + 1
    }
    this.run({ oldLow, oldHigh: task.oldHigh, newLow, newHigh: task.newHigh })
  }

  /** Finds a point in the middle of a shortest script, or returns null if that takes too many steps. */
  #middle({ oldLow, oldHigh, newLow, newHigh }: Task): { old: number; new: number } | null {
    this.#allocate()
    const old = this.#old
    const next = this.#next
    const forth = this.#fromStart
    const back = this.#fromEnd
    // Diagonals run from the lowest, all of `next` inserted, to the highest, all of `old` deleted.
    const zero = next.length + 1
    const lowest = zero + oldLow - newHigh
    const highest = zero + oldHigh - newLow
    const start = zero + oldLow - newLow
    const end = zero + oldHigh - newHigh
    const odd = ((start - end) & 1) === 1
    const limit = this.#left >> 1
    let steps = 0
    let [forthLow, forthHigh, backLow, backHigh] = [start, start, end, end]
    forth[start] = oldLow
    back[end] = oldHigh

    while (steps < limit) {
      if (forthLow > lowest) forth[--forthLow - 1] = BEFORE_ALL
      else forthLow++
      if (forthHigh < highest) forth[++forthHigh + 1] = BEFORE_ALL
      else forthHigh--
      for (let k = forthHigh; k >= forthLow && steps < limit; k -= 2) {
        const below = forth[k - 1] ?? 0
        const above = forth[k + 1] ?? 0
        const from = below >= above ? below + 1 : above
        let x = from
        for (let y = x - k + zero; x < oldHigh && y < newHigh && old[x] === next[y]; y++) x++
        forth[k] = x
        steps += x - from + 1
        if (odd && k >= backLow && k <= backHigh && x >= (back[k] ?? 0))
          return this.#found(steps, x, x - k + zero)
      }

      if (backLow > lowest) back[--backLow - 1] = AFTER_ALL
      else backLow++
      if (backHigh < highest) back[++backHigh + 1] = AFTER_ALL
      else backHigh--
      for (let k = backHigh; k >= backLow && steps < limit; k -= 2) {
        const below = back[k - 1] ?? 0
        const above = back[k + 1] ?? 0
        const from = below < above ? below : above - 1
        let x = from
        for (let y = x - k + zero; x > oldLow && y > newLow && old[x - 1] === next[y - 1]; y--) x--
        back[k] = x
        steps += from - x + 1
        if (!odd && k >= forthLow && k <= forthHigh && x <= (forth[k] ?? 0))
          return this.#found(steps, x, x - k + zero)
      }
    }
    this.#left -= steps
    return null
  }

  #found(steps: number, x: number, y: number): { old: number; new: number } {
    this.#left -= steps
    return { old: x, new: y }
  }

  #allocate(): void {
    const diagonals = this.#old.length + this.#next.length + 3
    if (this.#fromStart.length > 0) return
    this.#fromStart = new Int32Array(diagonals)
    this.#fromEnd = new Int32Array(diagonals)
  }
}

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
  const inOld = placesOfUnique(old, task.oldLow, task.oldHigh)
  const inNew = placesOfUnique(next, task.newLow, task.newHigh)
  const common: Anchor[] = []
  for (const [item, place] of inOld) {
    const other = inNew.get(item) ?? MANY
    if (place !== MANY && other !== MANY) common.push({ old: place, new: other })
  }
  return longestIncreasing(common)
}

/** The place of an item that occurs more than once. */
const MANY = -1

function placesOfUnique(items: Int32Array, low: number, high: number): Map<number, number> {
  const places = new Map<number, number>()
  for (let at = low; at < high; at++) {
    const item = items[at] ?? 0
    places.set(item, places.has(item) ? MANY : at)
  }
  return places
}

/** Returns the longest subsequence, in the order of `old`, whose indexes in `new` increase. */
function longestIncreasing(anchors: readonly Anchor[]): Anchor[] {
  // The end of the best chain of each length. Their indexes in `new` increase with the length.
  const ends: Link[] = []
  for (const anchor of anchors) {
    const at = countBefore(ends, anchor.new)
    ends[at] = { ...anchor, before: ends[at - 1] ?? null }
  }
  const found: Anchor[] = []
  for (let link = ends.at(-1) ?? null; link; link = link.before) found.push(link)
  return found.reverse()
}

function countBefore(ends: readonly Link[], place: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle]?.new ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
