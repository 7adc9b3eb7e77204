/**
 * Message channels between frames of different origins, with authenticated origins.
 *
 * One side posts a greeting to a window, the other responds with a port. Both learn the other's
 * origin from the browser (`event.origin`), never from message content, and every channel serves
 * one request. Page listeners receive none of it: this listener runs in the capture phase and stops
 * propagation of its own messages. `test/pages/polyfill-core-hostile.test.ts` attacks it.
 *
 * @module
 */

import { parseJSON } from '../idl.ts'
import { NAME } from './tree.ts'

/** One end of a channel. */
export interface Line {
  /** The origin of the other end. */
  readonly origin: string
  /** The window of the other end. */
  readonly window: Window
  readonly port: MessagePort
  /** Aborts to close the channel; also aborted when the other window is gone. */
  readonly over: AbortController
}

/** Milliseconds after which a frame that has not responded counts as one without tools. */
export const PATIENCE = 500

/** Most channels that one origin may hold open to this document. */
const MAX_LINES = 64

const waiting = new Map<unknown, { window: Window; met: (line: Line) => void }>()
const open = new Set<Line>()

/**
 * Opens a channel to a window.
 *
 * @param origins Accepted origins of the other end; any if absent.
 * @returns The channel; null if the window does not respond in time or has another origin.
 */
export async function connect(window: Window, origins?: readonly string[]): Promise<Line | null> {
  const id = crypto.randomUUID()
  const line = await new Promise<Line | null>((resolve) => {
    waiting.set(id, { window, met: resolve })
    window.postMessage([NAME, id], '*')
    setTimeout(resolve, PATIENCE, null)
  })
  waiting.delete(id)
  if (!line || !origins || origins.includes(line.origin)) return line
  line.over.abort()
  return null
}

/** Accepts channels from other windows of the tree until the signal aborts. */
export function listen(answer: (line: Line) => void, signal: AbortSignal): void {
  const hear = (event: MessageEvent<unknown>) => {
    const { data, origin, source } = event
    const [tag, id]: unknown[] = Array.isArray(data) ? data : []
    if (tag !== NAME) return
    event.stopImmediatePropagation()
    // Windows have `top`, other sources have none; a window of another tree is ignored.
    const window = source as Window | null
    if (window?.top !== top) return
    const [port] = event.ports
    const awaited = waiting.get(id)
    if (!port) welcome(id, origin, window, answer)
    else if (awaited?.window === window) awaited.met(toLine(port, origin, window))
  }
  window.addEventListener('message', hear, { capture: true, signal })
}

/** Accepts a greeting within the limit per origin. Opaque origins get no channel. */
function welcome(id: unknown, origin: string, window: Window, answer: (line: Line) => void): void {
  const lines = [...open].filter((line) => line.origin === origin)
  if (lines.length >= MAX_LINES || origin === 'null') return
  const { port1, port2 } = new MessageChannel()
  const line = toLine(port1, origin, window)
  open.add(line)
  whenOver(line, () => open.delete(line))
  answer(line)
  window.postMessage([NAME, id], origin, [port2])
}

function toLine(port: MessagePort, origin: string, window: Window): Line {
  const line = { origin, window, port, over: new AbortController() }
  // A port does not report that its other end is gone, so the window is polled.
  const timer = setInterval(() => {
    if (window.closed) line.over.abort()
  }, PATIENCE)
  whenOver(line, () => {
    clearInterval(timer)
    port.close()
  })
  return line
}

/** Calls back when a channel is closed. */
export const whenOver = ({ over }: Line, then: () => void): void =>
  over.signal.addEventListener('abort', then)

/** Largest message, in UTF-16 code units. */
const MAX_MESSAGE = 4_000_000

/** Sends a message; returns false, without sending, if it is too large. */
export function send({ port }: Line, message: object): boolean {
  const text = JSON.stringify(message)
  const fits = text.length <= MAX_MESSAGE
  if (fits) port.postMessage(text)
  return fits
}

/**
 * Receives messages: an object, or undefined for anything else and for a message that is too large.
 */
export function hear({ port }: Line, then: (message: object | undefined) => void): void {
  port.onmessage = ({ data }: MessageEvent<unknown>) =>
    then(typeof data === 'string' && data.length <= MAX_MESSAGE ? parseJSON(data) : undefined)
}
