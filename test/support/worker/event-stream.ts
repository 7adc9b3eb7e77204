/**
 * Reads event streams in tests message by message, with a timeout for each.
 *
 * @module
 */

import { withTimeout } from './with-timeout.ts'

export type Message = Record<string, unknown> & { params?: Record<string, unknown> }

export function readEvents(response: Response) {
  if (!response.body) throw new Error('no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''

  async function next(): Promise<Message> {
    const message = await nextOrEnd()
    if (!message) throw new Error('the stream has ended')
    return message
  }

  /** Returns the next message, or undefined at the end of the stream. */
  async function nextOrEnd(): Promise<Message | undefined> {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end === -1) {
        const { done, value } = await withEnd(reader.read())
        if (done) return undefined
        buffer += value
        continue
      }
      const event = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      const data = event.split('\n').find((line) => line.startsWith('data: '))
      // The event that begins a stream has an id and no data.
      if (data !== undefined && data !== 'data: ') return JSON.parse(data.slice('data: '.length))
    }
  }

  /** Returns whether the stream ends without another message. A comment that keeps it open is none. */
  async function ended(): Promise<boolean> {
    return (await nextOrEnd()) === undefined
  }

  return { next, ended, cancel: () => reader.cancel() }
}

const withEnd = <T>(promise: Promise<T>) => withTimeout(promise, 20_000, 'a reader of events')
