/**
 * The workspace of one caller: the store, the search and the history, restricted by its access.
 *
 * {@link createOpener} is the only way from the raw store to code that responds to a caller. Every write goes
 * through {@link CallerWorkspace.apply}, which checks each step again (`apply.ts`). `test/rooms.test.ts` checks that
 * tools, resources and streams do not use the raw store.
 *
 * @module
 */

import type { Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import { viewComments, type CommentView, type OpenComments } from './comment-view.ts'
import type { Draft, DraftOwner } from './draft.ts'
import { draftOwnerOf, type DraftCaller } from './draft-owner.ts'
import type { WorkspaceSearch } from '../search/search.ts'
import type { Session } from './session.ts'
import type { Step, Store } from '../store/store.ts'
import type { Access } from './access.ts'
import { applyFor, type Applied, type ApplyParts, type CallerProposal } from './apply.ts'
import { refusalOfSteps } from './authorize.ts'
import { viewDraft, type DraftView, type OpenRequests } from './draft-view.ts'
import { holderOf, viewLeases, type LeaseView } from './lease-view.ts'
import type { LeaseHolder, OpenLeases } from './lease.ts'
import { viewFiles, viewSearch, type FileView, type SearchView } from './file-view.ts'
import { viewFeed, type FeedView } from './feed-view.ts'
import { viewHistory, type HistoryView } from './history-view.ts'

/** The unrestricted parts that a caller's workspace is built from. */
export interface RawWorkspace extends ApplyParts {
  readonly search: WorkspaceSearch
  readonly requests?: OpenRequests | undefined
  readonly comments?: OpenComments | undefined
  readonly leases?: OpenLeases | undefined
}

/** Files and history together, as tools read them. */
export type ReadStore = FileView & HistoryView

/** What a caller may see and do. */
export interface CallerWorkspace {
  readonly access: Access
  readonly store: ReadStore
  readonly search: SearchView
  /** The applied changes that it may see, in order. */
  readonly feed: FeedView
  /** The caller's draft and what was decided on it. */
  readonly draft: DraftView
  /** The comments that it may read. */
  readonly comments: CommentView
  /** The leases that it takes, and those of others. */
  readonly leases: LeaseView
  /** Returns the current workspace version, which a plan is based on. */
  readonly version: () => number
  /** Returns the bytes of all files; null for a caller that may not read everything. */
  readonly size: () => number | null
  /** Returns why steps may not be applied, or null. */
  readonly refusalOf: (steps: readonly Step[]) => Problem | null
  /**
   * Applies all steps, or none if the caller may not take one of them. Where the rules demand an approval, the
   * steps join the caller's draft instead.
   */
  readonly apply: (proposal: CallerProposal) => Result<Applied, Problem>
}

/** Whose request it is; null for the owner in person, whose changes never wait. */
export type Requester = DraftCaller | null

/** Opens the workspace for a caller. */
export type OpenFor = (access: Access, requester: Requester) => CallerWorkspace

/** The views of a caller, and what they were made for. */
interface Views extends Pick<
  CallerWorkspace,
  'store' | 'search' | 'feed' | 'draft' | 'comments' | 'leases'
> {
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
  const holder = owner && holderOf(owner, session?.client ?? null)
  const views = viewsFor(raw, access, { store, session, owner, holder, draft })
  const isPlannedOn = watchDraft(raw, owner)

  const refusalOf = (steps: readonly Step[]) =>
    refusalOfSteps(steps, access, storeOf(raw, owner && raw.drafts.of(owner.key))) ??
    views.leases.refusalOf(steps)

  const author = { access, session, owner, isPlannedOn, refusalOf }
  return {
    access,
    store: views.store,
    search: views.search,
    feed: views.feed,
    draft: views.draft,
    comments: views.comments,
    leases: views.leases,
    version: () => store.totals.version,
    size: () => (access.unrestricted ? store.totals.bytes : null),
    refusalOf,
    apply: (proposal) => applyFor(raw, author, proposal),
  }
}

/** What the views of a request depend on beside its access. */
interface Viewer {
  readonly store: Store
  readonly session: Session | null
  readonly owner: DraftOwner | null
  readonly holder: LeaseHolder | null
  readonly draft: Draft | null
}

/** Returns the views of the last request with this access, unless it came from another owner or saw another draft. */
function viewsFor(
  raw: OpenerContext,
  access: Access,
  { store, session, owner, holder, draft }: Viewer,
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
    feed: viewFeed(raw.store, access, id),
    draft: viewDraft(raw, owner, access),
    comments: viewComments(
      { comments: raw.comments, base: raw.store, store, drafts: raw.drafts },
      owner,
      access,
    ),
    leases: viewLeases({ leases: raw.leases, drafts: raw.drafts, store }, holder, access),
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
