/**
 * History as one caller sees it: a change is visible if everything that it touched may be read.
 *
 * A change whose rows are partly deleted is hidden from callers with restricted access, because the paths it
 * touched are no longer known. A change that touched no file is visible to its session, and to
 * callers without one unless a client or a policy narrows their request; if it concerns paths (`about`), it is
 * hidden like one whose rows are deleted.
 *
 * @module
 */

import { foldersAbove, isWithin, resolvePath, type StorePath } from '#core/path.ts'
import { quoteValue, sentencePieces } from '#core/quote.ts'
import type {
  AppliedChange,
  ChangeRecord,
  Checkpoint,
  Span,
  Store,
  ChangesQuery,
  Version,
} from '../store/store.ts'
import type { Actor } from '../audit/change-note.ts'
import { findRange, joinRanges, rangesAt, type PathRanges } from '../store/path-ranges.ts'
import type { Access } from './access.ts'
import { MAX_EXAMINED_CHANGES, MAX_EXAMINED_PATHS } from './limits.ts'

/** The operations of the store that read history, restricted to one caller. */
export interface HistoryView extends Pick<Store, 'contentOf'> {
  /** The states of a path, newest first; empty unless the path may be read. */
  history(path: StorePath, limit: number): Version[]
  /** Like the store; null for states that are not visible. */
  stateAt: Store['stateAt']
  /** The parts of a change; empty unless all of it is visible. */
  changesOf(id: string): AppliedChange[]
  /** A page of changes, newest first, and the version before which the next page begins. */
  listChanges(query: ChangesQuery): { changes: ChangeRecord[]; next: number | null }
  /** The paths of the store that the caller may see. */
  changedPaths: Store['changedPaths']
  /**
   * Checkpoints, newest first, that are visible like a change without files; also the one with the id `wanted`, without
   * its name, for a restricted request that made it and sees no list.
   */
  checkpoints(wanted?: string): Checkpoint[]
}

/** Removes from a state what would reveal something hidden that its change touched. */
const withoutNames = (version: Version, path: StorePath): Version => ({
  ...version,
  tool: 'change',
  intent: `Change ${quoteValue(path)}`,
  actor: { ...version.actor, session: null, label: null },
})

/**
 * Removes the source of a copy from its sentence: it is no path that the change touched, and may be hidden. `isOwn` is
 * set for the session that copied, which knows it, unless its request has less access or the owner has denied it since.
 */
export function withoutSource<T extends Pick<ChangeRecord, 'tool' | 'intent'>>(
  change: T,
  access: Access,
  isOwn: boolean,
): T {
  if (access.unrestricted || change.tool !== 'copy_file') return change
  if (isOwn && !access.isRestrictedByRequest && !namesHidden(change, access)) return change
  return { ...change, intent: 'Copy a file or a folder' }
}

/** A change without what its reader may not know of it. All of its paths are visible. */
export function seenRecord<T extends ChangeRecord>(
  { access, session }: HistoryContext,
  record: T,
): T {
  const seen = withoutSource(record, access, session !== null && record.actor.session === session)
  return { ...seen, intent: seenIntent(seen.intent, access) }
}

/** The sentence of a change, without what it names if a path of it may not be used now. */
export const seenIntent = (intent: string, access: Access): string =>
  namesHidden({ intent }, access) ? SOME_CHANGE : intent

/** The sentence of a change of which not everything may be known. */
export const SOME_CHANGE = 'Change a file or a folder'

/**
 * Whether the sentence of a change names a path that the reader may not use now. A change of a unit that was approved
 * has the sentence of its call, and the paths of the net effect, or none.
 */
function namesHidden({ intent }: Pick<ChangeRecord, 'intent'>, access: Access): boolean {
  if (access.unrestricted) return false
  return sentencePieces(intent).some(
    (piece) =>
      typeof piece !== 'string' && piece.value.startsWith('/') && !mayName(piece.value, access),
  )
}

/** Whether a path of a sentence may be named. One that is cut may be anything in the folder before the cut. */
function mayName(text: string, access: Access): boolean {
  const cut = text.indexOf('…')
  const path = resolvePath(cut < 0 ? text : text.slice(0, text.lastIndexOf('/', cut) + 1))
  if (!path.ok) return false
  if (cut >= 0) return access.isOpenBelow(path.value)
  const folder = { type: 'folder', path: path.value } as const
  return access.canRead(path.value) || access.canWrite(path.value) || access.sees(folder)
}

/** A store, and the access with which its history is read. */
export interface HistoryContext {
  readonly store: Store
  readonly access: Access
  /** The caller's own session, or null. */
  readonly session: string | null
  /** Where the paths of a change lie of which its reader may learn; undefined for all of them. */
  readonly ranges: PathRanges | undefined
}

/** Returns the context of history. `session` is the caller's own, or null. */
export function historyContext(
  store: Store,
  access: Access,
  session: string | null,
): HistoryContext {
  let ranges: PathRanges | undefined
  return {
    ...{ store, access, session },
    get ranges() {
      return (ranges ??= findVisibleRanges(access))
    },
  }
}

/** Restricts history to what `access` permits. `session` is the caller's own, or null. */
export function viewHistory(store: Store, access: Access, session: string | null): HistoryView {
  const view = historyContext(store, access, session)
  return {
    contentOf: (file) => store.contentOf(file),
    history: (path, limit) => listVersions(view, path, limit),
    stateAt: (path, version) => findState(view, path, version),
    changesOf: (id) => findChanges(view, id),
    listChanges: (query) => listChanges(view, query),
    changedPaths: (span) => listChangedPaths(view, span),
    checkpoints: (wanted) => listCheckpoints(view, wanted),
  }
}

