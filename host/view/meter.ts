/**
 * How much an app may say: a bucket that fills again.
 *
 * @module
 */

import { MAX_BURST, RATE } from './limits.ts'

/** Judges one message after the other, each by the time of its arrival in milliseconds. */
export function createMeter(): (now: number) => boolean {
  let left = MAX_BURST
  let before = 0
  return (now) => {
    left = Math.min(MAX_BURST, left + ((now - before) * RATE) / 1000) - 1
    before = now
    return left >= 0
  }
}
