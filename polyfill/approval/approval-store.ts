/**
 * Storage of remembered approvals and of the audit log, in this browser.
 *
 * It uses IndexedDB, per origin, in a database of its own. Calls never depend on it: if it cannot
 * be read, the user is asked; if it cannot be written, calls still run. Scripts of the same origin
 * can write to it too, as they can call the page's functions without any tool. Where that is not
 * acceptable, `rememberDays: 0` disables approvals from it.
 *
 * @module
 */

import { createStore, promisifyRequest } from 'idb-keyval'
import { isArray, now, own, protect, untilAborted } from './builtins.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { OWN_ORIGIN } from '../model-context/origin.ts'

/** Maximum number of entries of the audit log; the oldest are dropped. */
export const MAX_ENTRIES = 1_000

/** Maximum number of remembered approvals; the oldest are dropped. */
export const MAX_DECISIONS = 500

/** Time limit in milliseconds of a call's read or write. */
const MAX_STORAGE_MS = 2_000

/** An approval that lets a tool run without a question until it expires. */
export interface Remembered {
  readonly id: string
  readonly origin: string
  /** The name of the tool; `*` for all tools of the site. */
  readonly tool: string
  /** SHA-256 of the tool's definition when it was allowed, in base64. */
  readonly definition: string
  /** Milliseconds since the epoch, as is `until`. */
  readonly at: number
  readonly until: number
}

/** An entry of the audit log. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly origin: string
  readonly tool: string
  readonly policy: ApprovalLevel
  /** The rendered intent, at most 500 characters; empty without a template. */
  readonly intent: string
  /**
   * `denied` by the user or approver, `refused` for lack of a decision, `aborted` by the caller.
   */
  readonly outcome: 'ran' | 'denied' | 'refused' | 'aborted'
  /**
   * What decided: the level alone, the user now, the user earlier (this visit or remembered), or
   * the page's approver.
   */
  readonly by: 'policy' | 'person' | 'session' | 'remembered' | 'approver'
}

/** Opens the database when it is first used. */
const useStore = createStore('edgewise-webmcp', 'approvals')

// The library's own `get` and `update` bring its default store along, which a page does not need.
const get = (key: string): Promise<unknown> =>
  useStore('readonly', (entries) => promisifyRequest<unknown>(entries.get(key)))

/**
 * Reads a list from the store. Its content is untrusted: any script of this origin can write it.
 */
async function read<T>(key: string): Promise<T[]> {
  const stored = await get(key)
  return toList<T>(stored).filter((entry) => entry instanceof Object)
}

/** The tool and the definition of an approval for all tools of the site. No tool can have this name. */
export const SITE = '*'

/**
 * Reports whether an approval of a tool with this definition, or of the site, is remembered and has not
 * expired.
 *
 * @param isAlone Leaves out an approval of the site.
 */
export async function hasApproval(
  tool: string,
  definition: string,
  isAlone: boolean,
): Promise<boolean> {
  const stored = await protect(readStored('decisions'))
  for (let i = 0; isArray(stored) && i < stored.length; i++)
    if (isCurrent(stored[i], tool, definition) || (!isAlone && isCurrent(stored[i], SITE, SITE)))
      return true
  return false
}

/** Reads an entry for a call; undefined if the storage is unavailable, as in private browsing. */
async function readStored(key: string): Promise<unknown> {
  try {
    return await withTimeout(get(key))
  } catch {
    return undefined
  }
}

/** Returns the level that the user has set for sensitive tools; undefined without one. */
export async function readSensitiveLevel(): Promise<string | undefined> {
  const level = own(await protect(readStored('sensitive')), '0')
  return typeof level === 'string' ? level : undefined
}

/** Stores the level that the user sets for sensitive tools. A failure of the storage is ignored. */
export const storeSensitiveLevel = (level: string): Promise<void> =>
  change('sensitive', () => [level])

function isCurrent(decision: unknown, tool: unknown, definition: unknown): boolean {
  const until = own(decision, 'until')
  return (
    own(decision, 'tool') === tool &&
    own(decision, 'definition') === definition &&
    own(decision, 'origin') === OWN_ORIGIN &&
    typeof until === 'number' &&
    until > now()
  )
}

