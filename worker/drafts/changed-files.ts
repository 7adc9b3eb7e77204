/**
 * The files that a draft changes, as a person looks through them: risky ones first, a move as one file, and a deleted
 * folder as one row, with its files below it. `test/worker/drafts/changed-files.test.ts` has the cases.
 *
 * @module
 */

import type { Modes } from '#core/diff/unified.ts'
import type { Risk } from '#core/owner/answers/drafts.ts'
import type { StorePath } from '#core/path.ts'
import { digestOf } from '../audit/audit.ts'
import { fileOf, modesBetween } from '../changes/describe.ts'
import { lineFactsOf, type LineFacts } from '../changes/line-facts.ts'
import { readText, sizeOf as sizeOfStates, type FileStates } from '../changes/shown-diff.ts'
import { MAX_COMPARED_BYTES } from '../limits.ts'
import type { Entry, Store } from '../store/store.ts'
import { bringsBack, type LeftOut, type LeftOutRuns } from './left-out.ts'
import { rowsOf, type Row } from './changed-rows.ts'
import { unseenPaths } from './unseen.ts'
import { risksOf } from './risks.ts'
import { digestOfPath, statesOf, type Unit } from './units.ts'

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
  /** Names all that its row shows, for marks of what was viewed. */
  readonly mark: string
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
export async function listChangedFiles(
  parts: readonly Part[],
  base: Store,
  leftOut: Pick<LeftOut, 'of' | 'paths'>,
) {
  const rows = parts.flatMap(({ group, differences }) =>
    rowsOf(differences).map((row) => ({ ...row, group })),
  )
  const lines = await lineFactsOf(rows.map(comparedOf), base)
  const unseen = new Set(parts.flatMap(({ differences }) => unseenPaths(differences, base)))
  const below = Map.groupBy(rows.entries(), ([, row]) => row.below)
  const broughtBack = await findBroughtBack(rows, base, leftOut)
  const facts = { base, unseen, lines, below, broughtBack }
  return rows.map((row, index) => describe(row, index, facts)).toSorted(byRisk)
}

/** Finds the files that bring back what a person left out, as far as there is room to look for it. */
async function findBroughtBack(
  rows: readonly GroupRow[],
  base: Store,
  { of, paths }: Pick<LeftOut, 'of' | 'paths'>,
): Promise<ReadonlySet<StorePath>> {
  const kept = paths()
  const found = new Set<StorePath>()
  let left = MAX_COMPARED_BYTES
  for (const row of kept.size > 0 ? rows.filter(({ path }) => kept.has(path)) : []) {
    const states = statesOf(row)
    if (states.after === null) continue
    left -= sizeOfStates(states)
    // What there is no room to look at may have them.
    if (left < 0 || (await bringsLinesBack(states, base, of(row.path)))) found.add(row.path)
  }
  return found
}

async function bringsLinesBack(
  states: FileStates,
  base: Store,
  runs: LeftOutRuns,
): Promise<boolean> {
  const before = await readText(states.before, base)
  const after = await readText(states.after, base)
  return before !== null && after !== null && bringsBack(before.text, after.text, runs)
}

type Below = readonly (readonly [number, GroupRow])[]

type GroupRow = Row & Pick<Part, 'group'>

/** The states whose lines are compared; of what there is no room for, none. */
const comparedOf = (row: GroupRow) => (row.whole.uncompared ? NO_FILE : statesOf(row))

const NO_FILE = { before: null, after: null }

function byRisk(one: ChangedFile, other: ChangedFile): number {
  const rank = (other.risks.length > 0 ? 1 : 0) - (one.risks.length > 0 ? 1 : 0)
  return rank || (one.path < other.path ? -1 : one.path > other.path ? 1 : 0)
}

interface Facts {
  readonly base: Store
  readonly unseen: ReadonlySet<StorePath>
  /** Of each row. */
  readonly lines: readonly (LineFacts | null)[]
  readonly broughtBack: ReadonlySet<StorePath>
  /** The rows that go with each deleted folder, with their indexes. */
  readonly below: ReadonlyMap<StorePath | undefined, Below>
}

function describe(row: GroupRow, index: number, facts: Facts): ChangedFile {
  const { path, before, after, source, below, group } = row
  const type = (after ?? before)?.type ?? 'file'
  const change = before === null ? 'added' : after === null ? 'deleted' : 'changed'
  const lines = type === 'file' ? (facts.lines[index] ?? null) : null
  const modes = modesBetween(fileOf(source?.before ?? before), fileOf(after))
  const files = type === 'folder' && change === 'deleted' ? (facts.below.get(path) ?? []) : null
  const [was, is] = [sizeOf(before), sizeOf(after)]
  return {
    ...{ path, type, change, group, before: was, after: is },
    digest: digestOfPath(row.whole, facts.base),
    mark: markOf(row, files, facts.base),
    ...modes,
    ...(type === 'file' && after !== null && facts.unseen.has(path) && { unseen: true }),
    ...(source && { from: source.path }),
    ...(below !== undefined && { below }),
    ...(lines && !source && { added: lines.added, removed: lines.removed }),
    ...(files && { files: files.length, added: 0, removed: removedWith(files, facts) }),
    risks: risksOf({
      ...{ path, change, lines, sizes: [was, is] },
      ...(source && { from: source.path }),
      runs: modes.executable?.after === true,
      bringsBack: facts.broughtBack.has(path),
    }),
  }
}

/** Names all that a row shows: also where it was moved from, and what goes with a deleted folder. */
function markOf({ whole, source }: GroupRow, files: Below | null, base: Store): string {
  if (!source && !files) return digestOfPath(whole, base)
  const parts = [whole, ...(source ? [source] : []), ...(files ?? []).map(([, row]) => row.whole)]
  const digests = parts.map((part) => digestOfPath(part, base))
  return digestOf(['edgewise row', ...digests])
}

function removedWith(files: Below, { lines }: Facts): number {
  return files.reduce((sum, [index]) => sum + (lines[index]?.removed ?? 0), 0)
}

const sizeOf = (entry: Entry | null) => fileOf(entry)?.size ?? null
