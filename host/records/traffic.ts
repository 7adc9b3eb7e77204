/**
 * The message log: bounded, without secrets, with each request paired to its response.
 *
 * The oldest entries are dropped first, by count and by size. An entry is never changed; when the
 * response arrives, the request's entry is replaced by a new one.
 * `test/host/records-traffic.test.ts`.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { textOf } from '../connection/read.ts'
import type { TrafficEntry } from '../connection/types.ts'
import { redacted } from './redact.ts'
import type { LogEntry, LogFilter, TrafficLog } from './types.ts'

const MAX_ENTRIES = 2_000
const MAX_BYTES = 10 * 1024 * 1024

/** Size above which only the beginning of a message is kept. */
const MAX_MESSAGE_BYTES = 1024 * 1024
const SHOWN_OF_LARGE = 10_000

interface Kept {
  readonly entry: LogEntry
  /** The message as JSON, or its beginning. */
  readonly text: string
}

/** Limits of a log; tests use smaller ones. */
export interface TrafficLimits {
  /** 2,000 by default. */
  readonly entries?: number
  /** 10 MiB by default, counted in UTF-16 code units of JSON. */
  readonly bytes?: number
}

/** Creates an empty log. */
export function createTrafficLog(limits: TrafficLimits = {}): TrafficLog {
  const { entries: maxEntries = MAX_ENTRIES, bytes: maxBytes = MAX_BYTES } = limits
  const kept = new Map<number, Kept>()
  /** Ids of the requests without a response, by direction and JSON-RPC id. */
  const waiting = new Map<string, number>()
  const listeners = new Set<() => void>()
  let nextId = 1
  let bytes = 0
  let dropped = 0
  let telling = false

  function add({ at, direction, message }: TrafficEntry): void {
    const text = textFor(message)
    const { entry, large } = entryFor(nextId++, at, direction, message, text)
    const shown = large ?? text
    kept.set(entry.id, { entry: pairUp(entry), text: shown })
    bytes += entry.bytes
    trim()
    tell()
  }

  /** Finds the request of a response and links the two entries. */
  function pairUp(entry: LogEntry): LogEntry {
    if (entry.kind === 'request') waiting.set(`${entry.direction} ${String(entry.rpcId)}`, entry.id)
    if (entry.kind !== 'response') return entry
    const asked = entry.direction === 'sent' ? 'received' : 'sent'
    const key = `${asked} ${String(entry.rpcId)}`
    const request = kept.get(waiting.get(key) ?? 0)
    waiting.delete(key)
    if (!request) return entry
    const { id, at, method, about } = request.entry
    const duration = Math.max(0, entry.at - at)
    const { isError } = entry
    kept.set(id, { ...request, entry: { ...request.entry, pair: entry.id, duration, isError } })
    return { ...entry, method, about, pair: id, duration }
  }

  function trim(): void {
    for (const [id, { entry }] of kept) {
      if (kept.size <= maxEntries && (bytes <= maxBytes || kept.size === 1)) return
      kept.delete(id)
      waiting.delete(`${entry.direction} ${String(entry.rpcId)}`)
      bytes -= entry.bytes
      dropped++
    }
  }

  /** Notifies listeners once for all changes of a task. */
  function tell(): void {
    if (telling) return
    telling = true
    queueMicrotask(() => {
      telling = false
      for (const listener of [...listeners]) listener()
    })
  }

  function matching(filter: LogFilter = {}): Kept[] {
    const wanted = filter.text?.trim().toLowerCase() ?? ''
    return [...kept.values()].filter(
      ({ entry, text }) =>
        (filter.direction === undefined || entry.direction === filter.direction) &&
        (!filter.method || entry.method === filter.method) &&
        (filter.errorsOnly !== true || entry.isError) &&
        (wanted === '' || `${entry.method} ${text}`.toLowerCase().includes(wanted)),
    )
  }

  return {
    add,
    entries: (filter) => matching(filter).map(({ entry }) => entry),
    entry: (id) => kept.get(id)?.entry ?? null,
    methods() {
      const names = new Set([...kept.values()].map(({ entry }) => entry.method))
      return [...names].filter((name) => name !== '').toSorted()
    },
    get size() {
      return kept.size
    },
    get bytes() {
      return bytes
    },
    get dropped() {
      return dropped
    },
    clear() {
      kept.clear()
      waiting.clear()
      bytes = 0
      dropped = 0
      tell()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    exportLines: (filter) =>
      matching(filter)
        .map(({ entry }) => `${lineOf(entry)}\n`)
        .join(''),
  }
}

function textFor(message: unknown): string {
  try {
    return JSON.stringify(redacted(message)) ?? 'null'
  } catch {
    return JSON.stringify(String(message))
  }
}

function entryFor(
  id: number,
  at: number,
  direction: LogEntry['direction'],
  message: unknown,
  text: string,
): { entry: LogEntry; large: string | null } {
  const large = text.length > MAX_MESSAGE_BYTES ? text.slice(0, SHOWN_OF_LARGE) : null
  const kind = kindOf(message)
  const { id: rpcId, method, params } = recordOf(message)
  const entry: LogEntry = {
    id,
    at,
    direction,
    kind,
    method: textOf(method),
    about: aboutOf(recordOf(params)),
    rpcId: typeof rpcId === 'string' || typeof rpcId === 'number' ? rpcId : null,
    isError: isErrorIn(message),
    duration: null,
    pair: null,
    bytes: (large ?? text).length,
    message: large === null ? JSON.parse(text) : { cut: text.length, beginning: large },
  }
  return { entry, large }
}

function kindOf(message: unknown): LogEntry['kind'] {
  if (!isRecord(message) || isRecord(message['http'])) return 'http'
  if (typeof message['method'] !== 'string') return 'response'
  return Object.hasOwn(message, 'id') ? 'request' : 'notification'
}

/** Whether it is a JSON-RPC error, an HTTP error or a failed tool call. */
function isErrorIn(message: unknown): boolean {
  if (!isRecord(message)) return false
  if (isRecord(message['error']) || isRecord(message['http'])) return true
  return own(recordOf(message['result']), 'isError') === true
}

const aboutOf = (params: JsonRecord) =>
  textOf(params['name']) || textOf(params['uri']) || textOf(params['level'])

function lineOf(entry: LogEntry): string {
  const { at, direction, kind, method, duration, message } = entry
  const time = new Date(at).toISOString()
  return JSON.stringify({ time, direction, kind, method, duration_ms: duration, message })
}
