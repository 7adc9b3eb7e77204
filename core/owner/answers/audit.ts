/** Answers about what happened: the audit log, and applied changes of which the owner is notified. @module */

import {
  flag,
  json,
  listOf,
  number,
  object,
  oneOf,
  optional,
  orNull,
  text,
  type Decoded,
} from '../../decode.ts'

/** What became of a call. */
export const OUTCOMES = ['applied', 'proposed', 'previewed', 'refused', 'downloaded'] as const

const auditEntry = object({
  /** Its number in the log, ascending. */
  seq: number,
  /** ISO 8601. */
  at: text,
  outcome: oneOf(...OUTCOMES),
  /** The id of the change; empty if there is none. */
  id: text,
  tool: text,
  intent: text,
  actor: object({
    principal: text,
    session: orNull(text),
    label: orNull(text),
    /** What the client calls itself, which is a claim. */
    client: optional(text),
    /** The owner's address, as Cloudflare Access has proved it. */
    email: optional(text),
  }),
  /** Everything that took part in the decision; `core/grounds.ts` reads it. */
  decision: json,
  /** The digest of the arguments. */
  digest: text,
  /** The version of the workspace that it made; null if nothing was applied. */
  version: orNull(number),
  paths: listOf(text),
  paths_left_out: optional(number),
  /** A decision on a draft: how many changes, the owner's note, and the reason that the agent claimed. */
  review: optional(
    object({
      ...{ draft: text, changes: number, note: text, reason: text },
      /** The paths that the owner amended. */
      amended: optional(listOf(text)),
    }),
  ),
  /** The hash of the chain up to this entry. */
  hash: text,
})

/** An entry of the audit log. */
export type AuditEntry = Decoded<typeof auditEntry>

/** A page of the audit log, newest first; `next` is the number before which the next one begins. */
export const auditPage = object({ entries: listOf(auditEntry), next: orNull(number) })

/** The result of checking the chain of hashes. */
export const chainCheck = object({
  entries: number,
  /** Older entries that were deleted to make room. */
  dropped: number,
  /** The number of the first entry that was altered; null if there is none. */
  broken: orNull(number),
})

/** The result of checking the chain of hashes. */
export type ChainCheck = Decoded<typeof chainCheck>

const notifiedChange = object({
  id: text,
  version: number,
  at: text,
  tool: text,
  intent: text,
  actor: text,
  principal: text,
  session: optional(text),
  label: optional(text),
  approved_by: optional(text),
  approval: optional(text),
  amended: optional(number),
  /** Milliseconds since 1970: it passed by trust that holds until then. */
  trust: optional(number),
  waits: optional(flag),
})

/** Applied changes that the owner has not seen: their number, the newest ones, and how many are listed no more. */
export const notifiedChanges = object({
  count: number,
  changes: listOf(notifiedChange),
  dropped: number,
})

/** Applied changes that the owner has not seen. */
export type NotifiedChanges = Decoded<typeof notifiedChanges>
