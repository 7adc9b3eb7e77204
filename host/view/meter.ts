/**
 * The rate limiter for an app's messages: a token bucket.
 *
 * @module
 */

import { MAX_BURST, RATE } from './limits.ts'

/**
 * Creates a full bucket.
 *
 * @returns A function that takes the time in milliseconds and returns whether a message is allowed.
 */
export function createMeter(): (now: number) => boolean {
  let left = MAX_BURST
  let before = 0
  return (now) => {
    left = Math.min(MAX_BURST, left + ((now - before) * RATE) / 1000) - 1
    before = now
    return left >= 0
  }
}
