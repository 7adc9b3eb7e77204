/**
 * Long work in slices, so that the page stays responsive.
 *
 * The work is a generator that yields at points where it may pause. A sandbox without network
 * cannot start a worker, so slices are what is left.
 *
 * @module
 */

/** Milliseconds of work per slice; less than a frame. */
const SLICE_MS = 10

/**
 * Runs a generator in slices.
 *
 * @param isCurrent Checked between slices; when it returns false, the work ends with null.
 * @returns What the generator returned.
 */
export async function runSliced<T>(
  work: Generator<void, T>,
  isCurrent: () => boolean = () => true,
): Promise<T | null> {
  let end = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < end) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!isCurrent()) return null
    end = performance.now() + SLICE_MS
  }
}

/** Runs a generator to its end at once. */
export function runNow<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Sorts in a stable way, pausing between runs of a merge sort. */
export function* sortSliced(
  items: Uint32Array,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array> {
  let from = items.slice()
  for (let at = 0; at < from.length; at += RUN) {
    from.subarray(at, at + RUN).sort(compare)
    yield
  }
  let to = new Uint32Array(from.length)
  for (let width = RUN; width < from.length; width *= 2) {
    for (let low = 0; low < from.length; low += 2 * width)
      yield* merge(from, to, { low, width, compare })
    ;[from, to] = [to, from]
  }
  return from
}

/** Items that are sorted at once. */
const RUN = 1_024

interface Runs {
  readonly low: number
  readonly width: number
  readonly compare: (a: number, b: number) => number
}

function* merge(
  from: Uint32Array,
  to: Uint32Array,
  { low, width, compare }: Runs,
): Generator<void> {
  const middle = Math.min(low + width, from.length)
  const high = Math.min(low + 2 * width, from.length)
  let left = low
  let right = middle
  for (let at = low; at < high; at++) {
    if ((at & 0x3ff) === 0) yield
    const takesLeft =
      left < middle && (right >= high || compare(from[left] ?? 0, from[right] ?? 0) <= 0)
    to[at] = from[takesLeft ? left++ : right++] ?? 0
  }
}
