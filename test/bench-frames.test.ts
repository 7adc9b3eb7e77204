/** What the benchmark makes of the frames of a page, and how it shows them. @module */

import { describe, expect, it } from 'vitest'
import { judge } from '../scripts/figure.ts'
import { summariseFrames } from '../bench/frames.ts'

const FRAME = 1000 / 60
const steady = Array.from({ length: 100 }, () => FRAME)
const dropping = (frames: number) => steady.map((gap, index) => (index < frames ? 2 * gap : gap))

describe('the frames of a round', () => {
  it('are 60 per second where none is dropped', () => {
    const { rate, late } = summariseFrames([steady])
    expect(rate).toBeCloseTo(60)
    expect(late).toBeCloseTo(FRAME)
  })

  it('are fewer by those that are dropped', () => {
    expect(summariseFrames([dropping(20)]).rate).toBeCloseTo(50)
  })

  it('are late where more than 5 of 100 are dropped', () => {
    expect(summariseFrames([dropping(5)]).late).toBeCloseTo(FRAME)
    expect(summariseFrames([dropping(6)]).late).toBeCloseTo(2 * FRAME)
  })

  it('count as the median of the rounds', () => {
    const { rate, late } = summariseFrames([steady, dropping(100), steady])
    expect([Math.round(rate), Math.round(late)]).toEqual([60, 17])
  })
})

it('shows frames and microseconds in their units', () => {
  const baseline = { name: 'other', value: 60 }
  const frames = judge({ work: 'scrolling', unit: 'frames/s', edgewise: 59.6, baseline })
  expect(frames.cells.slice(1, 3)).toEqual(['other: 60 frames/s', '60 frames/s'])
  const call = judge({ work: 'call', unit: 'µs', edgewise: 7.59, baseline })
  expect(call.cells.slice(1, 3)).toEqual(['other: 60.0 µs', '7.6 µs'])
})
