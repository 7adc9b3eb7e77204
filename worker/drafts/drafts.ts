/**
 * The drafts of one workspace: what callers propose, and what the owner decides.
 *
 * {@link createDrafts} is used in two places: `access/workspace.ts`, which lets a change join a draft instead of
 * the workspace, and the owner's routes in `owner/drafts.ts`, which alone decide.
 * `test/worker/drafts/drafts.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { StorePath } from '#core/path.ts'
import type { Problem } from '../errors/problem.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { StoreLimits } from '../store/limits.ts'
import { ANY, type Present } from '../store/open/opening.ts'
import type { AppliedSteps, Change, Proposal as StoreProposal, Store } from '../store/store.ts'
import { approve } from './approve.ts'
import { transact, type DecideParts, type DecisionRequest } from './decide.ts'
import { createConnections, type ConnectionsParts } from './connections.ts'
import { createDecisions } from './decisions.ts'
import { createDecisionCounts } from '../decisions/counts.ts'
import { createNotified } from './notified.ts'
import { drop, expire, findGiver } from './expire.ts'
import type { Draft, DraftOwner, HeldLevel, PlannedCall } from '../access/draft.ts'
import {
  MAX_DRAFT_BYTES,
  MAX_DRAFT_CHANGES,
  MAX_DRAFT_STEPS_LENGTH,
  MAX_DRAFTS,
  MAX_STEPS_LENGTH,
  MAX_WORKSPACE_DRAFTS,
} from './limits.ts'
import { createLeftOut } from './left-out.ts'
import { dropInterrupted, type ReplayParts } from './replay.ts'
import { reviewChange, type ChangeReview } from './review-change.ts'
import { createConflicts } from './conflicts.ts'
import { createReviews } from './reviews.ts'
import { bytesOf, lengthOfSteps } from './stored-steps.ts'
import { bytesOfCall } from './proposals.ts'
import { createDraftTable } from './table.ts'
import { createTakeOver, hear, isSame, type TakeOverParts } from './take-over.ts'
import { turnDown } from './turn-down.ts'
import { createWaitingCalls } from './waiting-calls.ts'

/** A change that a caller proposes: steps that were planned over its draft, and the call they came from. */
export interface Proposed extends Omit<StoreProposal, 'limits' | 'as'> {
  readonly limits: StoreLimits
  readonly call: PlannedCall | null
  readonly level: HeldLevel
}

/** The services of drafts. */
export interface DraftsParts extends ReplayParts, ConnectionsParts {
  readonly changed: DecideParts['changed']
  readonly isPasskeyMissing: DecideParts['isPasskeyMissing']
  /** Which rows there are to read. */
  readonly has?: Present
  readonly moved: TakeOverParts['moved']
  /** Called when a draft has changed for its agent: decided or expired. */
  readonly decided: DecideParts['decided']
  /** Called in the transaction of a decision; without it, nothing is kept with drafts elsewhere. */
  readonly settle?: DecideParts['settle']
  /** Called when a change was applied of which the owner is notified. */
  readonly notified: (change: Change) => void
  /** Called when the owner has seen such changes. */
  readonly seen: () => void
  /** Called when a change joined a draft, with whether it is the first. */
  readonly proposed: (draft: Draft, isFirst: boolean, proposed: AppliedSteps) => void
}

/** The drafts of one workspace. */
export type Drafts = ReturnType<typeof createDrafts>

type DraftsContext = TakeOverParts & Pick<DraftsParts, 'proposed'>