/** An approval that holds. The other members of the store are not checked, and not needed. */
export type CurrentApproval = Pick<Remembered, 'tool' | 'at' | 'until'>

/**
 * Lists the remembered approvals of this origin that have not expired. A time that is no number is NaN.
 *
 * @throws `DOMException` if the storage cannot be read.
 */
export async function listCurrent(): Promise<CurrentApproval[]> {
  const stored = await read<Partial<Remembered>>('decisions')
  return stored.flatMap((one) => {
    const { tool, definition, at, until } = one
    return typeof tool === 'string' && isCurrent(one, tool, definition)
      ? { tool, at: toNumber(at), until: toNumber(until) }
      : []
  })
}

const toNumber = (value: unknown): number => (typeof value === 'number' ? value : NaN)

/** Deletes the remembered approvals of a tool; all without a name. A failure is ignored. */
export const forgetTool = (tool?: string): Promise<void> =>
  change<Remembered>('decisions', (all) =>
    all.filter((one) => tool !== undefined && one?.tool !== tool),
  )

/** Stores an approval. It is awaited before the tool runs, because many tools navigate the page. */
export async function storeApproval(tool: string, definition: string, days: number): Promise<void> {
  const at = now()
  const id = crypto.randomUUID()
  const entry: Remembered = {
    id,
    origin: OWN_ORIGIN,
    tool,
    definition,
    at,
    until: at + days * 86_400_000,
  }
  const kept = change<Remembered>('decisions', (all) => {
    const others = all.filter((one) => one?.tool !== tool && one?.until > at)
    return [...others, entry].slice(-MAX_DECISIONS)
  })
  await withTimeout(kept).catch(() => {})
}

const withTimeout = <T>(access: Promise<T>): Promise<T> =>
  untilAborted(protect(access), AbortSignal.timeout(MAX_STORAGE_MS))

const unwritten: AuditEntry[] = []
let writing = false

/** Appends to the audit log. Entries that arrive during a write are written together. */
export async function appendAudit(entry: Omit<AuditEntry, 'at' | 'origin'>): Promise<void> {
  unwritten.push({ at: now(), origin: OWN_ORIGIN, ...entry })
  if (unwritten.length > MAX_ENTRIES) unwritten.shift()
  if (writing) return
  writing = true
  while (unwritten.length > 0) {
    const entries = unwritten.splice(0)
    await change<AuditEntry>('audit', (all) => [...all, ...entries].slice(-MAX_ENTRIES))
  }
  writing = false
}

async function change<T>(key: string, make: (all: T[]) => T[]): Promise<void> {
  try {
    await useStore('readwrite', async (entries) => {
      entries.put(make(toList(await promisifyRequest<unknown>(entries.get(key)))), key)
      return promisifyRequest(entries.transaction)
    })
  } catch {
    // storage is unavailable or full: nothing is kept
  }
}

/** Entries are checked where they are used. */
const toList = <T>(stored: unknown): T[] => (isArray(stored) ? (stored as T[]) : [])

/**
 * The approvals remembered for days and the audit log, for a page that shows them to the user. The element
 * `<webmcp-approvals>` shows approvals as well, also those of this visit.
 *
 * @example
 * ```ts
 * for (const { tool, until } of await approvals.list()) console.log(tool, new Date(until))
 * await approvals.forget()
 * ```
 */
export const approvals = {
  /**
   * Lists the remembered approvals, also those that have expired.
   *
   * @throws `DOMException` if the storage cannot be read.
   */
  list: () => read<Remembered>('decisions'),
  /**
   * Deletes remembered approvals. A failure of the storage is ignored.
   *
   * @param id The approval to delete; all without it.
   */
  forget: (id?: string) =>
    change<Remembered>('decisions', (all) =>
      all.filter((one) => id !== undefined && one?.id !== id),
    ),
  /**
   * Lists the audit log, oldest entry first.
   *
   * @throws `DOMException` if the storage cannot be read.
   */
  audit: () => read<AuditEntry>('audit'),
}
