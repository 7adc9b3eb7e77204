/** Descriptions of changes: what steps would do, or have done, file by file. @module */

import { statsOf, type DiffStats } from '#core/diff/hunks.ts'
import type { FileDiff, Modes } from '#core/diff/unified.ts'
import { ancestorsOf, rebase, type StorePath } from '#core/path.ts'
import type { Access } from '../access/access.ts'
import type { FileView } from '../access/file-view.ts'
import type { ReadStore } from '../access/workspace.ts'
import {
  MAX_COMPARED_BYTES,
  MAX_DIFF_BYTES,
  MAX_DIFF_FILES,
  MAX_SHOWN_DIFF_BYTES,
} from '../limits.ts'
import type { AppliedChange, Entry, FileEntry, Step } from '../store/store.ts'
import { isTextEncoding, type TextEncoding } from '../texts/encoding.ts'
import { endingKind, type EndingKind } from '../texts/endings.ts'
import { comparedText, type ComparedText } from '../texts/text.ts'
import { diffShown, documentOf, hunksBytes, readText, type FileStates } from './shown-diff.ts'
import { touchedBy } from './touched.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** The difference of one file, with its paths before and after. */
export interface PlacedDiff extends FileDiff {
  /** Null for a new file. */
  readonly from: StorePath | null
  /** Null for a deleted file. */
  readonly to: StorePath | null
  /** Set if the lines of the text ended in another way before. */
  readonly endings?: string
  /** Set if the text was in another encoding before: its lines may be the same. */
  readonly encoding?: string
  /** `hunks` has the text of a document, whose pictures and forms may differ as well. */
  readonly extracted?: true
  /** It is text whose lines are not in `hunks`. */
  readonly omitted?: true
  /** The size of a file whose lines are not in `hunks`. */
  readonly bytes?: number
  /** Counts of the lines that were left out, because an answer or a preview with them would be too large; none if they were not read. */
  readonly left_out?: DiffStats
}

/** The files of a change. */
export interface Description {
  readonly files: readonly PlacedDiff[]
  /** Number of files that are not in `files`. */
  readonly more: number
}

/** The files of an applied change. */
export interface AppliedDescription extends Description {
  /** Files that cannot be compared, because history has dropped their earlier state. */
  readonly forgotten: number
  /** Bytes of all files that were deleted or moved. */
  readonly bytes: number
}

/** Describes what steps would do that have not been taken yet. */
export async function describeSteps(
  steps: readonly Step[],
  store: ReadStore,
  access: Access,
): Promise<Description> {
  const files: PlacedDiff[] = []
  let more = 0
  const room = createRoom()
  const planned = { store, access, removed: removedBy(steps), room }
  for (const step of steps) {
    for (const describe of stepFiles(step, planned)) {
      if (files.length < MAX_DIFF_FILES) files.push(room.fit(await describe()))
      else more++
    }
  }
  return { files, more }
}

/** Sums the bytes of all files that steps would delete or move. */
export function bytesTaken(steps: readonly Step[], store: ReadStore): number {
  const removed = removedBy(steps)
  const taken = steps.flatMap((step) =>
    step.type === 'remove' ? [step.path] : step.type === 'move' ? [step.from] : [],
  )
  const outermost = taken.filter((path) => !ancestorsOf(path).some((above) => removed.has(above)))
  return outermost.reduce((sum, path) => {
    const entry = store.stat(path)
    return sum + (entry?.type === 'file' ? entry.size : store.measure(path).bytes)
  }, 0)
}

/** Describes a file on demand: files beyond the limit are only counted. */
type Describe = () => MaybePromise<PlacedDiff>

/** What the description of a step needs. */
interface Planned {
  readonly store: ReadStore
  readonly access: Access
  /** Paths that a step of its own removes, also below folders that another one removes. */
  readonly removed: ReadonlySet<StorePath>
  readonly room: Room
}

const removedBy = (steps: readonly Step[]): ReadonlySet<StorePath> =>
  new Set(steps.flatMap((step) => (step.type === 'remove' ? [step.path] : [])))

function* stepFiles(step: Step, planned: Planned): Iterable<Describe> {
  const { access, store } = planned
  const hidden = hideContent(step, access)
  if (hidden) return yield () => hidden
  if (step.type === 'put') yield () => describeWrite(step, planned)
  if (step.type === 'remove') yield* describeRemoval(step.path, planned)
  if (step.type === 'move') yield* describeMove(step.from, step.to, store)
}

/** Describes a step on a path that the caller may not read, without revealing what exists there. */
function hideContent(step: Step, access: Access): PlacedDiff | null {
  if (step.type === 'folder' || step.type === 'prune') return null
  const from = step.type === 'move' ? step.from : step.path
  if (access.canRead(from)) return null
  const to = step.type === 'move' ? step.to : step.type === 'put' ? step.path : null
  return { from, to, binary: true, hunks: [] }
}

