/**
 * What an agent learns of an amended file: the difference from what it proposed to what was approved, within bounds.
 * `test/worker/drafts/amended.test.ts` has the cases.
 *
 * @module
 */

import { printUnified } from '#core/diff/unified.ts'
import type { StorePath } from '#core/path.ts'
import type { AmendedPath } from '../access/draft.ts'
import { diffShown } from '../changes/shown-diff.ts'
import { jsonBytes } from '../encoding/json-bytes.ts'
import { MAX_AMENDED_DIFF_BYTES } from './limits.ts'
import type { WaitingAnswer } from './waiting-calls.ts'

/** Describes an amendment by the first lines of its difference that fit. */
export function describeAmendment(path: StorePath, proposed: string, text: string): AmendedPath {
  const shown = diffShown(proposed, text)
  if (shown.leftOut) return { path, diff: '', isCut: true }
  const { hunks } = shown
  const whole = printUnified([{ from: path, to: path, binary: false, hunks }])
  return cutDifference({ path, diff: whole, isCut: false }, MAX_AMENDED_DIFF_BYTES)
}

/** Cuts the differences of one decision so that all of them fit. */
export function fitAmended(files: readonly AmendedPath[]): AmendedPath[] {
  let left = MAX_AMENDED_DIFF_BYTES
  return files.map((file) => {
    const fitting = cutDifference(file, left)
    left -= jsonBytes(fitting.diff)
    return fitting
  })
}

function cutDifference(file: AmendedPath, most: number): AmendedPath {
  if (jsonBytes(file.diff) <= most) return file
  let left = most
  const lines = file.diff.split(/(?<=\n)/)
  const end = lines.findIndex((line) => (left -= jsonBytes(line)) < 0)
  return { ...file, diff: lines.slice(0, end).join(''), isCut: true }
}

/** Returns the answer of a call whose change was amended, without what holds for the proposed content alone. */
export function amendAnswer({ answer, ...stored }: WaitingAnswer): WaitingAnswer {
  const { bytes: _bytes, kept: _kept, ...structured } = answer.structured ?? {}
  const text = `Approved, and amended by the user: ${stored.intent}`
  return { ...stored, answer: { text, ...(answer.structured && { structured }) } }
}
