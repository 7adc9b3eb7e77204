/** Answers about the links to pages for people. Times are in milliseconds since 1970. @module */

import { flag, listOf, number, object, oneOf, orNull, text, type Decoded } from '../../decode.ts'

const MEMBERS = {
  id: text,
  path: text,
  kind: oneOf('file', 'folder'),
  /** Whether it shows the files of now, and not those of when it was made. */
  live: flag,
  /** The version of the file, or of the workspace, when it was made. */
  version: number,
  created: number,
  expires: number,
  /** How often a page was opened, and when last; null if none was. */
  opened: number,
  last_opened: orNull(number),
}

const shownPageLink = object(MEMBERS)

/** A link to a page for people. */
export type ShownPageLink = Decoded<typeof shownPageLink>

/** All that have not ended, the newest first. */
export const pageLinkList = object({ links: listOf(shownPageLink) })

/** A link that was made. Its URL is in no other answer. */
export const madePageLink = object({
  ...MEMBERS,
  url: text,
  /** The number of files that it shows now, and of those in its folder that it does not show. */
  files: number,
  hidden: number,
})

/** A link that was made. */
export type MadePageLink = Decoded<typeof madePageLink>
