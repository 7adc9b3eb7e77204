/**
 * Entries of the audit log as JSON of limited length: cut texts end with an ellipsis, and omitted items are
 * counted.
 *
 * @module
 */

import { AUDIT_PATHS, MAX_AUDIT_ENTRY } from '../limits.ts'
import type { ChangeNote } from './note.ts'

/** The outcome of a call. */
export type Fate = 'applied' | 'previewed' | 'refused' | 'downloaded'

type LeftOut = 'scopes_left_out'

type NotStored = 'about'

/** One entry of the audit log. */
export interface AuditEntry
  extends Required<Omit<ChangeNote, LeftOut | NotStored>>, Pick<ChangeNote, LeftOut> {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly outcome: Fate
  /** The workspace version of the change; null if nothing was applied. */
  readonly version: number | null
  /** The paths that the call touched; at most {@link AUDIT_PATHS} are stored. */
  readonly paths: readonly string[]
  /** The number of paths that were not stored. */
  readonly paths_left_out?: number
}

/**
 * Maximum characters of JSON of each text in an entry that would be too large. They leave at least 500
 * characters for the intent, which gets the remaining space.
 */
const ROOM = { name: 250, id: 100, decision: 1_000, paths: 1_300 }

/** Formats an entry for storage, in {@link MAX_AUDIT_ENTRY} characters at most. */
export function formatEntry(entry: AuditEntry): string {
  const { principal, session, label } = entry.actor
  const whole = { ...entry, actor: { principal, session, label } }
  const text = JSON.stringify({ ...whole, ...namePaths(entry.paths, Infinity) })
  if (text.length <= MAX_AUDIT_ENTRY) return text
  const small = { ...shortenTexts(whole), ...namePaths(entry.paths, ROOM.paths) }
  const room = MAX_AUDIT_ENTRY - JSON.stringify({ ...small, intent: '' }).length
  return JSON.stringify({ ...small, intent: shorten(entry.intent, room) })
}

function shortenTexts(entry: AuditEntry): AuditEntry {
  const { principal, session, label } = entry.actor
  return {
    ...entry,
    id: shorten(entry.id, ROOM.id),
    tool: shorten(entry.tool, ROOM.id),
    digest: shorten(entry.digest, ROOM.id),
    decision: shorten(entry.decision, ROOM.decision),
    actor: {
      principal: shorten(principal, ROOM.name),
      session: session === null ? null : shorten(session, ROOM.id),
      label: label === null ? null : shorten(label, ROOM.name),
    },
  }
}

function namePaths(paths: readonly string[], room: number) {
  const named = takeWithin(paths.slice(0, AUDIT_PATHS), room)
  const more = paths.length - named.length
  return { paths: named, ...(more > 0 && { paths_left_out: more }) }
}

/** Additional characters of a text in a JSON list: two quotes and a comma. */
const AROUND = 3

/** Returns the first texts that fit into `room` characters of a JSON list. The first is cut to fit. */
export function takeWithin(texts: readonly string[], room: number): string[] {
  const taken: string[] = []
  let left = room
  for (const text of texts) {
    const fitted = taken.length === 0 ? shorten(text, left - AROUND) : text
    left -= lengthInJson(fitted) + AROUND
    if (left < 0) break
    taken.push(fitted)
  }
  return taken
}

/** Cuts a text to at most `room` characters of JSON; a cut text ends with an ellipsis. */
export function shorten(text: string, room: number): string {
  if (lengthInJson(text) <= room) return text
  let left = room - 1
  let end = 0
  for (const char of text) {
    left -= lengthInJson(char)
    if (left < 0) break
    end += char.length
  }
  return `${text.slice(0, end)}…`
}

/** Counts the characters of JSON without the quotes. Escapes make it longer than the text. */
const lengthInJson = (text: string) => JSON.stringify(text).length - 2
