/**
 * Reports every message that passes through a transport.
 *
 * It sits between the SDK's client and its HTTP transport, so it sees what the client's schemas
 * drop later: unknown members of annotations and of the first result.
 *
 * @module
 */

import { SdkHttpError } from '@modelcontextprotocol/client'
import type { Transport } from '@modelcontextprotocol/client'

/** Receives each message, or `{ http: { status, text } }` for a failed send. */
export type Tell = (direction: 'sent' | 'received', message: unknown) => void

/**
 * Wraps a transport so that `tell` receives each message.
 *
 * @param inner Its `onmessage`, `onclose` and `onerror` are taken over.
 * @returns The transport to give to the client.
 */
export function tapped(inner: Transport, tell: Tell): Transport {
  const outer: Transport = {
    hasPerRequestStream: inner.hasPerRequestStream ?? false,
    get sessionId() {
      return inner.sessionId
    },
    start: () => inner.start(),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    async send(message, options) {
      tell('sent', message)
      try {
        await inner.send(message, options)
      } catch (error) {
        tell('received', refusalOf(error))
        throw error
      }
    },
  }
  inner.onmessage = (message) => {
    tell('received', message)
    outer.onmessage?.(message)
  }
  inner.onclose = () => outer.onclose?.()
  inner.onerror = (error) => outer.onerror?.(error)
  return outer
}

/** Describes the HTTP error that came in place of a message. */
function refusalOf(error: unknown) {
  const text = error instanceof Error ? error.message : String(error)
  return { http: { status: error instanceof SdkHttpError ? (error.status ?? null) : null, text } }
}
