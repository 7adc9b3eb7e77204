/**
 * What is kept of what happened: messages on the wire, and inputs that somebody saved.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'

/** A message in the log, paired with its answer where it has one. */
export interface LogEntry {
  readonly id: number
  readonly at: number
  readonly direction: 'sent' | 'received'
  readonly kind: 'request' | 'response' | 'notification' | 'http'
  /** Of a response: the method it answers. Empty when that is not known. */
  readonly method: string
  /** Such as the tool's name, or the URI: what the message is about. */
  readonly about: string
  readonly rpcId: string | number | null
  /** A response's own error, or a request's once it was answered with one. */
  readonly isError: boolean
  /** Milliseconds between request and response, on both of them; null while it is not known. */
  readonly duration: number | null
  /** The entry of the other one of the pair. */
  readonly pair: number | null
  readonly bytes: number
  /** Redacted. */
  readonly message: unknown
}

export interface LogFilter {
  readonly text?: string
  readonly method?: string
  readonly direction?: 'sent' | 'received'
  readonly errorsOnly?: boolean
}

export interface TrafficLog {
  /** Takes what `connect({ onTraffic })` tells. */
  readonly add: (entry: { at: number; direction: 'sent' | 'received'; message: unknown }) => void
  /** Oldest first. */
  entries(filter?: LogFilter): readonly LogEntry[]
  entry(id: number): LogEntry | null
  /** Methods that occur, in alphabetical order. */
  methods(): readonly string[]
  readonly size: number
  readonly bytes: number
  /** Entries that were let go because there were too many. */
  readonly dropped: number
  clear(): void
  /** Told after each change. */
  onChange(listener: () => void): () => void
  /** JSON Lines, one entry each, with secrets redacted. */
  exportLines(filter?: LogFilter): string
}

/** What a call was made with, under a name. */
export interface SavedInput {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly savedAt: number
  readonly args: JsonRecord
  readonly meta: JsonRecord
}

export interface SavedInputs {
  /** Newest first. */
  list(server: string, tool: string): readonly SavedInput[]
  /** Saves anew, or over the one whose id is given. Answers null when there was no room. */
  save(
    server: string,
    tool: string,
    input: {
      readonly id?: string
      readonly name: string
      readonly description?: string
      readonly args: JsonRecord
      readonly meta?: JsonRecord
    },
  ): SavedInput | null
  remove(server: string, tool: string, id: string): void
}
