/**
 * Entries of the audit log as JSON of limited length: cut texts end with an ellipsis, and omitted items are
 * counted.
 *
 * @module
 */

import type { Ground } from '#core/grounds.ts'
import { MAX_AUDIT_PATHS, MAX_AUDIT_ENTRY, MAX_AUDIT_SCOPES } from '../limits.ts'
import type { ChangeNote } from './change-note.ts'

/** The outcome of a call. */
export type AuditOutcome = 'applied' | 'proposed' | 'previewed' | 'refused' | 'downloaded'

/** A decision on changes of a draft, as data. */
export interface ReviewNote {
  readonly draft: string
  /** Number of changes that were decided. */
  readonly changes: number
  /** What the owner wrote to the agent; may be empty. */
  readonly note: string
  /** Why the agent made the changes, as it claims; may be empty. */
  readonly reason: string
  /** The paths that the owner amended with an approval. */
  readonly amended?: readonly string[]
}

/** One entry of the audit log. */
export interface AuditEntry extends Required<Omit<ChangeNote, 'about' | 'approval'>> {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly outcome: AuditOutcome
  /** The workspace version of the change; null if nothing was applied. */
  readonly version: number | null
  /** The paths that the call touched; at most {@link MAX_AUDIT_PATHS} are stored. */
  readonly paths: readonly string[]
  /** The number of paths that were not stored. */
  readonly paths_left_out?: number
  /** Set for a decision on a draft. */
  readonly review?: ReviewNote
}

/**
 * Maximum characters of JSON of each text in an entry that would be too large. They leave at least 500
 * characters for the intent, which gets the remaining space.
 */
const MAX_CHARS = {
  name: 250,
  id: 100,
  paths: 1_150,
  reviewedPaths: 450,
  note: 300,
  reason: 200,
  amended: 200,
}

/** Maximum characters of JSON of a text in a ground. The grounds of one entry have at most 1,200. */
const MAX_GROUND_CHARS = { label: 250, id: 50 }

/** Formats an entry for storage, in {@link MAX_AUDIT_ENTRY} characters at most. */
export function formatEntry(entry: AuditEntry): string {
  const { budget: _budget, ...actor } = entry.actor
  const decision = entry.decision.map(shortenGround)
  const whole = { ...entry, decision, actor }
  const text = JSON.stringify({ ...whole, ...namePaths(entry.paths, Infinity) })
  if (text.length <= MAX_AUDIT_ENTRY) return text
  const room = entry.review ? MAX_CHARS.reviewedPaths : MAX_CHARS.paths
  const small = { ...shortenTexts(whole), ...namePaths(entry.paths, room) }
  const left = MAX_AUDIT_ENTRY - JSON.stringify({ ...small, intent: '' }).length
  return JSON.stringify({ ...small, intent: shorten(entry.intent, left) })
}

function shortenTexts(entry: AuditEntry): AuditEntry {
  const { principal, session, label, client, email } = entry.actor
  const { review } = entry
  return {
    ...entry,
    id: shorten(entry.id, MAX_CHARS.id),
    tool: shorten(entry.tool, MAX_CHARS.id),
    digest: shorten(entry.digest, MAX_CHARS.id),
    actor: {
      principal: shorten(principal, MAX_CHARS.name),
      session: session === null ? null : shorten(session, MAX_CHARS.id),
      label: label === null ? null : shorten(label, MAX_CHARS.name),
      ...(client !== undefined && { client: shorten(client, MAX_CHARS.id) }),
      // It is that of a caller without a session, and has the room of a label.
      ...(email !== undefined && { email: shorten(email, MAX_CHARS.name) }),
    },
    ...(review && { review: shortenReview(review) }),
  }
}

const shortenReview = ({ changes, amended, ...review }: ReviewNote): ReviewNote => ({
  changes,
  ...(amended && { amended: takeWithin(amended, MAX_CHARS.amended) }),
  draft: shorten(review.draft, MAX_GROUND_CHARS.id),
  note: shorten(review.note, MAX_CHARS.note),
  reason: shorten(review.reason, MAX_CHARS.reason),
})

function shortenGround(ground: Ground): Ground {
  switch (ground.kind) {
    case 'refused':
      return { ...ground, code: shorten(ground.code, MAX_GROUND_CHARS.id) }
    case 'session':
      return { ...ground, label: shorten(ground.label, MAX_GROUND_CHARS.label) }
    case 'preview':
      return { ...ground, id: shorten(ground.id, MAX_GROUND_CHARS.id) }
    case 'trust':
      return { ...ground, id: shorten(ground.id, MAX_GROUND_CHARS.id) }
    case 'transfer_link':
      return { ...ground, session: shorten(ground.session, MAX_GROUND_CHARS.id) }
    case 'approval':
      return {
        ...ground,
        by: shorten(ground.by, MAX_GROUND_CHARS.label),
        draft: shorten(ground.draft, MAX_GROUND_CHARS.id),
      }
    case 'passkey':
      return {
        ...ground,
        id: shorten(ground.id, MAX_GROUND_CHARS.id),
        label: shorten(ground.label, MAX_GROUND_CHARS.label),
      }
    case 'grant': {
      const scopes = takeWithin(ground.scopes, MAX_AUDIT_SCOPES)
      const more = ground.scopes.length - scopes.length
      return { ...ground, scopes, ...(more > 0 && { left_out: more }) }
    }
    case 'amended':
    case 'configuration':
    case 'policy':
    case 'owner':
    case 'secret':
    case 'revoked':
      return ground
  }
}

function namePaths(paths: readonly string[], room: number) {
  const named = takeWithin(paths.slice(0, MAX_AUDIT_PATHS), room)
  const more = paths.length - named.length
  return { paths: named, ...(more > 0 && { paths_left_out: more }) }
}

/** Additional characters of a text in a JSON list: two quotes and a comma. */
const AROUND = 3

/** Returns the first texts that fit into `room` characters of a JSON list. The first is cut to fit. */
function takeWithin(texts: readonly string[], room: number): string[] {
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
