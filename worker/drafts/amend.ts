/**
 * Amending: the person leaves hunks of a proposed file out or edits its text, and approves the result.
 *
 * Edits are of the proposed text, the one that was shown, and name the hash of what they make, which a passkey signs. So
 * nothing else than what the person saw is applied. `test/worker/drafts/amend.test.ts` has the cases.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { applyLineEdits, type LineEdit } from '#core/diff/line-edits.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { AmendedPath } from '../access/draft.ts'
import { fileOf } from '../changes/describe.ts'
import { utf8Bytes } from '../encoding/json-bytes.ts'
import type { Problem } from '../errors/problem.ts'
import { MAX_AMENDMENT_BYTES, MAX_DIFF_BYTES } from '../limits.ts'
import type { Content, FileEntry, Step, Store } from '../store/store.ts'
import { encodeText, strictText } from '../texts/text.ts'
import { describeAmendment } from './amended.ts'
import { findLeftOut, type LeftOutRuns } from './left-out.ts'
import type { Difference, Unit } from './units.ts'

/** What a person makes of the proposed text of one file. */
export interface Amendment {
  readonly path: string
  /** Edits of the proposed text. */
  readonly edits: readonly LineEdit[]
  /** SHA-256 in hexadecimal of the bytes that they make. */
  readonly hash: string
}

/** A file with the content that the person approved in place of the proposed one. */
export interface AmendedFile {
  readonly path: StorePath
  readonly content: Content
  /** The proposed state. */
  readonly after: FileEntry
  /** Whether nothing of the file changes. */
  readonly isAsBefore: boolean
  /** What the agent learns of it. */
  readonly news: AmendedPath
  /** What the person left out. */
  readonly leftOut: LeftOutRuns
}

/** The amended files of each unit. */
export type AmendedUnits = ReadonlyMap<Unit, readonly AmendedFile[]>

type Contents = Pick<Store, 'bytes' | 'hold' | 'contentOf'>

/** Makes the amended files of the units that are approved, and checks that they are what the request names. */
export async function amendUnits(
  units: readonly Unit[],
  amendments: readonly Amendment[],
  store: Contents,
): Promise<Result<AmendedUnits, Problem>> {
  const amended = new Map<Unit, AmendedFile[]>()
  const checked = checkAll(amendments)
  if (!checked.ok) return checked
  for (const amendment of amendments) {
    const unit = units.find(({ differences }) => differences.some(isAt(amendment.path)))
    const difference = unit?.differences.find(isAt(amendment.path))
    if (!unit || !difference) return refusePath(amendment, 'not_decided')
    const file = await amendFile(difference, amendment, store)
    if (!file.ok) return file
    amended.set(unit, [...(amended.get(unit) ?? []), file.value])
    // Other requests get a turn.
    await scheduler.wait(0)
  }
  return ok(amended)
}

const isAt = (path: string) => (one: Difference) => one.path === path

function checkAll(amendments: readonly Amendment[]): Result<null, Problem> {
  const paths = new Set<string>()
  let bytes = 0
  for (const amendment of amendments) {
    if (paths.has(amendment.path)) return refusePath(amendment, 'twice')
    paths.add(amendment.path)
    for (const { insert } of amendment.edits) bytes += utf8Bytes(insert)
    if (bytes > MAX_AMENDMENT_BYTES) return refuseEdits(amendment, 'too_long')
  }
  return ok(null)
}

async function amendFile(
  { path, before, after: entry }: Difference,
  amendment: Amendment,
  store: Contents,
): Promise<Result<AmendedFile, Problem>> {
  const after = fileOf(entry)
  if (!after) return refusePath(amendment, 'no_file')
  if (after.size > MAX_DIFF_BYTES) return refusePath(amendment, 'too_large')
  const proposed = strictText(await store.bytes(after))
  if (proposed === null) return refusePath(amendment, 'no_text')
  const edited = editText(proposed, amendment)
  if (!edited.ok) return edited
  const bytes = encodeText({ content: edited.value })
  if (hash('sha256', bytes, 'hex') !== amendment.hash) return refuseEdits(amendment, 'other_hash')
  const content = await store.hold(bytes)
  const old = fileOf(before)
  return ok({
    ...{ path, content, after },
    isAsBefore: isAsBefore(old, after, content, store),
    news: describeAmendment(path, proposed, edited.value),
    leftOut: findLeftOut(await textBefore(old, store), proposed, edited.value),
  })
}

/** The text of a file before the draft; empty without one that can be compared. */
async function textBefore(before: FileEntry | null, store: Contents): Promise<string> {
  if (!before || before.size > MAX_DIFF_BYTES) return ''
  return strictText(await store.bytes(before)) ?? ''
}

function editText(proposed: string, amendment: Amendment): Result<string, Problem> {
  const { edits } = amendment
  const broken = edits.findIndex(({ insert }) => !insert.isWellFormed() || insert.includes('\0'))
  if (broken !== -1) return refuseEdits(amendment, 'no_text', broken)
  const edited = applyLineEdits(proposed, edits)
  if (!edited.ok) return refuseEdits(amendment, edited.error.reason, edited.error.edit)
  return edited.value === proposed ? refuseEdits(amendment, 'no_change') : edited
}

const refusePath = (
  { path: file }: Amendment,
  detail: Extract<Problem, { reason: 'not_amendable' }>['detail'],
) => err<Problem>({ reason: 'not_amendable', file, detail })

const refuseEdits = (
  { path: file }: Amendment,
  detail: Extract<Problem, { reason: 'bad_amendment' }>['detail'],
  index?: number,
) =>
  err<Problem>({
    reason: 'bad_amendment',
    file,
    edit: index === undefined ? null : index + 1,
    detail,
  })

function isAsBefore(
  before: FileEntry | null,
  after: FileEntry,
  content: Content,
  store: Contents,
): boolean {
  const old = before && store.contentOf(before)
  const isSameMode = before?.executable === after.executable
  return old !== null && isSameMode && Buffer.from(old.hash).equals(content.hash)
}

/** The steps of a unit with the amended files in place of the proposed ones. */
export function amendSteps(steps: readonly Step[], files: readonly AmendedFile[]): readonly Step[] {
  if (files.length === 0) return steps
  const amended = new Map(files.map((file) => [file.path, file]))
  const written = new Set<StorePath>()
  const own = steps.flatMap((step): Step[] => {
    if (step.type !== 'put') return [step]
    const file = amended.get(step.path)
    if (!file) return [step]
    written.add(file.path)
    return file.isAsBefore ? [] : [{ ...step, content: file.content }]
  })
  // What a move brings there.
  const others = files.filter(({ path }) => !written.has(path))
  return [...own, ...others.map(writeMoved)]
}

const writeMoved = ({ path, content, after: { executable, mtime } }: AmendedFile): Step => ({
  ...{ type: 'put', path, content, executable: executable === true, mtime },
})
