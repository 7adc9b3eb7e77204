/** Bursts of calls become one. @module */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { debounce } from '../../../host/mcp/schedule.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('runs once, after the last call of a burst', () => {
  const work = vi.fn<() => void>()
  const call = debounce(work, { delay: 100 })
  for (let each = 0; each < 10; each++) {
    call()
    vi.advanceTimersByTime(50)
  }
  expect(work).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(work).toHaveBeenCalledOnce()
})

it('keeps an interval between runs when each run causes the next call', () => {
  let runs = 0
  const call = debounce(
    () => {
      runs++
      call()
    },
    { delay: 100, interval: 10_000 },
  )
  call()
  vi.advanceTimersByTime(60_000)
  expect(runs).toBe(6)
})
