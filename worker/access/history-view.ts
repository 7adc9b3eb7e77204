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

import type { StorePath } from '#core/path.ts'
import type {
  AppliedChange,
  ChangeRecord,
  Checkpoint,
  Span,
  Store,
  TrailQuery,
  Version,
} from '../store/store.ts'
import type { Actor } from '../store/change-note.ts'
import type { Access } from './access.ts'
import { MAX_EXAMINED_CHANGES } from './limits.ts'

/** The operations of the store that read history, restricted to one caller. */
export interface HistoryView extends Pick<Store, 'contentOf'> {
  /** The states of a path, newest first; empty unless the path may be read. */
  history(path: StorePath, limit: number): Version[]
  /** Like the store; null for states that are not visible. */
  stateAt: Store['stateAt']
  /** The parts of a change; empty unless all of it is visible. */
  changesOf(id: string): AppliedChange[]
  /** A page of changes, newest first, and the version before which the next page begins. */
  trail(query: TrailQuery): { changes: ChangeRecord[]; next: number | null }
  /** The paths of the store that the caller may see. */
  changedPaths: Store['changedPaths']
  /** Checkpoints, newest first, that are visible like a change without files. */
  checkpoints(): Checkpoint[]
}

/** Removes from a state what would reveal something hidden that its change touched. */
const withoutNames = (version: Version, path: StorePath): Version => ({
  ...version,
  tool: 'change',
  intent: `Change ${path}`,
  actor: { ...version.actor, session: null, label: null },
})

/**
 * Removes the source of a copy from its sentence: it is no path that the change touched, and may be hidden. The session
 * that copied knows it.
 */
function withoutSource<T extends ChangeRecord>({ access, session }: HistoryContext, record: T): T {
  const isOwn =
    session !== null && record.actor.session === session && !access.isRestrictedByRequest
  if (record.tool !== 'copy_file' || access.unrestricted || isOwn) return record
  return { ...record, intent: 'Copy a file or a folder' }
}

/** A store, and the access with which its history is read. */
interface HistoryContext {
  readonly store: Store
  readonly access: Access
  /** The caller's own session, or null. */
  readonly session: string | null
}

/** Restricts history to what `access` permits. `session` is the caller's own, or null. */
export function viewHistory(store: Store, access: Access, session: string | null): HistoryView {
  const view: HistoryContext = { store, access, session }
  return {
    contentOf: (file) => store.contentOf(file),
    history: (path, limit) => listVersions(view, path, limit),
    stateAt: (path, version) => findState(view, path, version),
    changesOf: (id) => findChanges(view, id),
    trail: (query) => listChanges(view, query),
    changedPaths: (span) => listChangedPaths(view, span),
    checkpoints: () => listCheckpoints(view),
  }
}

function seesAll({ access, session }: HistoryContext): boolean {
  return access.unrestricted && session === null
}

function seesChange(view: HistoryContext, { id }: ChangeRecord): boolean {
  return seesAll(view) || sees(view, view.store.changesOf(id))
}

function sees(view: HistoryContext, parts: readonly AppliedChange[]): boolean {
  return seesAll(view) || parts.every((part) => seesPart(view, part))
}

function seesPart(
  view: HistoryContext,
  { paths, complete, version, actor }: AppliedChange,
): boolean {
  // The intent of a change without files can name paths, so a restricted request does not see it.
  if (complete && paths.length === 0) return seesAct(view, actor)
  if (view.access.unrestricted) return true
  return complete && paths.every((path) => seesState(view, path, version))
}

/** Whether an act that changed no file is visible, by the session that it was made with. */
function seesAct({ session, access }: HistoryContext, actor: Pick<Actor, 'session'>): boolean {
  return session === null ? !access.isRestrictedByRequest : actor.session === session
}

function listCheckpoints(view: HistoryContext): Checkpoint[] {
  const all = view.store.checkpoints.list()
  return seesAll(view) ? all : all.filter(({ actor }) => seesAct(view, actor))
}

function* listChangedPaths({ store, access }: HistoryContext, span: Span): Iterable<StorePath> {
  for (const path of store.changedPaths(span))
    if (access.canRead(path) || access.sees({ type: 'folder', path })) yield path
}

/** Folders above a readable path are visible, as in a listing. */
function seesState(view: HistoryContext, path: StorePath, version: number): boolean {
  if (view.access.canRead(path)) return true
  if (!view.access.sees({ type: 'folder', path })) return false
  return [version, version - 1].some((at) => {
    const state = view.store.stateAt(path, at)
    return state !== null && state !== 'forgotten' && state.type === 'folder'
  })
}

function listVersions(view: HistoryContext, path: StorePath, limit: number): Version[] {
  if (!view.access.canRead(path)) return []
  return view.store
    .history(path, limit)
    .map((version) =>
      seesChange(view, version) ? withoutSource(view, version) : withoutNames(version, path),
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
  const parts = view.store.changesOf(id)
  return sees(view, parts) ? parts.map((part) => withoutSource(view, part)) : []
}

function listChanges(
  view: HistoryContext,
  query: TrailQuery,
): { changes: ChangeRecord[]; next: number | null } {
  const changes: ChangeRecord[] = []
  const size = Math.max(query.limit, 100)
  let before = query.before
  for (let looked = 0; looked < MAX_EXAMINED_CHANGES; looked += size) {
    const page = view.store.trail({ ...query, before, limit: size })
    for (const record of page) {
      if (!seesChange(view, record)) continue
      if (changes.length === query.limit) return { changes, next: changes.at(-1)?.version ?? null }
      changes.push(withoutSource(view, record))
    }
    if (page.length < size) return { changes, next: null }
    before = page.at(-1)?.version
  }
  return { changes, next: before ?? null }
}