/** Opens the drafts of a workspace. */
export function createDrafts(parts: DraftsParts) {
  const { sql, store } = parts
  const counts = createDecisionCounts()
  const notified = createNotified(sql, store, parts.seen)
  const context = openContext({ ...parts, decided: countFor(counts, parts.decided) })
  const { table, decisions, waitingCalls } = context
  return {
    ...createTakeOver(context),
    /** The open draft of an owner, or null. */
    of: (owner: string) => table.of(owner),
    /** Whether a change waits in the draft of an owner. */
    waits: (owner: string, change: string) => waits(context, owner, change),
    /** The reason that the agent gave for its draft, as its claim; empty if it gave none. */
    reasonOf: table.reasonOf,
    /** Replaces the reason of the open draft of an owner. Returns the draft; null if there is none. */
    explain: (owner: string, reason: string) => explain(context, owner, reason),
    waitingCalls,
    /** A number that grows with each decision on the drafts of an owner. */
    decidedTimes: counts.count,
    /** Resolves at the next decision for an owner, after `ms`, or when `signal` is aborted. */
    nextDecision: counts.next,
    all: () => table.all(),
    named: (name: string) => table.named(name),
    /** Whether the owner left something out of what was proposed for a path. */
    hasLeftOut: (path: StorePath) => context.leftOut.has(path),
    /** Whether the caller's draft has a state of its own around these paths. */
    concerns: (draft: Draft, paths: readonly StorePath[]) => store.concernsDraft(draft.id, paths),
    othersAt: (owner: string, path: StorePath) => othersAt(context, owner, path),
    propose: (owner: DraftOwner, proposed: Proposed) => propose(context, owner, proposed),
    review: createReviews(context),
    /** Lists the changes of a draft that no longer fit the workspace. */
    conflicts: createConflicts(context),
    /** Reviews one change of a draft on its own, after the earlier ones that it depends on; null if there is none. */
    reviewChange: <T>(
      draft: Draft,
      change: string,
      work: (review: ChangeReview) => MaybePromise<T>,
    ) => reviewChange(context, draft, change, work),
    approve: (name: string, request: DecisionRequest) => approve(context, name, request),
    turnDown: (name: string, request: DecisionRequest) => turnDown(context, name, request),
    /**
     * Lists an applied change for the owner. `budget` is the principal whose share of the list it uses, `until` the time of
     * the trust by which it passed.
     */
    notify: (change: Change, budget: string, until: number | null): void => {
      notified.add(change.version, budget, until)
      parts.notified(change)
    },
    unseen: notified.list,
    countUnseen: notified.count,
    seen: notified.seen,
    decisions: decisions.of,
    hasNews: decisions.hasNews,
    takeNews: decisions.takeNews,
    countWaiting: () => table.all().reduce((sum, { changes }) => sum + changes, 0),
    expire: (now: number, lifetimeMs: number) => expire(context, now, lifetimeMs),
  }
}

/** Counts each decision, before others learn of it. */
const countFor =
  (counts: { readonly add: (owner: string) => void }, decided: DecideParts['decided']) =>
  (...[owner, ...facts]: Parameters<DecideParts['decided']>): void => {
    counts.add(owner)
    decided(owner, ...facts)
  }

/** Lists the drafts of other owners in which a change of a path waits. Without another draft there is no query. */
function othersAt({ table, store }: DraftsContext, owner: string, path: StorePath): Draft[] {
  const others = table.all().filter((draft) => draft.owner.key !== owner)
  if (others.length === 0) return []
  const found = store.findDraftsAt(
    others.map(({ id }) => id),
    path,
  )
  return others.filter(({ id }) => found.includes(id))
}

/** Opens the tables of drafts. */
function openContext(parts: DraftsParts): DraftsContext {
  const { sql, store, has = ANY } = parts
  if (has.drafts) dropInterrupted(sql, store)
  return {
    ...parts,
    table: createDraftTable(sql, store, has),
    decisions: createDecisions(sql, has),
    waitingCalls: createWaitingCalls(sql),
    leftOut: createLeftOut(sql),
    connections: createConnections(parts),
  }
}

function waits({ table }: DraftsContext, owner: string, change: string): boolean {
  const draft = table.of(owner)
  return draft !== null && table.has(draft, change)
}

function explain({ table }: DraftsContext, owner: string, reason: string): Draft | null {
  const draft = table.of(owner)
  if (draft) table.explain(draft, reason)
  return draft
}

/** Adds a change to the draft of its owner, and opens one if there is none. */
function propose(
  context: DraftsContext,
  owner: DraftOwner,
  { call, level, ...proposal }: Proposed,
): Result<{ readonly change: Change; readonly draft: Draft }, Problem> {
  const { store, table } = context
  const open = table.of(owner.key)
  const full = refuseBeyondLimits(context, owner, open, { steps: proposal.steps, call })
  if (full) return err(full)
  const heldBytes = heldBeside(context, open, proposal)
  const limits = { ...proposal.limits, versions: MAX_DRAFT_CHANGES, heldBytes }
  if (proposal.dryRun) {
    const layer: Store = open ? store.draft(open.id) : store
    const tried = layer.apply({ ...proposal, limits })
    return tried.ok ? ok({ change: tried.value, draft: open ?? NONE }) : tried
  }
  const basis = store.workspaceVersion
  const all = table.all()
  const giver = !open && all.length >= MAX_WORKSPACE_DRAFTS && findGiver(all, owner.budget)
  const result = transact(context, () => {
    const draft = open ?? table.open(owner, Date.now())
    const applied = store.draft(draft.id).apply({ ...proposal, limits })
    if (!applied.ok) {
      if (!open) table.remove(draft, [])
      return applied
    }
    const change = applied.value
    const { version, id, at } = change
    const { note, steps } = proposal
    record(context, draft, change, proposal)
    const joined = table.add(draft, { version, id, at, level, basis, note, steps, call })
    return ok({ change, draft: staysWithOwner(joined, owner, call) ? table.keep(joined) : joined })
  })
  if (!result.ok) return result
  const { draft, change } = result.value
  if (giver) drop(context, giver, 'The workspace has no room for this draft.')
  hear(context, owner.key)
  context.proposed(draft, !open, { change, steps: proposal.steps })
  return result
}

