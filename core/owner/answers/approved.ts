/** Answers about folders that the owner approves as a whole: apps and skills. @module */

import {
  flag,
  json,
  listOf,
  number,
  object,
  oneOf,
  optional,
  orNull,
  record,
  text,
  type Decode,
  type Decoded,
} from '../../decode.ts'

/** What is wrong with a folder, and where in its manifest: a JSON pointer (RFC 6901). */
export const manifestProblem = object({ pointer: text, message: text })

const folderFile = object({
  path: text,
  size: number,
  /** What has happened to it since the last decision. */
  change: orNull(oneOf('added', 'changed', 'deleted')),
  /** Whether its content cannot be shown as text, so that approving it takes a yes of its own. */
  unseen: optional(flag),
})

/** A file of a folder. */
export type FolderFile = Decoded<typeof folderFile>

/** The members of a folder that waits for the owner, or that was decided. */
export const shownFolder = <Manifest>(manifest: Decode<Manifest>) => ({
  name: text,
  /** Names the state of its files; a decision names it. */
  revision: text,
  state: oneOf('approved', 'turned_down', 'waiting', 'invalid'),
  /** Null if it has problems. */
  manifest: orNull(manifest),
  problems: listOf(manifestProblem),
  files: listOf(folderFile),
  /** The last decision, also if the files have changed since. */
  decided: orNull(object({ state: oneOf('approved', 'turned_down'), at: number, manifest: json })),
})

/**
 * The difference of one file of a folder, in the form of the review of a change, and whether history has dropped its
 * state at the last approval.
 */
export const folderFileDifference = object({ revision: text, file: record, forgotten: flag })

/** A decision that was taken back. */
export const withdrawnFolder = object({ name: text, state: oneOf('waiting') })
