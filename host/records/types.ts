/**
 * Types of the message log and of saved inputs.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'

/** A message in the log, linked to its request or response. */
export interface LogEntry {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly direction: 'sent' | 'received'
  readonly kind: 'request' | 'response' | 'notification' | 'http' | 'note'
  /** The method; for a response that of its request, empty if unknown. */
  readonly method: string
  /** What the message is about, such as the tool's name or the URI. */
  readonly about: string
  readonly rpcId: string | number | null
  /** Whether a response is an error; for a request, whether its response is. */
  readonly isError: boolean
  /** Milliseconds between request and response, on both of them; null until known. */
  readonly duration: number | null
  /** Id of the linked entry; null if there is none. */
  readonly pair: number | null
  /** Size of the logged message as JSON, in UTF-16 code units. */
  readonly bytes: number
  /** The message without secrets; a large one is `{ cut, beginning }`. */
  readonly message: unknown
}

/** A filter of entries; all members must match. */
export interface LogFilter {
  /** Text to find in the method or the message, in either case. */
  readonly text?: string
  readonly method?: string
  readonly direction?: 'sent' | 'received'
  readonly errorsOnly?: boolean
}

/** The arguments of a call, stored under a name. */
export interface SavedInput {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Milliseconds since 1970. */
  readonly savedAt: number
  readonly args: JsonRecord
  /** The `_meta` of the request. */
  readonly meta: JsonRecord
}

/** Saved inputs, by server and tool. */
export interface SavedInputs {
  /** Newest first. */
  list(server: string, tool: string): readonly SavedInput[]
  /** Saves a new input, or replaces the one with the given id. Returns null if it is too long. */
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
