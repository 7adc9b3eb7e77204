/**
 * Few changes: the forward search of Myers on the lines themselves.
 *
 * Most edits change little in a long file. Then comparing lines is cheaper than numbering all of them, and
 * the reached points are few enough to store, so the script is read backwards from them. With more than
 * {@link MOST_CHANGES} changed lines, or after too many comparisons, the result is null and `align.ts`
 * takes over.
 *
 * @module
 */

/** Maximum number of deleted and inserted lines that this search finds. */
export const MOST_CHANGES = 200

/** Comparisons per line before the search gives up. */
const STEPS_PER_LINE = 4

/** Returns for each line of `old` its index in `next`, or -1; null if too many lines were changed. */
export function alignFew(
  old: readonly string[],
  next: readonly string[],
  most = (old.length + next.length) * STEPS_PER_LINE + MOST_CHANGES ** 2,
): Int32Array | null {
  const rounds: Int32Array[] = []
  const reached = new Int32Array(2 * ZERO + 1)
  let steps = 0
  for (let edits = 0; edits <= MOST_CHANGES && steps <= most; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const from = startOf(reached, k, edits)
      let x = from
      let y = x - k
      while (x < old.length && y < next.length && old[x] === next[y]) {
        x++
        y++
      }
      steps += x - from + 1
      reached[ZERO + k] = x
      if (x >= old.length && y >= next.length) return readBack(rounds, old.length, next.length)
    }
    rounds.push(reached.slice())
  }
  return null
}

/** The array index of diagonal 0; the array has one spare element on either side. */
const ZERO = MOST_CHANGES + 1

/** Returns the line of `old` at which diagonal `k` starts after one more edit. */
function startOf(reached: Int32Array, k: number, edits: number): number {
  if (edits === 0) return 0
  const above = reached[ZERO + k + 1] ?? 0
  return insertsFirst(reached, k, edits) ? above : (reached[ZERO + k - 1] ?? 0) + 1
}

function insertsFirst(reached: Int32Array, k: number, edits: number): boolean {
  if (k === -edits || k === edits) return k === -edits
  return (reached[ZERO + k - 1] ?? 0) < (reached[ZERO + k + 1] ?? 0)
}

function readBack(rounds: readonly Int32Array[], oldLength: number, newLength: number): Int32Array {
  const partners = new Int32Array(oldLength).fill(-1)
  let x = oldLength
  let y = newLength
  for (const [before, reached] of [...rounds.entries()].reverse()) {
    const k = x - y
    const start = startOf(reached, k, before + 1)
    while (x > start) partners[--x] = --y
    if (insertsFirst(reached, k, before + 1)) y--
    else x--
  }
  while (x > 0) partners[--x] = --y
  return partners
}