async function describeWrite(
  step: Step & { type: 'put' },
  { store, room }: Planned,
): Promise<PlacedDiff> {
  const old = store.stat(step.path)
  const { size } = step.content
  const from = old?.type === 'file' ? step.path : null
  const { executable = fileOf(old)?.executable } = step
  const modes = modesBetween(fileOf(old), { executable })
  if (!(await room.compares(size + (fileOf(old)?.size ?? 0))))
    return { ...uncompared(from, step.path, size), ...modes }
  const before = await readText(fileOf(old), store)
  const text = size > MAX_DIFF_BYTES ? null : comparedText(await store.heldBytes(step.content))
  const after = text ?? documentOf(await store.heldDocument(step.content))
  return { ...fileDiff(from, step.path, before, after, size), ...modes }
}

function* describeRemoval(path: StorePath, planned: Planned): Iterable<Describe> {
  const { store, removed } = planned
  const entry = store.stat(path)
  const isNamed = (below: StorePath) =>
    removed.has(below) ||
    ancestorsOf(below).some((above) => above.length > path.length && removed.has(above))
  for (const file of entry?.type === 'file' ? [entry] : store.walk(path)) {
    if (file.type !== 'file') continue
    if (file.path !== path && removed.size > 1 && isNamed(file.path)) continue
    yield () => describeRemovedFile(file, planned)
  }
}

function describeRemovedFile(
  file: FileEntry,
  { store, room }: Pick<Planned, 'store' | 'room'>,
): MaybePromise<PlacedDiff> {
  const isText = isTextEncoding(store.contentOf(file)?.encoding)
  if (isText && file.size <= MAX_DIFF_BYTES) return describeFile(file, null, store, room)
  const { path: from, size: bytes } = file
  const facts = { from, to: null, binary: !isText, hunks: [], bytes, ...modesBetween(file, null) }
  return isText ? { ...facts, omitted: true } : facts
}

function* describeMove(from: StorePath, to: StorePath, store: ReadStore): Iterable<Describe> {
  const entry = store.stat(from)
  const files: Iterable<Entry> = entry?.type === 'file' ? [entry] : store.walk(from)
  for (const file of files) {
    if (file.type === 'file')
      yield () => describeMovedFile(file, { ...file, path: rebase(file.path, from, to) })
  }
}

/** Describes a file whose content is the same before and after. */
function describeMovedFile(before: FileEntry, after: FileEntry): PlacedDiff {
  const { path: from, size: bytes } = before
  return { from, to: after.path, binary: false, hunks: [], bytes, ...modesBetween(before, after) }
}

/** Describes an applied change from history. */
export async function describeApplied(
  changes: readonly AppliedChange[],
  store: ReadStore,
): Promise<AppliedDescription> {
  const states: FileStates[] = []
  let forgotten = 0
  for (const { path, first, last } of touchedBy(changes)) {
    const before = store.stateAt(path, first - 1)
    const after = store.stateAt(path, last)
    if (after !== 'forgotten' && after?.type === 'folder') continue
    if (before === 'forgotten' || after === 'forgotten') forgotten++
    else states.push({ before: fileOf(before), after: fileOf(after) })
  }
  return { ...(await describeStates(states, store)), forgotten }
}

/** Describes the files that differ between two moments. */
export async function describeStates(
  states: readonly FileStates[],
  store: ReadStore,
): Promise<Description & { readonly bytes: number }> {
  const pairs = withRenames(states.filter(({ before, after }) => before ?? after))
  const files: PlacedDiff[] = []
  const room = createRoom()
  for (const { before, after } of pairs.slice(0, MAX_DIFF_FILES)) {
    const isRemoved = before && !after
    const described = isRemoved
      ? describeRemovedFile(before, { store, room })
      : describeFile(before, after, store, room)
    files.push(room.fit(await described))
  }
  const bytes = pairs.reduce(
    (sum, { before, after }) => sum + (before && before.path !== after?.path ? before.size : 0),
    0,
  )
  return { files, more: Math.max(0, pairs.length - MAX_DIFF_FILES), bytes }
}

/** Pairs a deleted file with a created one of the same content, as a move. */
function withRenames(states: readonly FileStates[]): FileStates[] {
  const gone = new Map(
    states.flatMap((state) => (state.before && !state.after ? [[state.before.blob, state]] : [])),
  )
  const moved = new Set<FileStates>()
  const pairs = states.map((state) => {
    const source = !state.before && state.after ? gone.get(state.after.blob) : undefined
    if (!source || moved.has(source)) return state
    moved.add(source)
    return { before: source.before, after: state.after }
  })
  return pairs.filter((state) => !moved.has(state))
}

