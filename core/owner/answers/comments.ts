/**
 * Answers about comments. What agents wrote in them is untrusted, and so are the lines that they quote. Times are in
 * milliseconds since 1970.
 *
 * @module
 */

import { flag, listOf, number, object, oneOf, orNull, text, type Decoded } from '../../decode.ts'

const comment = object({
  id: text,
  text,
  /** Whether an agent wrote it; the names are its claims. */
  agent: flag,
  /** As it is shown. */
  actor: text,
  email: orNull(text),
  at: number,
})

/** A comment with its replies, oldest first. */
export const commentThread = object({
  id: text,
  /** The draft that it is about; null for one on an applied file. */
  draft: orNull(text),
  path: orNull(text),
  side: oneOf('before', 'after'),
  /** The lines that it is about now; null where they are outdated, and without a path. */
  first: orNull(number),
  last: orNull(number),
  /** The lines as they were when it was written, cut to their limit. */
  quote: text,
  /** Whether it requests changes of the draft. */
  request: flag,
  resolved: orNull(number),
  /** When its draft was decided without it being applied. */
  closed: orNull(number),
  comments: listOf(comment),
})

/** A thread, as the console has it. */
export type CommentThread = Decoded<typeof commentThread>

/** Some threads, the newest first, and the number of those that follow. */
export const threadPage = object({ threads: listOf(commentThread), left: number })
