/**
 * The workspace of one caller: the store, the search and the history, as its access lets it see and change them.
 *
 * {@link createOpener} is the only way from the raw store to anything that answers a caller. Every write goes
 * through {@link CallerWorkspace.apply}, which judges each step again in the same turn in which it is
 * written. `test/rooms.test.ts` keeps the raw store out of tools, resources and streams.
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

/** What a caller's workspace is made from. */
export interface RawWorkspace {
  readonly store: Store
  readonly search: Search
  /** Called with every change after it was applied, and the paths at which a file came or went. */
  readonly changed: (change: Change, steps: readonly Step[], listed: readonly StorePath[]) => void
  /** Whether rules and session are still those from which an access was computed. */
  readonly isCurrent: (access: Access, session: string | null) => boolean
}

/** Files and history together, as tools read them. */
export type ReadStore = FileView & HistoryView

export interface CallerWorkspace {
  readonly access: Access
  readonly store: ReadStore
  readonly search: SearchView
  /** The version that plans are made against. */
  readonly version: () => number
  /** Why steps may not be taken, or null. */
  readonly refusalOf: (steps: readonly Step[]) => Problem | null
  /** Applies steps that the caller may take, all of them or none. */
  readonly apply: (proposal: Omit<Proposal, 'limits'>) => Result<Change, Problem>
}

/** Opens the workspace for a caller. `session` is the caller's own, if it has one. */
export type OpenFor = (access: Access, session: string | null) => CallerWorkspace

/** Closes over the raw workspace, so that nothing but what a caller may use leaves this module. */
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
 * The paths at which a file comes or goes. Of one step the store says whether it changes the list; of several,
 * those that a listener may not know of must not make it hear of the others.
 */
function listedBy(steps: readonly Step[], store: Store): StorePath[] {
  const isListed = (step: Step) => {
    if (steps.length === 1 || step.type === 'move' || step.type === 'remove') return true
    return step.type === 'put' && store.stat(step.path) === null
  }
  return steps.filter(isListed).flatMap(pathsOf)
}

/** What is hidden is not named: the refusal then speaks of the path that the call named. */
function withoutHidden(problem: Problem, steps: readonly Step[], access: Access): Problem {
  if (!('path' in problem) || access.unrestricted) return problem
  const { path } = problem
  const named = steps.flatMap(pathsOf)
  if (named.includes(path) || access.canRead(path)) return problem
  return { reason: 'blocked', path: named[0] ?? access.base }
}
