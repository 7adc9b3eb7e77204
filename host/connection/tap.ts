/**
 * A transport that tells of every message that passes through it.
 *
 * It stands between the SDK's client and its HTTP transport, so it sees what the client later leaves
 * out: members of annotations and of the first answer that no schema knows.
 *
 * @module
 */

import { SdkHttpError } from '@modelcontextprotocol/client'
import type { Transport } from '@modelcontextprotocol/client'

export type Tell = (direction: 'sent' | 'received', message: unknown) => void

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

/** What HTTP said in place of a message. */
function refusalOf(error: unknown) {
  const text = error instanceof Error ? error.message : String(error)
  return { http: { status: error instanceof SdkHttpError ? (error.status ?? null) : null, text } }
}
