/**
 * The workspace of one caller: the store, the search and the history, restricted by its access.
 *
 * {@link createOpener} is the only way from the raw store to code that responds to a caller. Every write goes
 * through {@link CallerWorkspace.apply}, which checks each step again in the same turn in which it is
 * written. `test/rooms.test.ts` checks that tools, resources and streams do not use the raw store.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { Decision } from '../drafts/decisions.ts'
import {
  draftOwnerOf,
  isHeld,
  type Draft,
  type DraftOwner,
  type HeldLevel,
  type PlannedCall,
} from '../drafts/draft.ts'
import type { AccessRequest } from '../requests/request.ts'
import type { WorkspaceSearch } from '../search/search.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Session } from '../sessions/sessions.ts'
import { limitsOf, type StoreLimits } from '../store/limits.ts'
import type { SqliteStore } from '../store/sqlite.ts'
import type { Change, Proposal, Step, Store } from '../store/store.ts'
import type { Access } from './access.ts'
import { refusalOfSteps } from './authorize.ts'
import { stepPaths } from '../store/steps.ts'
import { viewFiles, viewSearch, type FileView, type SearchView } from './file-view.ts'
import { viewHistory, type HistoryView } from './history-view.ts'

/** The unrestricted parts that a caller's workspace is built from. */
export interface RawWorkspace {
  readonly store: SqliteStore
  readonly search: WorkspaceSearch
  readonly drafts: OpenDrafts
  readonly requests?: OpenRequests | undefined
  /** Called after every applied change. */
  readonly changed: (change: Change, steps: readonly Step[]) => void
  /** Whether rules and session are still those from which an access was computed. */
  readonly isCurrent: (access: Access, session: Session | null) => boolean
}

/** The drafts of a workspace, as its callers use them; see `drafts/drafts.ts`. */
export interface OpenDrafts {
  readonly of: (owner: string) => Draft | null
  readonly decidedTimes: (owner: string) => number
  readonly notify: (change: Change) => void
  readonly decisions: (owner: string) => readonly Decision[]
  readonly nextDecision: (owner: string, ms: number, signal?: AbortSignal) => Promise<void>
  readonly waits: (owner: string, change: string) => boolean
  readonly concerns: (draft: Draft, paths: readonly StorePath[]) => boolean
  readonly propose: (
    owner: DraftOwner,
    proposed: Proposal & {
      readonly limits: StoreLimits
      readonly level: HeldLevel
      readonly call: PlannedCall | null
    },
  ) => Result<{ readonly change: Change; readonly draft: Draft }, Problem>
}

/** The access requests of a workspace, as its callers see them; see `requests/requests.ts`. */
export interface OpenRequests {
  readonly of: (owner: string) => readonly AccessRequest[]
  readonly nextDecision: OpenDrafts['nextDecision']
}

/** The draft and the access requests of a caller. */
export interface DraftStatus {
  readonly open: Draft | null
  /** The newest decisions, newest first. */
  readonly decisions: readonly Decision[]
  /** The newest access requests, newest first. */
  readonly requests: readonly AccessRequest[]
}

