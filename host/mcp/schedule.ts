/**
 * Gathers calls that come in bursts into one. `test/host/mcp/schedule.test.ts` has cases.
 *
 * @module
 */

/** How calls are gathered, in milliseconds. */
export interface Pace {
  /** The work runs this long after the last call of a burst. */
  readonly delay: number
  /** The least time between two runs; by default none. */
  readonly interval?: number
}

/** Returns a function that runs the work once for a burst of calls. */
export function debounce(work: () => void, { delay, interval = 0 }: Pace): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let earliest = 0
  const run = () => {
    earliest = Date.now() + interval
    work()
  }
  return () => {
    clearTimeout(timer)
    timer = setTimeout(run, Math.max(delay, earliest - Date.now()))
  }
}