/**
 * Whether no other connection may take a draft over from now on, because a change of it was made with more than the
 * credential of its connection, or with another token. An upload brings its content along.
 */
const staysWithOwner = (
  { credential }: Draft,
  { connection }: DraftOwner,
  call: PlannedCall | null,
): boolean =>
  credential !== null &&
  call !== null &&
  ((call.allowed ?? []).length > 0 || !isSame(credential, connection?.credential ?? null))

/**
 * The bytes that the drafts of others add to the workspace. They are counted one by one only where the workspace may be
 * full with them.
 */
function heldBeside(
  { store, table }: DraftsContext,
  open: Draft | null,
  { steps, limits }: Pick<Proposed, 'steps' | 'limits'>,
): number {
  const others = table.all().filter((draft) => draft !== open)
  const most = others.reduce((sum, { bytes }) => sum + bytes, 0)
  const { bytes: now } = store.totals
  const mine = (open?.bytes ?? 0) + bytesOf(steps)
  if (now + mine + most <= limits.workspaceBytes) return 0
  const added = others.map(({ id }) => store.draft(id).totals.bytes - now)
  return added.reduce((sum, bytes) => sum + Math.max(0, bytes), 0)
}

/** In place of the draft that a preview would open. */
const NONE: Draft = {
  id: 0,
  name: '',
  owner: { key: '', principal: '', session: null, label: null, budget: '' },
  credential: null,
  opened: 0,
  touched: 0,
  changes: 0,
  bytes: 0,
  length: 0,
}

function record(
  { store }: DraftsContext,
  draft: Draft,
  { id, at, tool, intent, actor }: Change,
  { note, steps }: Pick<Proposed, 'note' | 'steps'>,
): void {
  const paths = steps.flatMap((step) => (step.type === 'move' ? [step.from, step.to] : [step.path]))
  const { digest = '', decision } = note
  const budget = draft.owner.budget
  store.audit.record({
    ...{ id, at, tool, intent, decision, digest, paths },
    actor: { ...actor, budget },
    outcome: 'proposed',
    version: null,
  })
}

function refuseBeyondLimits(
  { table }: DraftsContext,
  owner: DraftOwner,
  open: Draft | null,
  { steps, call }: Pick<Proposed, 'steps' | 'call'>,
): Problem | null {
  const length = lengthOfSteps(steps)
  if (length > MAX_STEPS_LENGTH)
    return { reason: 'draft_full', limit: MAX_STEPS_LENGTH, unit: 'path_bytes' }
  if (length + (open?.length ?? 0) > MAX_DRAFT_STEPS_LENGTH)
    return { reason: 'draft_full', limit: MAX_DRAFT_STEPS_LENGTH, unit: 'path_bytes' }
  const all = table.all()
  const mine = all.filter((draft) => draft.owner.budget === owner.budget)
  const waiting = mine.reduce((sum, { bytes }) => sum + bytes, 0)
  if (bytesOf(steps) + bytesOfCall(call) + waiting > MAX_DRAFT_BYTES)
    return { reason: 'draft_full', limit: MAX_DRAFT_BYTES, unit: 'bytes' }
  if (open && open.changes >= MAX_DRAFT_CHANGES)
    return { reason: 'draft_full', limit: MAX_DRAFT_CHANGES, unit: 'changes' }
  if (open) return null
  if (all.length >= MAX_WORKSPACE_DRAFTS && !findGiver(all, owner.budget))
    return { reason: 'draft_full', limit: MAX_WORKSPACE_DRAFTS, unit: 'drafts' }
  return mine.length >= MAX_DRAFTS
    ? { reason: 'draft_full', limit: MAX_DRAFTS, unit: 'drafts' }
    : null
}