/** Describes the difference between two states of a file; null is no file. */
export async function describeFile(
  before: FileEntry | null,
  after: FileEntry | null,
  store: Pick<FileView, 'bytes' | 'documentText'>,
  room: Room = createRoom(),
): Promise<PlacedDiff> {
  const from = before?.path ?? null
  const to = after?.path ?? null
  const bytes = (after ?? before)?.size ?? 0
  if (before && after && before.blob === after.blob) return describeMovedFile(before, after)
  const modes = modesBetween(before, after)
  if (!(await room.compares((before?.size ?? 0) + (after?.size ?? 0))))
    return { ...uncompared(from, to, bytes), ...modes }
  const [old, next] = [await readText(before, store), await readText(after, store)]
  return { ...fileDiff(from, to, old, next, bytes), ...modes }
}

/** Whether two states of a path are the same file: its content, and whether it is executable. */
export const isSameFile = (one: FileEntry, other: FileEntry): boolean =>
  one.blob === other.blob && one.executable === other.executable

/** Names whether a file was and is executable, if it ever was. */
export function modesBetween(
  before: FileEntry | null,
  after: { readonly executable?: boolean | undefined } | null,
): { readonly executable?: Modes } {
  const executable = { before: before?.executable ?? false, after: after?.executable ?? false }
  return executable.before || executable.after ? { executable } : {}
}

/** Returns an entry that is a file, and null for anything else. */
export function fileOf(entry: Entry | null): FileEntry | null {
  return entry?.type === 'file' ? entry : null
}

function fileDiff(
  from: StorePath | null,
  to: StorePath | null,
  before: ComparedText | null,
  after: ComparedText | null,
  bytes: number,
): PlacedDiff {
  if (before === null || after === null) return { from, to, binary: true, hunks: [], bytes }
  const shown = diffShown(before.text, after.text)
  const forms = { ...endingsBetween(before.text, after.text), ...encodingsBetween(before, after) }
  const isExtracted = before.isExtracted ?? after.isExtracted ?? false
  const facts = {
    from,
    to,
    binary: false,
    ...forms,
    ...(isExtracted && { extracted: true as const, bytes }),
  }
  return shown.leftOut
    ? { ...facts, omitted: true, hunks: [], bytes, left_out: shown.leftOut }
    : { ...facts, hunks: shown.hunks }
}

/** Names the line endings of two texts, if they are of another kind. */
function endingsBetween(before: string, after: string): { readonly endings?: string } {
  const [old, next] = [endingKind(before), endingKind(after)]
  return old && next && old !== next ? { endings: `${ENDINGS[old]} → ${ENDINGS[next]}` } : {}
}

/** Names the encodings of two texts, if they are of another kind. */
function encodingsBetween(
  before: ComparedText,
  after: ComparedText,
): { readonly encoding?: string } {
  const isSame = before.encoding === after.encoding || before.text === '' || after.text === ''
  return isSame
    ? {}
    : { encoding: `${ENCODING_NAMES[before.encoding]} → ${ENCODING_NAMES[after.encoding]}` }
}

const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  damaged: 'not UTF-8',
}

const ENDINGS: Readonly<Record<EndingKind, string>> = { lf: 'LF', crlf: 'CRLF', mixed: 'mixed' }

/** A file that is not compared, because those before it took all the time that one answer has. */
const uncompared = (from: StorePath | null, to: StorePath | null, bytes: number): PlacedDiff => ({
  ...{ from, to, binary: false, omitted: true, hunks: [], bytes },
})

/** Texts of so many bytes are compared in no time. */
const SHORT_BYTES = 128 * 1024

/** What one answer has room for: bytes of texts to compare, and lines to show. */
type Room = ReturnType<typeof createRoom>

function createRoom() {
  let compared = MAX_COMPARED_BYTES
  let shown = MAX_SHOWN_DIFF_BYTES
  return {
    /** Whether texts of so many bytes are compared. Other requests get a turn before long ones are. */
    async compares(bytes: number): Promise<boolean> {
      if (bytes <= SHORT_BYTES) return true
      compared -= bytes
      if (compared >= 0) await scheduler.wait(0)
      return compared >= 0
    },
    /** Leaves out the lines of a file that have no room beside those before them. */
    fit(file: PlacedDiff): PlacedDiff {
      const bytes = hunksBytes(file.hunks)
      if (bytes > shown) return withoutLines(file)
      shown -= bytes
      return file
    },
  }
}

/** Leaves out the lines of a file. Their counts stay. */
export function withoutLines(file: PlacedDiff): PlacedDiff {
  const { added, removed, hunks } = totalStats([file])
  return { ...file, omitted: true, hunks: [], left_out: { added, removed, hunks } }
}

/** Sums the counts of several files, also of lines that were left out. */
export function totalStats(files: readonly PlacedDiff[]): DiffStats & { files: number } {
  const stats = { added: 0, removed: 0, hunks: 0 }
  for (const { hunks, left_out = statsOf(hunks) } of files) {
    stats.added += left_out.added
    stats.removed += left_out.removed
    stats.hunks += left_out.hunks
  }
  return { ...stats, files: files.length }
}
