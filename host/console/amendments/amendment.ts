/**
 * An amendment: what the owner makes of the text that a draft proposes for a file, by leaving out hunks and by editing
 * it. `test/host/console/amendment.test.ts` has the cases.
 *
 * @module
 */

import { diffTexts, statsOf, type DiffStats, type Hunk } from '#core/diff/hunks.ts'
import { numberLines } from '#core/diff/layout.ts'
import { applyLineEdits, editOfHunk, editsBetween, type LineEdit } from '#core/diff/line-edits.ts'
import { splitLines } from '#core/diff/lines.ts'
import { MAX_AMENDMENT_EDITS } from '#core/owner/limits.ts'
import { digestOfText } from './digest.ts'

/** What is made of a proposed text. A byte order mark is a part of each text, as it is of the lines of hunks. */
export interface Amendment {
  readonly proposed: string
  /** The text that the hunks lead to: the proposed one, or the edited one. */
  readonly text: string
  /** The difference from the text before the draft. */
  readonly hunks: readonly Hunk[]
  /** Indexes of hunks that are left out. */
  readonly leftOut: ReadonlySet<number>
}

const numbers = new WeakMap<object, number>()
let last = 0

/** Returns the number of a value, which no other value has; it stays the same. */
export function numberOf(value: object): number {
  const number = numbers.get(value) ?? ++last
  numbers.set(value, number)
  return number
}

/** An amendment as an approval sends it. */
export interface SentAmendment {
  readonly path: string
  /** Edits of the lines of the proposed text. */
  readonly edits: readonly LineEdit[]
  /** SHA-256 of the bytes that result. */
  readonly hash: string
}

/** Whether hunks lead to a text. A difference of a text in another encoding, for example, is of other lines. */
export function hunksFit(hunks: readonly Hunk[], text: string): boolean {
  const { texts } = splitLines(text)
  return hunks.every((hunk) =>
    numberLines(hunk).every(
      ({ line, newNumber }) => newNumber === null || texts[newNumber - 1] === line.text,
    ),
  )
}

/** Returns an amendment without any change, to leave out hunks of. */
export const amend = (proposed: string, hunks: readonly Hunk[]): Amendment => ({
  ...{ proposed, hunks, text: proposed, leftOut: new Set() },
})

/** Leaves a hunk out, or takes it again. */
export function toggleHunk(amendment: Amendment, hunk: number): Amendment {
  const leftOut = new Set(amendment.leftOut)
  if (!leftOut.delete(hunk)) leftOut.add(hunk)
  return { ...amendment, leftOut }
}

/** Returns the amendment to an edited text. */
export const editText = (proposed: string, before: string, text: string): Amendment => ({
  ...{ proposed, text, hunks: diffTexts(before, text).hunks, leftOut: new Set() },
})

/**
 * Returns the text that results.
 *
 * @throws {Error} If the hunks do not fit the text.
 */
export function resultOf({ text, hunks, leftOut }: Amendment): string {
  const edits = hunks.filter((_, at) => leftOut.has(at)).map(editOfHunk)
  const result = applyLineEdits(text, edits)
  if (!result.ok) throw new Error('The hunks do not fit the text')
  return result.value
}

/** Whether the result is another text than the proposed one. */
export const isAmended = (amendment: Amendment): boolean =>
  resultOf(amendment) !== amendment.proposed

/** Whether the text was edited, and not only hunks left out. */
export const isEdited = ({ text, proposed }: Amendment): boolean => text !== proposed

/** Counts the lines that the result adds and removes. */
export const countLines = ({ hunks, leftOut }: Amendment): DiffStats =>
  statsOf(hunks.filter((_, at) => !leftOut.has(at)))

/** Returns an amendment as an approval sends it. */
export async function describeAmendment(
  path: string,
  amendment: Amendment,
): Promise<SentAmendment> {
  const result = resultOf(amendment)
  const edits = editsOf(amendment.proposed, result)
  return { path, edits, hash: await digestOfText(result) }
}

/** Returns the edits that make one text of another; instead of too many, one that replaces everything. */
function editsOf(before: string, after: string): readonly LineEdit[] {
  const edits = editsBetween(before, after)
  if (edits.length <= MAX_AMENDMENT_EDITS) return edits
  return [{ at: 1, remove: splitLines(before).texts.length, insert: after }]
}
