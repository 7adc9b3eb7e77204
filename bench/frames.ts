/**
 * Frames of a page that scrolls: their rate, and how late the later ones are.
 *
 * A display draws 60 frames per second. The gap between two frames is therefore a multiple of 16.7 ms, and a longer one
 * is a dropped frame. `test/bench-frames.test.ts` has the cases.
 *
 * @module
 */

import { median } from './median.ts'

/** Milliseconds between the frames of a round. */
export type Gaps = readonly number[]

/** The part of the gaps that {@link Summary.late} leaves above it. */
const LATE = 0.05

/** What is shown of several rounds: medians of the rounds. */
export interface Summary {
  /** Frames per second. */
  readonly rate: number
  /** The 95th percentile of the gaps. */
  readonly late: number
}

/**
 * Summarises the frames of several rounds.
 *
 * @throws `RangeError` without rounds.
 */
export function summariseFrames(rounds: readonly Gaps[]): Summary {
  return { rate: median(rounds.map(rateOf)), late: median(rounds.map(lateGap)) }
}

function rateOf(gaps: Gaps): number {
  const milliseconds = gaps.reduce((sum, gap) => sum + gap, 0)
  return (gaps.length * 1000) / milliseconds
}

/** Returns the smallest gap that at most 5 % of the gaps exceed. */
function lateGap(gaps: Gaps): number {
  const sorted = gaps.toSorted((a, b) => b - a)
  return sorted[Math.floor(gaps.length * LATE)] ?? 0
}