/** What may be read, and the folders above, which a change may have created. */
function findVisibleRanges({ readable }: Access): PathRanges | undefined {
  return readable && joinRanges([...readable, ...rangesAt([...foldersAboveRanges(readable)])])
}

/**
 * The folders above ranges that are in none of them. Where one is in a range, those above it are as well, or they are
 * above the beginning of that range.
 */
function foldersAboveRanges(ranges: PathRanges): Iterable<StorePath> {
  const begins = ranges.map(({ low }) => resolvePath(low))
  const paths = begins.flatMap((begin) => (begin.ok ? [begin.value] : []))
  return foldersAbove(paths, (folder) => begins[findRange(ranges, folder)]?.ok ?? false)
}

function seesAll({ access, session }: HistoryContext): boolean {
  return access.unrestricted && session === null
}

/** Judges the changes of one list. All parts of an import have one id, and each id is judged once. */
export function createJudge(view: HistoryContext) {
  const judged = new Map<string, boolean>()
  let examined = 0
  return {
    sees({ id }: ChangeRecord): boolean {
      const known = seesAll(view) || judged.get(id)
      if (known !== undefined) return known
      const parts = view.store.changesOf(id, view.ranges)
      for (const { paths } of parts) examined += paths.length
      const isSeen = sees(view, parts)
      judged.set(id, isSeen)
      return isSeen
    },
    /** Whether so many paths were examined that the rest of the list has to wait. */
    isOverBudget: () => examined > MAX_EXAMINED_PATHS,
  }
}

function sees(view: HistoryContext, parts: readonly AppliedChange[]): boolean {
  return seesAll(view) || parts.every((part) => seesPart(view, part))
}

function seesPart(
  view: HistoryContext,
  { paths, complete, version, actor, intent }: AppliedChange,
): boolean {
  // The intent of a change without files can name paths, so a restricted request does not see it.
  if (complete && paths.length === 0)
    return seesAct(view, actor) && !namesHidden({ intent }, view.access)
  if (view.access.unrestricted) return true
  return complete && paths.every((path) => seesState(view, path, { version, paths }))
}

/** Whether an act that changed no file is visible, by the session that it was made with. */
function seesAct({ session, access }: HistoryContext, actor: Pick<Actor, 'session'>): boolean {
  return session === null ? !access.isRestrictedByRequest : actor.session === session
}

function listCheckpoints(view: HistoryContext, wanted?: string): Checkpoint[] {
  return view.store.checkpoints.list().flatMap((one) => {
    if (seesAll(view) || seesAct(view, one.actor)) return [one]
    return one.id === wanted && one.actor.session === view.session ? [{ ...one, name: wanted }] : []
  })
}

function* listChangedPaths({ store, access }: HistoryContext, span: Span): Iterable<StorePath> {
  for (const path of store.changedPaths({ ...span, within: access.readable }))
    if (access.canRead(path) || access.sees({ type: 'folder', path })) yield path
}

/** Folders above a readable path are visible, as in a listing; those of a restricted request if the change names one. */
function seesState(
  view: HistoryContext,
  path: StorePath,
  { version, paths }: Pick<AppliedChange, 'version' | 'paths'>,
): boolean {
  const { access } = view
  if (access.canRead(path)) return true
  if (!access.sees({ type: 'folder', path }) && !isAboveSeen(path, paths, access)) return false
  return [version, version - 1].some((at) => {
    const state = view.store.stateAt(path, at)
    return state !== null && state !== 'forgotten' && state.type === 'folder'
  })
}

/** Whether a folder is above a path of a change that may be read. Its reader knows the folder by the name of that path. */
const isAboveSeen = (folder: StorePath, paths: readonly StorePath[], access: Access) =>
  !access.isDenied(folder) && paths.some((path) => isWithin(path, folder) && access.canRead(path))

function listVersions(view: HistoryContext, path: StorePath, limit: number): Version[] {
  if (!view.access.canRead(path)) return []
  const judge = createJudge(view)
  return view.store
    .history(path, limit)
    .map((version) =>
      !judge.isOverBudget() && judge.sees(version)
        ? seenRecord(view, version)
        : withoutNames(version, path),
    )
}

function findState(
  view: HistoryContext,
  path: StorePath,
  version: number,
): ReturnType<Store['stateAt']> {
  const state = view.store.stateAt(path, version)
  const isSeen =
    state === null || state === 'forgotten' ? view.access.canRead(path) : view.access.sees(state)
  return isSeen ? state : null
}

function findChanges(view: HistoryContext, id: string): AppliedChange[] {
  const parts = view.store.changesOf(id, view.ranges)
  return sees(view, parts) ? parts.map((part) => seenPart(view, part)) : []
}

/** Leaves out the folders above what may be read: whether a change created them tells what was in them. */
function seenPart(view: HistoryContext, part: AppliedChange): AppliedChange {
  const paths = part.paths.filter((path) => view.access.canRead(path))
  return seenRecord(view, view.access.unrestricted ? part : { ...part, paths })
}

function listChanges(
  view: HistoryContext,
  query: ChangesQuery,
): { changes: ChangeRecord[]; next: number | null } {
  const changes: ChangeRecord[] = []
  const judge = createJudge(view)
  const size = Math.max(query.limit, 100)
  const within = view.access.readable
  let before = query.before
  for (let looked = 0; looked < MAX_EXAMINED_CHANGES; looked += size) {
    const page = view.store.listChanges({ ...query, before, within, limit: size })
    for (const record of page) {
      if (judge.isOverBudget()) return { changes, next: before ?? null }
      if (judge.sees(record)) {
        if (changes.length === query.limit) return { changes, next: before ?? null }
        changes.push(seenRecord(view, record))
      }
      before = record.version
    }
    if (page.length < size) return { changes, next: null }
  }
  return { changes, next: before ?? null }
}
