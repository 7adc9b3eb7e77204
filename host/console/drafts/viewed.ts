/**
 * Marks of what the owner has viewed in a draft, kept in this browser. A mark names the states that were viewed, so it
 * falls off when the file changes. `test/host/console/viewed.test.ts` has the cases.
 *
 * @module
 */

import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { recordOf } from '#core/json.ts'
import { readStored, writeStored } from '../ui/storage.ts'

/** A file of the list: what its mark is kept by. */
type Listed = Pick<ChangedFile, 'path' | 'type' | 'mark'>

/** What is known of one draft: the marks that were listed at the last visit, and those that were viewed. */
export interface Marks {
  readonly listed: Readonly<Record<string, string>>
  readonly viewed: Readonly<Record<string, string>>
}

/** What changed in the list since the last visit. */
export type Since = 'new' | 'changed' | 'same'

const NO_MARKS: Marks = { listed: {}, viewed: {} }

/** Drafts, and files of each, of which marks are kept at most. */
const MAX_DRAFTS = 10
const MAX_FILES = 2_000

/** Characters of a mark that are kept: 128 bits, so that no two contents are found that share them. */
const MARK_LENGTH = 32

const NAME = 'viewed'

/** A file that becomes a folder is listed as both. */
export const keyOf = ({ path, type }: Pick<ChangedFile, 'path' | 'type'>): string =>
  `${type} ${path}`

/** Reads the marks of a draft; `draft` names it and its workspace. */
export function readMarks(draft: string): Marks {
  const stored = recordOf(recordOf(readStored(NAME))[draft])
  return { listed: textsOf(stored['listed']), viewed: textsOf(stored['viewed']) }
}

/** Keeps the marks of a draft, and forgets those of the drafts that were looked at longest ago. */
export function writeMarks(draft: string, { listed, viewed }: Marks): void {
  const { [draft]: _, ...others } = recordOf(readStored(NAME))
  const kept = Object.entries(others).slice(-(MAX_DRAFTS - 1))
  const marks = { listed: firstOf(listed), viewed: firstOf(viewed) }
  writeStored(NAME, Object.fromEntries([...kept, [draft, marks]]))
}

/** Whether a file was viewed as it is listed. */
export const isViewed = ({ viewed }: Marks, file: Listed): boolean =>
  viewed[keyOf(file)] === shortOf(file)

/** Returns the marks with a file viewed, or not. */
export function setViewed(marks: Marks = NO_MARKS, file: Listed, is: boolean): Marks {
  const { [keyOf(file)]: _, ...others } = marks.viewed
  return { ...marks, viewed: is ? { ...others, [keyOf(file)]: shortOf(file) } : others }
}

/** What a list has that the last visit had not; `same` for everything at the first one. */
export function sinceLastVisit({ listed }: Marks, file: Listed): Since {
  const before = listed[keyOf(file)]
  if (before === undefined) return Object.keys(listed).length === 0 ? 'same' : 'new'
  return before === shortOf(file) ? 'same' : 'changed'
}

/** Returns the marks of a list that is shown now. */
export const setListed = (marks: Marks, files: readonly Listed[]): Marks => ({
  ...marks,
  listed: Object.fromEntries(files.map((file) => [keyOf(file), shortOf(file)])),
})

const shortOf = ({ mark }: Listed) => mark.slice(0, MARK_LENGTH)

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(recordOf(value)).flatMap(([key, text]) =>
      typeof text === 'string' ? [[key, text]] : [],
    ),
  )

const firstOf = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).slice(0, MAX_FILES))
