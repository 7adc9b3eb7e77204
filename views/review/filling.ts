/**
 * Filling: what is far down the page is drawn a little at a time, so that the page answers meanwhile.
 *
 * Work waits in the order of the page. Whoever needs all of it now, such as a step to the next
 * change, has it done at once.
 *
 * @module
 */

/** Milliseconds of work before the page may do something else. */
const SLICE_MS = 12

type Work = () => void

const waiting = new Set<Work>()
let timer = 0

/** Does the work soon, unless what is answered is called first. */
export function soon(work: Work): () => void {
  waiting.add(work)
  timer ||= setTimeout(slice)
  return () => void waiting.delete(work)
}

/** Does the next work that waits. Answers false when there was none. */
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
