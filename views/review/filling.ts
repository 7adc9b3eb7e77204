/**
 * Incremental rendering, in slices, so that the page stays responsive.
 *
 * Work is queued in document order. Code that needs the whole document, such as a step to the next
 * change, runs the rest immediately.
 *
 * @module
 */

/** Milliseconds of work per slice. */
const SLICE_MS = 12

type Work = () => void

const waiting = new Set<Work>()
let timer = 0

/** Queues work; returns a function that removes it from the queue. */
export function soon(work: Work): () => void {
  waiting.add(work)
  timer ||= setTimeout(slice)
  return () => void waiting.delete(work)
}

/** Runs the next work in the queue; returns false if it is empty. */
export function fillNext(): boolean {
  const [work] = waiting
  if (!work) return false
  waiting.delete(work)
  work()
  return true
}

function slice(): void {
  timer = 0
  const end = performance.now() + SLICE_MS
  while (performance.now() < end) if (!fillNext()) return
  timer = setTimeout(slice)
}
