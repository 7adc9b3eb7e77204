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

const queue = new Set<Work>()
let timer = 0

/** Queues work; returns a function that removes it from the queue. */
export function renderLater(work: Work): () => void {
  queue.add(work)
  timer ||= setTimeout(runSlice)
  return () => void queue.delete(work)
}

/** Runs the next work in the queue; returns false if it is empty. */
export function runNext(): boolean {
  const [work] = queue
  if (!work) return false
  queue.delete(work)
  work()
  return true
}

function runSlice(): void {
  timer = 0
  const end = performance.now() + SLICE_MS
  while (performance.now() < end) if (!runNext()) return
  timer = setTimeout(runSlice)
}
