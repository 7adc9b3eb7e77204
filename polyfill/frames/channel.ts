/**
 * Message channels between frames of different origins, with authenticated origins.
 *
 * One side posts a greeting to a window, the other responds with a port. Both learn the other's
 * origin from the browser (`event.origin`), never from message content, and every channel serves
 * one request. Page listeners receive none of it: this listener runs in the capture phase and stops
 * propagation of its own messages. `test/pages/polyfill/core-hostile.slow.test.ts` attacks it.
 *
 * @module
 */

import { parseJSON } from '../idl.ts'
import { NAME } from './tree.ts'

/** One end of a channel. */
export interface Channel {
  /** The origin of the other end. */
  readonly origin: string
  /** The window of the other end. */
  readonly window: Window
  readonly port: MessagePort
  /** Aborts to close the channel; also aborted when the other window is gone. */
  readonly closing: AbortController
}

/** Milliseconds after which a frame that has not responded counts as one without tools. */
export const MAX_WAIT_MS = 500

/** Maximum number of channels that one origin may hold open to this document. */
const MAX_CHANNELS = 64

const waiting = new Map<unknown, { window: Window; accept: (channel: Channel) => void }>()
const open = new Set<Channel>()

/**
 * Opens a channel to a window.
 *
 * @param origins Accepted origins of the other end; any if absent.
 * @returns The channel; undefined if the window does not respond in time or has another origin.
 */
export async function connect(
  window: Window,
  origins?: readonly string[],
): Promise<Channel | undefined> {
  const id = crypto.randomUUID()
  const channel = await new Promise<Channel | undefined>((resolve) => {
    waiting.set(id, { window, accept: resolve })
    window.postMessage([NAME, id], '*')
    setTimeout(resolve, MAX_WAIT_MS)
  })
  waiting.delete(id)
  if (!channel || !origins || origins.includes(channel.origin)) return channel
  channel.closing.abort()
  return undefined
}

/** Accepts channels from other windows of the tree until the signal aborts. */
export function listen(answer: (channel: Channel) => void, signal: AbortSignal): void {
  const receive = (event: MessageEvent<unknown>) => {
    const { data, origin, source } = event
    const [tag, id]: unknown[] = Array.isArray(data) ? data : []
    if (tag !== NAME) return
    event.stopImmediatePropagation()
    // Windows have `top`, other sources have none; a window of another tree is ignored.
    const window = source as Window | null
    if (window?.top !== top) return
    const [port] = event.ports
    const awaited = waiting.get(id)
    if (!port) accept(id, origin, window, answer)
    else if (awaited?.window === window) awaited.accept(createChannel(port, origin, window))
  }
  window.addEventListener('message', receive, { capture: true, signal })
}

/** Accepts a greeting within the limit per origin. Opaque origins get no channel. */
function accept(
  id: unknown,
  origin: string,
  window: Window,
  answer: (channel: Channel) => void,
): void {
  const channels = [...open].filter((channel) => channel.origin === origin)
  if (channels.length >= MAX_CHANNELS || origin === 'null') return
  const { port1, port2 } = new MessageChannel()
  const channel = createChannel(port1, origin, window)
  open.add(channel)
  onClose(channel, () => open.delete(channel))
  answer(channel)
  window.postMessage([NAME, id], origin, [port2])
}

function createChannel(port: MessagePort, origin: string, window: Window): Channel {
  const channel = { origin, window, port, closing: new AbortController() }
  // A port does not report that its other end is gone, so the window is polled.
  const timer = setInterval(() => {
    if (window.closed) channel.closing.abort()
  }, MAX_WAIT_MS)
  onClose(channel, () => {
    clearInterval(timer)
    port.close()
  })
  return channel
}

/** Calls back when a channel is closed. */
export const onClose = ({ closing }: Channel, then: () => void): void =>
  closing.signal.addEventListener('abort', then)

/** Maximum length of a message, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 4_000_000

/** Sends a message; returns false, without sending, if it is too large. */
export function send({ port }: Channel, message: object): boolean {
  const text = JSON.stringify(message)
  const fits = text.length <= MAX_MESSAGE_LENGTH
  if (fits) port.postMessage(text)
  return fits
}

/**
 * Receives messages: an object, or undefined for anything else and for a message that is too large.
 */
export function receive({ port }: Channel, then: (message: object | undefined) => void): void {
  port.onmessage = ({ data }: MessageEvent<unknown>) =>
    then(
      typeof data === 'string' && data.length <= MAX_MESSAGE_LENGTH ? parseJSON(data) : undefined,
    )
}
