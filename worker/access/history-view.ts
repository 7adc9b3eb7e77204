/**
 * History as one caller sees it: a change is visible if everything that it touched may be read.
 *
 * A change whose rows are partly deleted is hidden from callers with restricted access, because the paths it
 * touched are no longer known. A change that touched no file is visible to its session and to the owner.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { AppliedChange, ChangeRecord, Store, TrailQuery, Version } from '../store/store.ts'
import type { Access } from './access.ts'

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
}

/** What may be said of a state whose change touched something hidden. */
const withoutNames = (version: Version, path: StorePath): Version => ({
  ...version,
  tool: 'change',
  intent: `Change ${path}`,
  actor: { ...version.actor, session: null, label: null },
})

/** Maximum number of changes examined for one page. */
const MAX_LOOKED_THROUGH = 5_000

/** Restricts history to what `access` permits. `session` is the caller's own, or null. */
export function viewHistory(store: Store, access: Access, session: string | null): HistoryView {
  const seesAll = access.unrestricted && session === null

  function sees(parts: readonly AppliedChange[]): boolean {
    return seesAll || parts.every(seesPart)
  }

  function seesPart({ paths, complete, version, actor }: AppliedChange): boolean {
    // Its intent may name what a client or a policy keeps from this request, but not what the owner's rules do.
    if (complete && paths.length === 0)
      return session === null ? !access.isNarrowed : actor.session === session
    if (access.unrestricted) return true
    return complete && paths.every((path) => seesState(path, version))
  }

  /** Folders above a readable path are visible, as in a listing. */
  function seesState(path: StorePath, version: number): boolean {
    if (access.canRead(path)) return true
    if (!access.sees({ type: 'folder', path })) return false
    return [version, version - 1].some((at) => {
      const state = store.stateAt(path, at)
      return state !== null && state !== 'forgotten' && state.type === 'folder'
    })
  }

  const seesChange = ({ id }: ChangeRecord) => seesAll || sees(store.changesOf(id))

  function history(path: StorePath, limit: number): Version[] {
    if (!access.canRead(path)) return []
    return store
      .history(path, limit)
      .map((version) => (seesChange(version) ? version : withoutNames(version, path)))
  }

  function stateAt(path: StorePath, version: number): ReturnType<Store['stateAt']> {
    const state = store.stateAt(path, version)
    const isSeen =
      state === null || state === 'forgotten' ? access.canRead(path) : access.sees(state)
    return isSeen ? state : null
  }

  function changesOf(id: string): AppliedChange[] {
    const parts = store.changesOf(id)
    return sees(parts) ? parts : []
  }

  function trail(query: TrailQuery): { changes: ChangeRecord[]; next: number | null } {
    const changes: ChangeRecord[] = []
    const size = Math.max(query.limit, 100)
    let before = query.before
    for (let looked = 0; looked < MAX_LOOKED_THROUGH; looked += size) {
      const page = store.trail({ ...query, before, limit: size })
      for (const record of page) {
        if (!seesChange(record)) continue
        if (changes.length === query.limit)
          return { changes, next: changes.at(-1)?.version ?? null }
        changes.push(record)
      }
      if (page.length < size) return { changes, next: null }
      before = page.at(-1)?.version
    }
    return { changes, next: before ?? null }
  }

  return { contentOf: (file) => store.contentOf(file), history, stateAt, changesOf, trail }
}
