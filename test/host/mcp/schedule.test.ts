/** Bursts of calls become one, and a stream is read in turns with the page. @module */

import { afterEach, expect, it, vi } from 'vitest'
import { debounce, fetchInTurns } from '../../../host/mcp/schedule.ts'

afterEach(() => void vi.useRealTimers())

it('runs once, after the last call of a burst', () => {
  vi.useFakeTimers()
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
  vi.useFakeTimers()
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

/** Works for a moment, as the client does with each message. */
function work(): void {
  const until = performance.now() + 1
  while (performance.now() < until);
}

it('lets the page have its turns while a stream is read that sends without a pause', async () => {
  const end = performance.now() + 2_000
  const body = new ReadableStream({
    pull: (controller) =>
      performance.now() < end ? controller.enqueue(new Uint8Array(65_536)) : controller.close(),
  })
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  const fetchStream = fetchInTurns(async () => new Response(body, { headers }))
  const answer = await fetchStream('https://example.com/mcp')
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  for await (const piece of answer.body ?? []) if (piece.length > 0) work()
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

it('passes on every byte of a stream, and other responses as they are', async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(50_000))
  const headers = { 'content-type': 'text/event-stream', 'mcp-session-id': 'one' }
  const stream = await fetchInTurns(async () => new Response(bytes, { headers, status: 201 }))('/')
  expect([stream.status, stream.headers.get('mcp-session-id')]).toEqual([201, 'one'])
  expect(await stream.bytes()).toEqual(bytes)
  const json = Response.json({})
  expect(await fetchInTurns(async () => json)('/')).toBe(json)
})
