/**
 * Alignment: finds which items of one sequence stay, and where they are in the other.
 *
 * This is the linear-space algorithm of Myers ("An O(ND) Difference Algorithm and Its Variations"): two
 * searches, one from either end, meet in the middle of a shortest edit script, and each half is a smaller
 * task of the same kind. All work is counted in steps. A search may use half of the remaining steps. If it
 * finds nothing, the task is divided at items that occur once on both sides ({@link findAnchors}); without
 * such items, or without steps, nothing is aligned. So the result is minimal wherever the steps suffice,
 * is the same on every machine, and takes bounded time for any input. `test/core/diff-align.test.ts` tests
 * this.
 *
 * @module
 */

import { findAnchors, type Task } from './anchors.ts'

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
    this.#makeRoom()
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

  #makeRoom(): void {
    const diagonals = this.#old.length + this.#next.length + 3
    if (this.#fromStart.length > 0) return
    this.#fromStart = new Int32Array(diagonals)
    this.#fromEnd = new Int32Array(diagonals)
  }
}
