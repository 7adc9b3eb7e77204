/**
 * The files that a draft changes, as a person looks through them: risky ones first, a move as one file, and a deleted
 * folder as one row, with its files below it. `test/worker/drafts/changed-files.test.ts` has the cases.
 *
 * @module
 */

import type { Modes } from '#core/diff/unified.ts'
import type { Risk } from '#core/owner/answers/drafts.ts'
import { ancestorsOf, type StorePath } from '#core/path.ts'
import { fileOf, modesBetween } from '../changes/describe.ts'
import { lineFactsOf, type LineFacts } from '../changes/line-facts.ts'
import type { Entry, Store } from '../store/store.ts'
import { unseenPaths } from './unseen.ts'
import { risksOf } from './risks.ts'
import { digestOfPath, statesOf, type Difference, type Unit } from './units.ts'

/** A file or folder that a draft changes. */
export interface ChangedFile {
  readonly path: StorePath
  readonly type: 'file' | 'folder'
  readonly change: 'added' | 'changed' | 'deleted'
  /** Bytes now and in the draft; null where there is no file. */
  readonly before: number | null
  readonly after: number | null
  readonly group: number
  /** Names both states. Its diff and its bytes are those of the list only with the same digest. */
  readonly digest: string
  /** Whether it is executable now and in the draft, unless it is in neither. */
  readonly executable?: Modes
  /** Its new content is not shown line by line, so that approving it takes a yes of its own. */
  readonly unseen?: true
  /** The path that it was moved from, with the same content. */
  readonly from?: StorePath
  readonly added?: number
  readonly removed?: number
  /** Of a deleted folder: the number of files that go with it. */
  readonly files?: number
  /** The outermost deleted folder that it goes with. */
  readonly below?: StorePath
  readonly risks: readonly Risk[]
}

/** A part of what differs, which is decided as one. */
type Part = Pick<Unit, 'group' | 'differences'>

/** Lists what differs. What goes with a deleted folder names it as `below`. */
export async function listChangedFiles(parts: readonly Part[], base: Store) {
  const lists = []
  for (const part of parts) lists.push(...(await changedFilesOf(part, base)))
  return lists.toSorted(byRisk)
}

function byRisk(one: ChangedFile, other: ChangedFile): number {
  const rank = (other.risks.length > 0 ? 1 : 0) - (one.risks.length > 0 ? 1 : 0)
  return rank || (one.path < other.path ? -1 : one.path > other.path ? 1 : 0)
}

async function changedFilesOf({ group, differences }: Part, base: Store): Promise<ChangedFile[]> {
  const sources = sourcesOf(differences)
  const rows = withoutLeft(rowsOf(differences, sources), sources)
  // What was moved has no new lines.
  const facts = await lineFactsOf(
    rows.map((row) => (row.from ? NO_FILE : statesOf(row))),
    base,
  )
  const unseen = new Set(unseenPaths(differences, base))
  const counts = countBelow(rows)
  return rows.map((row, index) =>
    describe(row, { group, base, unseen, counts, lines: facts[index] ?? null }),
  )
}

const NO_FILE = { before: null, after: null }

/** One row of the list: a difference of one type, and what it belongs to. */
interface Row extends Difference {
  /** Both states of the path, which the digest names. */
  readonly whole: Difference
  readonly from?: StorePath
  readonly below?: StorePath
}

function rowsOf(
  differences: readonly Difference[],
  sources: ReadonlyMap<StorePath, StorePath>,
): Row[] {
  const moved = new Set(sources.values())
  const gone = new Set(differences.filter(isGoneFolder).map(({ path }) => path))
  const above = new Set(
    differences.flatMap(({ path, after }) => (after === null ? [] : ancestorsOf(path))),
  )
  return differences.flatMap((whole): Row[] => {
    const { path } = whole
    const [below] = ancestorsOf(path).filter((one) => gone.has(one))
    if (moved.has(path)) return []
    const from = sources.get(path)
    return kindsOf(whole).flatMap((kind): Row[] => {
      const isFolder = (kind.after ?? kind.before)?.type === 'folder'
      const isImplied = isFolder && (kind.after ? above.has(path) : below !== undefined)
      return isImplied
        ? []
        : [{ ...kind, path, whole, ...(from && { from }), ...(below && { below }) }]
    })
  })
}

/** Leaves out folders that are gone because all their files were moved. */
function withoutLeft(rows: readonly Row[], sources: ReadonlyMap<StorePath, StorePath>): Row[] {
  const left = new Set([...sources.values()].flatMap((path) => ancestorsOf(path)))
  for (const { below } of rows) if (below) left.delete(below)
  return rows.filter(
    ({ path, before, after }) => before?.type !== 'folder' || after || !left.has(path),
  )
}

const isGoneFolder = ({ before, after }: Difference) =>
  before?.type === 'folder' && after?.type !== 'folder'

/** The paths whose content was moved from another path, each with that path. */
function sourcesOf(differences: readonly Difference[]): ReadonlyMap<StorePath, StorePath> {
  const gone = Map.groupBy(differences.toReversed(), ({ before, after }) =>
    before?.type === 'file' && after === null ? before.blob : null,
  )
  const sources = new Map<StorePath, StorePath>()
  for (const { path, before, after } of differences) {
    if (before !== null || after?.type !== 'file') continue
    const from = gone.get(after.blob)?.pop()
    if (from) sources.set(path, from.path)
  }
  return sources
}

/** A file that becomes a folder, or a folder that becomes a file, is one that is deleted and one that is added. */
function kindsOf({ before, after }: Difference): Pick<Difference, 'before' | 'after'>[] {
  const isOther = before !== null && after !== null && before.type !== after.type
  return isOther
    ? [
        { before, after: null },
        { before: null, after },
      ]
    : [{ before, after }]
}

function countBelow(rows: readonly Row[]): ReadonlyMap<StorePath, number> {
  const counts = new Map<StorePath, number>()
  for (const { below } of rows) if (below) counts.set(below, (counts.get(below) ?? 0) + 1)
  return counts
}

interface Facts {
  readonly group: number
  readonly base: Store
  readonly unseen: ReadonlySet<StorePath>
  readonly counts: ReadonlyMap<StorePath, number>
  readonly lines: LineFacts | null
}

function describe(row: Row, { group, base, unseen, counts, lines }: Facts): ChangedFile {
  const { path, before, after, whole, from, below } = row
  const type = (after ?? before)?.type ?? 'file'
  const change = before === null ? 'added' : after === null ? 'deleted' : 'changed'
  const isFile = type === 'file'
  const modes = modesBetween(fileOf(before), fileOf(after))
  const runs = modes.executable?.after === true
  return {
    ...{ path, type, change, group },
    before: sizeOf(before),
    after: sizeOf(after),
    digest: digestOfPath(whole, base),
    ...modes,
    ...(isFile && after !== null && unseen.has(path) && { unseen: true }),
    ...(from !== undefined && { from }),
    ...(below !== undefined && { below }),
    ...(isFile && lines && from === undefined && { added: lines.added, removed: lines.removed }),
    ...(!isFile && change === 'deleted' && { files: counts.get(path) ?? 0 }),
    risks: risksOf({ path, change, runs, lines: isFile ? lines : null }),
  }
}

const sizeOf = (entry: Entry | null) => fileOf(entry)?.size ?? null
