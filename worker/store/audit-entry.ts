/**
 * Entries of the audit as JSON: bounded, with a mark where something was cut and the number of what
 * was left out.
 *
 * @module
 */

import { AUDIT_PATHS, MAX_AUDIT_ENTRY } from '../limits.ts'
import type { ChangeNote } from './note.ts'

export type Fate = 'applied' | 'previewed' | 'refused' | 'downloaded'

type LeftOut = 'scopes_left_out'

type NotStored = 'about'

export interface AuditEntry
  extends Required<Omit<ChangeNote, LeftOut | NotStored>>, Pick<ChangeNote, LeftOut> {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly outcome: Fate
  /** Null where nothing was applied. */
  readonly version: number | null
  /** Of a stored entry the first {@link AUDIT_PATHS} at most. */
  readonly paths: readonly string[]
  /** How many more paths there were. */
  readonly paths_left_out?: number
}

/**
 * Most characters of JSON that each text has in an entry that would be too large. They leave at least
 * 500 characters for the intent, which gets all that the others do not need.
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

/** What a text in a list takes beside itself: two quotes and a comma. */
const AROUND = 3

/** The first texts that fit into a list of so many characters of JSON. The first one is cut to fit. */
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

/** A text in at most so many characters of JSON; where it was cut, it ends with an ellipsis. */
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

/** Characters without the quotes. Escapes make it more than the text has. */
const lengthInJson = (text: string) => JSON.stringify(text).length - 2
