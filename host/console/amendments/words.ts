/** What the review page says of amendments. `test/host/console/amendments.test.tsx` reads it. @module */

import { formatCount, formatLimit, formatNumber } from '../ui/format.ts'
import { MAX_EDITED_BYTES, type Uneditable } from './proposed-text.ts'

/** Why a text cannot be amended. */
export const REASONS: Readonly<Record<Uneditable, string>> = {
  changed: 'The file is not the one that was shown. Show the current state.',
  not_text: 'This file cannot be edited here: it is not valid UTF-8.',
  not_shown: 'This file cannot be edited here: its lines are not shown.',
  too_large: `This file cannot be edited here: it is larger than ${formatLimit(MAX_EDITED_BYTES)}.`,
  unreadable: 'The file cannot be read.',
}

/** The same of hunks. */
export const CANNOT_LEAVE_OUT: Readonly<Record<Uneditable, string>> = {
  ...REASONS,
  not_text: 'Lines of this file cannot be left out: it is not valid UTF-8.',
  too_large: `Lines of this file cannot be left out: it is larger than ${formatLimit(MAX_EDITED_BYTES)}.`,
}

/** The badge of a file. */
export const AMENDED = 'amended by you'

/** Says on a hunk that it is left out. */
export const LEFT_OUT = 'Left out: these lines stay as they are'

/** The name of a hunk. */
export const nameHunk = (at: number, count: number, isLeftOut: boolean): string =>
  `Change ${formatNumber(at + 1)} of ${formatNumber(count)}${isLeftOut ? ', left out' : ''}`

/** Counts, on a button that decides: "2 amended, 12 not viewed". */
export const countMarks = (marks: {
  readonly amended: number
  readonly unviewed: number
}): string =>
  [
    marks.amended > 0 ? `${formatNumber(marks.amended)} amended` : '',
    marks.unviewed > 0 ? `${formatNumber(marks.unviewed)} not viewed` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')

/** The result of an approval. */
export const describeApproval = (changes: number, amended: number): string =>
  amended === 0
    ? `${formatCount(changes, 'change')} approved and applied.`
    : `Approved ${formatCount(changes, 'change')}, ${formatNumber(amended)} amended.`

/** Asks for a decision about what was typed. */
export const askToSave = (files: number): string =>
  `Nothing was decided yet. Save or discard your edits of ${formatCount(files, 'file')} first.`

/** Says that there are too many amendments for one approval. */
export const askForFewer = (most: number): string =>
  `Nothing was decided yet. One approval amends at most ${formatNumber(most)} files: select fewer files.`

/** Says before a decision that amendments are void. */
export const LOST_BEFORE =
  'Nothing was decided yet. Some of your amendments were dropped, because their files have changed.'

/** Says that amendments of these files are void. */
export const describeDropped = (files: number): string =>
  `Your amendments of ${formatCount(files, 'file')} were dropped, because ${files === 1 ? 'it has' : 'they have'} changed since:`

/** Says what turning down does with amendments. */
export const describeLost = (amended: number): string =>
  `Your amendments of ${formatCount(amended, 'file')} are dropped.`

/** Says why a part of a group cannot be approved. */
export const PART_IS_AMENDED =
  'You have amended its files. Amendments are of all changes of these files together: approve those, or undo the amendments.'

/** Says where a file of a part can be amended. */
export const AMEND_ELSEWHERE =
  'To leave out lines or to edit a file, use Files, which shows all changes of a file together.'
