/**
 * Lines between frames of different origins: a message channel whose two ends know each other.
 *
 * One side says hello to a window, the other answers with a port. Both learn the other's origin from the browser (`event.origin`), never from what a message says, and every line
 * serves one request. Pages see none of it: the listener runs in the capture phase, before theirs,
 * and stops what is ours. `test/pages/polyfill-core-hostile.test.ts` is the stranger.
 *
 * @module
 */

import { parseJSON } from '../idl.ts'
import { NAME } from './tree.ts'

export interface Line {
  /** The origin at the other end. */
  readonly origin: string
  /** The window at the other end. */
  readonly window: Window
  readonly port: MessagePort
  /** Ends the line, and tells that it has ended or that the other window is gone. */
  readonly over: AbortController
}

/** A frame that has not answered by then has no tools, in milliseconds. */
export const PATIENCE = 500

/** Lines that one origin may hold open to this document at a time. */
const MAX_LINES = 64

const waiting = new Map<unknown, { window: Window; met: (line: Line) => void }>()
const open = new Set<Line>()

/** Opens a line to a window, unless nobody answers there, or another origin than those named. */
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

/** Listens for lines of others as long as the signal lets it. */
export function listen(answer: (line: Line) => void, signal: AbortSignal): void {
  const hear = (event: MessageEvent<unknown>) => {
    const { data, origin, source } = event
    const [tag, id]: unknown[] = Array.isArray(data) ? data : []
    if (tag !== NAME) return
    event.stopImmediatePropagation()
    // Only windows have a top, so a source is one that can be compared with this.
    const window = source as Window | null
    if (window?.top !== top) return
    const [port] = event.ports
    const awaited = waiting.get(id)
    if (!port) welcome(id, origin, window, answer)
    else if (awaited?.window === window) awaited.met(toLine(port, origin, window))
  }
  window.addEventListener('message', hear, { capture: true, signal })
}

/** Strangers get no more lines than they can need, and nameless ones none. */
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
  // Ports do not tell that the other end is gone, so open lines are looked after.
  const timer = setInterval(() => {
    if (window.closed) line.over.abort()
  }, PATIENCE)
  whenOver(line, () => {
    clearInterval(timer)
    port.close()
  })
  return line
}

export const whenOver = ({ over }: Line, then: () => void): void =>
  over.signal.addEventListener('abort', then)

/** The most that one message may hold, in UTF-16 code units. */
const MAX_MESSAGE = 4_000_000

/** Sends a message, unless it is too large. */
export function send({ port }: Line, message: object): boolean {
  const text = JSON.stringify(message)
  const fits = text.length <= MAX_MESSAGE
  if (fits) port.postMessage(text)
  return fits
}

/** Hands on what a stranger sends: an object, or nothing if it is anything else or too large. */
export function hear({ port }: Line, then: (message: object | undefined) => void): void {
  port.onmessage = ({ data }: MessageEvent<unknown>) =>
    then(typeof data === 'string' && data.length <= MAX_MESSAGE ? parseJSON(data) : undefined)
}
