/**
 * Memory: what a person decided for longer, and what was asked and done, in this browser.
 *
 * It lives in IndexedDB, per origin, in a store of its own. It is a convenience and never a gate:
 * when it cannot be read everything is asked, and when it cannot be written nothing breaks. Scripts
 * of the same origin can write there too, as they can call the page's functions without any tool.
 * Where that is too much, `rememberDays: 0` keeps it from being asked.
 *
 * @module
 */

import { createStore, get, update, type UseStore } from 'idb-keyval'
import { isArray, now, own } from './builtins.ts'
import type { Policy } from './policy.ts'
import { untilAborted } from './wait.ts'

/** Entries of the trail; the oldest go first. */
export const MOST_ENTRIES = 1_000

/** Decisions that are remembered. */
export const MOST_DECISIONS = 500

/** A call waits no longer than this for what is remembered, or is to be. */
const PATIENCE_MS = 2_000

/** A tool that may run for a while without being asked about. */
export interface Remembered {
  readonly id: string
  readonly origin: string
  readonly tool: string
  /** Made of all that the tool said of itself when it was allowed. */
  readonly definition: string
  readonly at: number
  readonly until: number
}

export interface AuditEntry {
  readonly at: number
  readonly origin: string
  readonly tool: string
  readonly policy: Policy
  readonly intent: string
  readonly outcome: 'ran' | 'denied' | 'refused' | 'aborted'
  /** Who said so: nobody had to, a gesture of the person, an earlier one, or the page's approver. */
  readonly by: 'policy' | 'person' | 'session' | 'remembered' | 'approver'
}

let store: UseStore | null = null
const opened = () => (store ??= createStore('edgewise-webmcp', 'approvals'))

/** What is stored under a key. Anybody at this origin may have written it. */
async function read<T>(key: string): Promise<T[]> {
  const stored = await get<T[]>(key, opened())
  return Array.isArray(stored) ? stored.filter((entry) => entry instanceof Object) : []
}

/** Whether a tool was allowed for longer, as it is now. */
export async function recall(tool: string, definition: string): Promise<boolean> {
  try {
    const stored: unknown = await inTime(get('decisions', opened()))
    for (let i = 0; isArray(stored) && i < stored.length; i++)
      if (holds(stored[i], tool, definition)) return true
  } catch {
    // private browsing: it is then asked
  }
  return false
}

function holds(decision: unknown, tool: string, definition: string): boolean {
  const until = own(decision, 'until')
  return (
    own(decision, 'tool') === tool &&
    own(decision, 'definition') === definition &&
    own(decision, 'origin') === location.origin &&
    typeof until === 'number' &&
    until > now()
  )
}

/** Kept before the tool runs, since many a tool takes its page somewhere else. */
export async function remember(tool: string, definition: string, days: number): Promise<void> {
  const at = Date.now()
  const id = crypto.randomUUID()
  const { origin } = location
  const entry: Remembered = { id, origin, tool, definition, at, until: at + days * 86_400_000 }
  const kept = change<Remembered>('decisions', (all) => {
    const others = all.filter((one) => one?.tool !== tool && one?.until > at)
    return [...others, entry].slice(-MOST_DECISIONS)
  })
  await inTime(kept).catch(() => {})
}

const inTime = <T>(coming: Promise<T>): Promise<T> =>
  untilAborted(coming, AbortSignal.timeout(PATIENCE_MS))

const unwritten: AuditEntry[] = []
let writing = false

/** Adds to the trail. What comes while it is being written is written together. */
export async function note(entry: Omit<AuditEntry, 'at' | 'origin'>): Promise<void> {
  unwritten.push({ at: Date.now(), origin: location.origin, ...entry })
  if (unwritten.length > MOST_ENTRIES) unwritten.shift()
  if (writing) return
  writing = true
  while (unwritten.length > 0) {
    const entries = unwritten.splice(0)
    await change<AuditEntry>('audit', (all) => [...all, ...entries].slice(-MOST_ENTRIES))
  }
  writing = false
}

async function change<T>(key: string, make: (all: T[]) => T[]): Promise<void> {
  const updating = async () =>
    update<T[]>(key, (all) => make(Array.isArray(all) ? all : []), opened())
  await updating().catch(() => {}) // private browsing, a full disk: it is then not kept
}

/** What is remembered, for the person to see and to forget. */
export const approvals = {
  list: () => read<Remembered>('decisions'),
  /** Forgets one decision, or all. */
  forget: (id?: string) =>
    change<Remembered>('decisions', (all) =>
      all.filter((one) => id !== undefined && one?.id !== id),
    ),
  audit: () => read<AuditEntry>('audit'),
}
