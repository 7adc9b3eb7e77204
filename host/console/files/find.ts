/**
 * Finds a text in a field, without regard to case where it has no capital.
 * `test/host/console/files/find.test.ts` has the cases.
 *
 * @module
 */

/** Most places that are counted; no more are found. */
export const MAX_FOUND = 10_000

/** Returns where a text occurs, in order; the first ones if there are many. */
export function findAll(text: string, wanted: string): readonly number[] {
  if (wanted === '') return []
  const isExact = /\p{Lu}/u.test(wanted)
  const [where, what] = isExact ? [text, wanted] : [fold(text), fold(wanted)]
  const found: number[] = []
  for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, at + what.length)) {
    found.push(at)
    if (found.length === MAX_FOUND) break
  }
  return found
}

/** Folds case where that keeps every length, so that places stay what they are. */
const fold = (text: string) => {
  const folded = text.toLowerCase()
  return folded.length === text.length
    ? folded
    : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Returns the index of the place to go to from the caret: the next one, or the one before; both wrap. */
export function nextPlace(found: readonly number[], caret: number, step: 1 | -1): number {
  if (found.length === 0) return -1
  if (step === 1) {
    const next = found.findIndex((at) => at >= caret)
    return next === -1 ? 0 : next
  }
  const last = found.findLastIndex((at) => at < caret)
  return last === -1 ? found.length - 1 : last
}
