/**
 * The message log: bounded, without secrets, with each request paired to its response.
 *
 * The oldest entries are dropped first, by count and by size. An entry is never changed; when the
 * response arrives, the request's entry is replaced by a new one.
 * `test/host/records/message-log.test.ts` covers it.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { textOf } from '../mcp/parse.ts'
import type { TrafficEntry } from '../mcp/connection.ts'
import { redact } from './redact.ts'
import type { LogEntry, LogFilter } from './types.ts'

const MAX_ENTRIES = 2_000
const MAX_BYTES = 10 * 1024 * 1024

/** Size above which only the beginning of a message is kept. */
const MAX_MESSAGE_BYTES = 1024 * 1024
/** Size of that beginning, in UTF-16 code units. */
const MAX_BEGINNING = 10_000

interface StoredEntry {
  readonly entry: LogEntry
  /** The message as JSON, or its beginning. */
  readonly text: string
}

/** Limits of a log; tests use smaller ones. */
export interface LogLimits {
  /** 2,000 by default. */
  readonly entries?: number
  /** 10 MiB by default, counted in UTF-16 code units of JSON. */
  readonly bytes?: number
}

/** The log of the messages of one connection. */
export class MessageLog {
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #stored = new Map<number, StoredEntry>()
  /** Ids of the requests without a response, by direction and JSON-RPC id. */
  readonly #pending = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #nextId = 1
  #bytes = 0
  #dropped = 0
  #isNotifying = false

  /** Creates an empty log. */
  constructor({ entries = MAX_ENTRIES, bytes = MAX_BYTES }: LogLimits = {}) {
    this.#maxEntries = entries
    this.#maxBytes = bytes
  }

  /** The number of entries. */
  get size(): number {
    return this.#stored.size
  }

  /** The size of all entries, in UTF-16 code units of JSON. */
  get bytes(): number {
    return this.#bytes
  }

  /** Entries dropped because of the limits. */
  get dropped(): number {
    return this.#dropped
  }

  /** Adds a message. A bound function, which can be passed to `connect({ onTraffic })`. */
  readonly add = (message: TrafficEntry): void => {
    const { entry, text } = createEntry(this.#nextId++, message)
    this.#stored.set(entry.id, { entry: this.#pair(entry), text })
    this.#bytes += entry.bytes
    this.#trim()
    this.#notify()
  }

  /** Returns the entries that match a filter, oldest first. */
  entries(filter?: LogFilter): readonly LogEntry[] {
    return this.#find(filter).map(({ entry }) => entry)
  }

  /** Returns one entry; null if it was dropped or never existed. */
  entry(id: number): LogEntry | null {
    return this.#stored.get(id)?.entry ?? null
  }

  /** Returns the methods in the log, in alphabetical order. */
  methods(): readonly string[] {
    const names = new Set(this.entries().map(({ method }) => method))
    return [...names].filter((name) => name !== '').toSorted()
  }

  /** Removes all entries. */
  clear(): void {
    this.#stored.clear()
    this.#pending.clear()
    this.#bytes = 0
    this.#dropped = 0
    this.#notify()
  }

  /** Adds a listener for any change; returns the function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Exports JSON Lines, one entry each, with secrets redacted. */
  exportLines(filter?: LogFilter): string {
    return this.entries(filter)
      .map((entry) => `${formatLine(entry)}\n`)
      .join('')
  }

  /** Finds the request of a response and links the two entries. */
  #pair(entry: LogEntry): LogEntry {
    const { id, at, direction, kind, rpcId, isError } = entry
    if (kind === 'request') this.#pending.set(keyOf(direction, rpcId), id)
    if (kind !== 'response') return entry
    const key = keyOf(direction === 'sent' ? 'received' : 'sent', rpcId)
    const request = this.#stored.get(this.#pending.get(key) ?? 0)
    this.#pending.delete(key)
    if (!request) return entry
    const { id: requestId, method, about } = request.entry
    const duration = Math.max(0, at - request.entry.at)
    const linked = { ...request.entry, pair: id, duration, isError }
    this.#stored.set(requestId, { ...request, entry: linked })
    return { ...entry, method, about, pair: requestId, duration }
  }

  #trim(): void {
    for (const [id, { entry }] of this.#stored) {
      const { size } = this.#stored
      if (size <= this.#maxEntries && (this.#bytes <= this.#maxBytes || size === 1)) return
      this.#stored.delete(id)
      this.#pending.delete(keyOf(entry.direction, entry.rpcId))
      this.#bytes -= entry.bytes
      this.#dropped++
    }
  }

  /** Notifies listeners once for all changes of a task. */
  #notify(): void {
    if (this.#isNotifying) return
    this.#isNotifying = true
    queueMicrotask(() => {
      this.#isNotifying = false
      for (const listener of [...this.#listeners]) listener()
    })
  }

  #find(filter: LogFilter = {}): StoredEntry[] {
    const wanted = filter.text?.trim().toLowerCase() ?? ''
    return [...this.#stored.values()].filter(
      ({ entry, text }) =>
        (filter.direction === undefined || entry.direction === filter.direction) &&
        (!filter.method || entry.method === filter.method) &&
        (filter.errorsOnly !== true || entry.isError) &&
        (wanted === '' || `${entry.method} ${text}`.toLowerCase().includes(wanted)),
    )
  }
}

const keyOf = (direction: LogEntry['direction'], rpcId: LogEntry['rpcId']) =>
  `${direction} ${String(rpcId)}`

function createEntry(id: number, { at, direction, message }: TrafficEntry): StoredEntry {
  const json = stringify(message)
  const isLarge = json.length > MAX_MESSAGE_BYTES
  const text = isLarge ? json.slice(0, MAX_BEGINNING) : json
  const { id: rpcId, method, params } = recordOf(message)
  const entry: LogEntry = {
    id,
    at,
    direction,
    kind: kindOf(message),
    method: textOf(method),
    about: textOf(recordOf(message)['note']) || describe(recordOf(params)),
    rpcId: typeof rpcId === 'string' || typeof rpcId === 'number' ? rpcId : null,
    isError: isErrorMessage(message),
    duration: null,
    pair: null,
    bytes: text.length,
    message: isLarge ? { cut: json.length, beginning: text } : JSON.parse(json),
  }
  return { entry, text }
}

function stringify(message: unknown): string {
  try {
    return JSON.stringify(redact(message)) ?? 'null'
  } catch {
    return JSON.stringify(String(message))
  }
}

function kindOf(message: unknown): LogEntry['kind'] {
  if (!isRecord(message) || isRecord(message['http'])) return 'http'
  if (typeof message['note'] === 'string') return 'note'
  if (typeof message['method'] !== 'string') return 'response'
  return Object.hasOwn(message, 'id') ? 'request' : 'notification'
}

/** Whether it is a JSON-RPC error, an HTTP error or a failed tool call. */
function isErrorMessage(message: unknown): boolean {
  if (!isRecord(message)) return false
  if (isRecord(message['error']) || isRecord(message['http'])) return true
  return own(recordOf(message['result']), 'isError') === true
}

const describe = (params: JsonRecord) =>
  textOf(params['name']) || textOf(params['uri']) || textOf(params['level'])

function formatLine(entry: LogEntry): string {
  const { at, direction, kind, method, duration, message } = entry
  const time = new Date(at).toISOString()
  return JSON.stringify({ time, direction, kind, method, duration_ms: duration, message })
}
