/**
 * The workspace of one caller: the store, the search and the history, restricted by its access.
 *
 * {@link createOpener} is the only way from the raw store to code that responds to a caller. Every write goes
 * through {@link CallerWorkspace.apply}, which checks each step again in the same turn in which it is
 * written. `test/rooms.test.ts` checks that tools, resources and streams do not use the raw store.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { err, type Result } from '#core/result.ts'
import type { Problem } from '../problem.ts'
import type { Search } from '../search/search.ts'
import { limitsOf } from '../store/limits.ts'
import type { Change, Proposal, Step, Store } from '../store/store.ts'
import type { Access } from './access.ts'
import { pathsOf, refusalOfSteps } from './authorize.ts'
import { viewFiles, viewSearch, type FileView, type SearchView } from './file-view.ts'
import { viewHistory, type HistoryView } from './history-view.ts'

/** The unrestricted parts that a caller's workspace is built from. */
export interface RawWorkspace {
  readonly store: Store
  readonly search: Search
  /** Called after every applied change, with the paths at which files were added or removed. */
  readonly changed: (change: Change, steps: readonly Step[], listed: readonly StorePath[]) => void
  /** Whether rules and session are still those from which an access was computed. */
  readonly isCurrent: (access: Access, session: string | null) => boolean
}

/** Files and history together, as tools read them. */
export type ReadStore = FileView & HistoryView

/** What a caller may see and do. */
export interface CallerWorkspace {
  readonly access: Access
  readonly store: ReadStore
  readonly search: SearchView
  /** Returns the current workspace version, which a plan is based on. */
  readonly version: () => number
  /** Returns why steps may not be applied, or null. */
  readonly refusalOf: (steps: readonly Step[]) => Problem | null
  /** Applies all steps, or none if the caller may not take one of them. */
  readonly apply: (proposal: Omit<Proposal, 'limits'>) => Result<Change, Problem>
}

/** Opens the workspace for a caller. `session` is the caller's own, if it has one. */
export type OpenFor = (access: Access, session: string | null) => CallerWorkspace

/** Creates the function that opens workspaces. It keeps the raw workspace private to this module. */
export const createOpener =
  (raw: RawWorkspace): OpenFor =>
  (access, session) =>
    openFor(raw, access, session)

function openFor(raw: RawWorkspace, access: Access, session: string | null): CallerWorkspace {
  const { store, changed } = raw
  const limits = limitsOf(access.owner)

  const refusalOf = (steps: readonly Step[]) => refusalOfSteps(steps, access, store)

  function apply(proposal: Omit<Proposal, 'limits'>): Result<Change, Problem> {
    if (!raw.isCurrent(access, session)) return err({ reason: 'access_changed' })
    const refused = refusalOf(proposal.steps)
    if (refused) return err(refused)
    const { steps } = proposal
    const listed = proposal.trial ? [] : listedBy(steps, store)
    const applied = store.apply({ ...proposal, limits })
    if (!applied.ok) return err(withoutHidden(applied.error, steps, access))
    if (!proposal.trial) changed(applied.value, steps, applied.value.listChanged ? listed : [])
    return applied
  }

  return {
    access,
    store: { ...viewFiles(store, access), ...viewHistory(store, access, session) },
    search: viewSearch(raw.search, access),
    version: () => store.totals.version,
    refusalOf,
    apply,
  }
}

/**
 * Returns the paths at which files are added or removed. For a single step the store reports whether the list
 * changed. For several, paths are selected here, so that a listener is not notified because of hidden ones.
 */
function listedBy(steps: readonly Step[], store: Store): StorePath[] {
  const isListed = (step: Step) => {
    if (steps.length === 1 || step.type === 'move' || step.type === 'remove') return true
    return step.type === 'put' && store.stat(step.path) === null
  }
  return steps.filter(isListed).flatMap(pathsOf)
}

/** Replaces a hidden path in a problem by the path that the call named. */
function withoutHidden(problem: Problem, steps: readonly Step[], access: Access): Problem {
  if (!('path' in problem) || access.unrestricted) return problem
  const { path } = problem
  const named = steps.flatMap(pathsOf)
  if (named.includes(path) || access.canRead(path)) return problem
  return { reason: 'blocked', path: named[0] ?? access.base }
}
