/** Answers about leases: who works alone at a path. Times are in milliseconds since 1970. @module */

import { flag, listOf, number, object, oneOf, orNull, text, type Decoded } from '../../decode.ts'

const shownLease = object({
  id: text,
  /** An agent's wish to work alone, or a lock of WebDAV. */
  kind: oneOf('lease', 'lock'),
  path: text,
  /** Whether it covers what is below the path as well. */
  deep: flag,
  principal: text,
  /** Null for callers without a session. */
  session: orNull(text),
  /** The name of the session, or of its link: a claim. */
  label: orNull(text),
  /** What the client calls itself, where that is not the label. */
  client: orNull(text),
  /** What the holder says of it; may be empty. */
  note: text,
  taken: number,
  until: number,
})

/** A lease that is in force. */
export type ShownLease = Decoded<typeof shownLease>

/** All leases that are in force, the oldest first. */
export const leaseList = object({ leases: listOf(shownLease) })