/** The draft of one caller. The owner in person has none. */
export interface DraftView {
  readonly open: () => Draft | null
  readonly status: () => DraftStatus
  /** Whether a change waits in it. */
  readonly waits: (change: string) => boolean
  /** Resolves at the next decision, after `ms`, or when `signal` is aborted. */
  readonly nextDecision: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Files and history together, as tools read them. */
export type ReadStore = FileView & HistoryView

/** What a caller may see and do. */
export interface CallerWorkspace {
  readonly access: Access
  readonly store: ReadStore
  readonly search: SearchView
  /** The caller's draft and what was decided on it. */
  readonly draft: DraftView
  /** Returns the current workspace version, which a plan is based on. */
  readonly version: () => number
  /** Returns why steps may not be applied, or null. */
  readonly refusalOf: (steps: readonly Step[]) => Problem | null
  /**
   * Applies all steps, or none if the caller may not take one of them. Where the rules demand an approval, the
   * steps join the caller's draft instead.
   */
  readonly apply: (proposal: CallerProposal) => Result<Applied, Problem>
}

/** A proposal of a caller, with the call that it comes from. */
export interface CallerProposal extends Omit<Proposal, 'limits'> {
  readonly call?: PlannedCall
  /** Whether the steps were made without reading any file, so that they fit every state. */
  readonly isUnconditional?: boolean
}

/** A change that was applied, or that waits in a draft. */
export interface Applied extends Change {
  /** The draft in which it waits; null if it was applied. */
  readonly draft: Draft | null
  /** The level at which it waits; null if it was applied. */
  readonly level: HeldLevel | null
}

/** Whose request it is; null for the owner in person, whose changes never wait. */
export type Requester = Pick<Caller, 'principal' | 'session' | 'budget'> | null

/** Opens the workspace for a caller. */
export type OpenFor = (access: Access, requester: Requester) => CallerWorkspace

/** The views of a caller, and what they were made for. */
interface Views extends Pick<CallerWorkspace, 'store' | 'search' | 'draft'> {
  readonly source: Store
  readonly session: string | null
  readonly owner: string | null
}

/** The raw workspace, and the views that were made last with each access: a caller keeps its access. */
interface OpenerContext extends RawWorkspace {
  readonly views: WeakMap<Access, Views>
}

/** Creates the function that opens workspaces. It keeps the raw workspace private to this module. */
export function createOpener(raw: RawWorkspace): OpenFor {
  const context = { ...raw, views: new WeakMap<Access, Views>() }
  return (access, requester) => openFor(context, access, requester)
}

function openFor(raw: OpenerContext, access: Access, requester: Requester): CallerWorkspace {
  const session = requester?.session ?? null
  const owner = requester && draftOwnerOf(requester)
  const draft = owner && raw.drafts.of(owner.key)
  const store = storeOf(raw, draft)
  const views = viewsFor(raw, access, { store, session, owner, draft })
  const isPlannedOn = watchDraft(raw, owner)

  const refusalOf = (steps: readonly Step[]) =>
    refusalOfSteps(steps, access, storeOf(raw, owner && raw.drafts.of(owner.key)))

  function apply(proposal: CallerProposal): Result<Applied, Problem> {
    if (!raw.isCurrent(access, session)) return err({ reason: 'access_changed' })
    const paths = proposal.steps.flatMap(stepPaths)
    const [first] = paths
    if (first !== undefined && !proposal.isUnconditional && !isPlannedOn())
      return err({ reason: 'changed_meanwhile', path: first })
    const refused = refusalOf(proposal.steps)
    if (refused) return err(refused)
    const level = owner && paths.length > 0 ? access.approvalFor(paths) : 'none'
    const held = owner && heldLevel(raw, owner, level, paths)
    const applied =
      owner && held
        ? propose(raw, access, owner, { ...proposal, level: held })
        : applyNow(raw, access, proposal)
    if (applied.ok && !held && level === 'notify' && !proposal.dryRun)
      raw.drafts.notify(applied.value)
    return applied.ok ? applied : err(withoutHidden(applied.error, proposal.steps, access))
  }

  return {
    access,
    store: views.store,
    search: views.search,
    draft: views.draft,
    version: () => store.totals.version,
    refusalOf,
    apply,
  }
}

/** What the views of a request depend on beside its access. */
interface Viewer {
  readonly store: Store
  readonly session: Session | null
  readonly owner: DraftOwner | null
  readonly draft: Draft | null
}

/** Returns the views of the last request with this access, unless it came from another owner or saw another draft. */
function viewsFor(
  raw: OpenerContext,
  access: Access,
  { store, session, owner, draft }: Viewer,
): Views {
  const last = raw.views.get(access)
  const id = session?.id ?? null
  const key = owner?.key ?? null
  if (last && last.source === store && last.session === id && last.owner === key) return last
  const views: Views = {
    source: store,
    session: id,
    owner: key,
    store: Object.assign(viewFiles(store, access), viewHistory(store, access, id)),
    search: viewSearch(draft ? raw.search.draft(draft.id) : raw.search, access),
    draft: viewDraft(raw, owner, access),
  }
  raw.views.set(access, views)
  return views
}

const storeOf = ({ store }: RawWorkspace, draft: Draft | null): Store =>
  draft ? store.draft(draft.id) : store

/**
 * Returns a function that tells whether a caller's draft still is what it was. Versions cannot tell it: a plan of
 * the workspace does not know a draft that another call has opened since, and what a decision leaves of a draft
 * keeps its versions.
 */
function watchDraft({ drafts }: RawWorkspace, owner: DraftOwner | null): () => boolean {
  if (owner === null) return () => true
  const { key } = owner
  const draft = drafts.of(key)?.id
  const decided = drafts.decidedTimes(key)
  return () => drafts.of(key)?.id === draft && drafts.decidedTimes(key) === decided
}

/** Leaves out of a decision the paths that a request may not touch. */
export function seenDecision<T extends { readonly paths: readonly StorePath[] }>(
  decision: T,
  access: Access,
): T {
  if (access.unrestricted) return decision
  const paths = decision.paths.filter((path) => access.canRead(path) || access.canWrite(path))
  return { ...decision, paths }
}

/** The view of a caller without a draft. */
export const NO_DRAFT: DraftView = {
  open: () => null,
  status: () => ({ open: null, decisions: [], requests: [] }),
  waits: () => false,
  nextDecision: () => Promise.resolve(),
}

function viewDraft(
  { drafts, requests }: Pick<RawWorkspace, 'drafts' | 'requests'>,
  owner: DraftOwner | null,
  access: Access,
): DraftView {
  if (owner === null) return NO_DRAFT
  const { key } = owner
  return {
    open: () => drafts.of(key),
    status: () => ({
      open: drafts.of(key),
      decisions: drafts.decisions(key).map((one) => seenDecision(one, access)),
      requests: requests?.of(key) ?? [],
    }),
    async nextDecision(ms, signal) {
      const over = new AbortController()
      const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal
      const decisions = [drafts, ...(requests ? [requests] : [])]
      await Promise.race(decisions.map((one) => one.nextDecision(key, ms, either)))
      over.abort()
    },
    waits: (change) => drafts.waits(key, change),
  }
}

/**
 * The level at which a change waits, or null if it is applied. This is the only place that decides it, for every
 * route. What concerns the files of a draft waits with it, whatever its own level is.
 */
function heldLevel(
  { drafts }: RawWorkspace,
  owner: DraftOwner,
  level: ApprovalLevel,
  paths: readonly StorePath[],
): HeldLevel | null {
  if (isHeld(level)) return level
  const draft = drafts.of(owner.key)
  return draft && drafts.concerns(draft, paths) ? 'review' : null
}

function applyNow(
  { store, changed }: RawWorkspace,
  access: Access,
  { call: _call, isUnconditional: _isUnconditional, ...proposal }: CallerProposal,
): Result<Applied, Problem> {
  const { steps } = proposal
  const applied = store.apply({ ...proposal, limits: limitsOf(access.owner) })
  if (!applied.ok) return applied
  if (!proposal.dryRun) changed(applied.value, steps)
  return ok({ ...applied.value, draft: null, level: null })
}

function propose(
  { drafts }: RawWorkspace,
  access: Access,
  owner: DraftOwner,
  {
    call,
    isUnconditional: _isUnconditional,
    ...proposal
  }: CallerProposal & { readonly level: HeldLevel },
): Result<Applied, Problem> {
  const limits = limitsOf(access.owner)
  const made = drafts.propose(owner, { ...proposal, limits, call: call ?? null })
  if (!made.ok) return made
  return ok({ ...made.value.change, draft: made.value.draft, level: proposal.level })
}

/** Replaces a hidden path in a problem by the path that the call named. */
function withoutHidden(problem: Problem, steps: readonly Step[], access: Access): Problem {
  if (!('path' in problem) || access.unrestricted) return problem
  const { path } = problem
  const named = steps.flatMap(stepPaths)
  if (named.includes(path) || access.canRead(path)) return problem
  return { reason: 'blocked', path: named[0] ?? access.base }
}
