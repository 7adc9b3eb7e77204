/**
 * Applying the change of a caller: whether it may, and whether the change is written or waits in a draft.
 *
 * Each step is checked in the same turn in which it is written. `test/worker/access/writes.test.ts` tests the
 * checks, and `test/worker/access/approvals.test.ts` which changes wait.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import { err, ok, type Result } from '#core/result.ts'
import { isHeld, type Draft, type DraftOwner, type HeldLevel, type PlannedCall } from './draft.ts'
import { withoutTotals, type Problem } from '../errors/problem.ts'
import type { Session } from './session.ts'
import { limitsOf } from '../store/limits.ts'
import type { SqliteStore } from '../store/open/sqlite.ts'
import { placesOf, stepPaths } from '../store/write/steps.ts'
import type { AppliedSteps, Change, Proposal, Step } from '../store/store.ts'
import type { Access } from './access.ts'
import type { OpenDrafts } from './draft-view.ts'
import type { OpenTrusts, Trust } from './trust.ts'

/** The unrestricted parts that applying uses. */
export interface ApplyParts {
  readonly store: SqliteStore
  readonly drafts: OpenDrafts
  readonly trusts: OpenTrusts
  /** Called after changes were applied, with all those of one decision. */
  readonly changed: (applied: readonly AppliedSteps[]) => void
  /** Whether rules and session are still those from which an access was computed. */
  readonly isCurrent: (access: Access, session: Session | null) => boolean
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

/** The caller of a change, with what may have changed since it was planned. */
export interface Author {
  readonly access: Access
  readonly session: Session | null
  /** Whose draft its changes join; null for the owner in person. */
  readonly owner: DraftOwner | null
  /** Whether its draft still is what it was planned on. */
  readonly isPlannedOn: () => boolean
  /** Returns why steps may not be applied, or null. */
  readonly refusalOf: (steps: readonly Step[]) => Problem | null
}

/** Applies the change of a caller, or adds it to its draft. */
export function applyFor(
  parts: ApplyParts,
  { access, session, owner, isPlannedOn, refusalOf }: Author,
  proposal: CallerProposal,
): Result<Applied, Problem> {
  if (!parts.isCurrent(access, session)) return err({ reason: 'access_changed' })
  const paths = proposal.steps.flatMap(stepPaths)
  const [first] = paths
  if (first !== undefined && !proposal.isUnconditional && !isPlannedOn())
    return err({ reason: 'changed_meanwhile', path: first })
  const refused = refusalOf(proposal.steps)
  if (refused) return err(refused)
  // Folders that go if they are empty have the level of what goes with them, or their own.
  const judged = paths.length > 0 ? paths : proposal.steps.flatMap(placesOf)
  const level = owner && judged.length > 0 ? access.approvalFor(judged) : 'none'
  const by: Passing = { access, session, owner }
  const { held, trust } = owner ? heldLevel(parts, by, level, proposal) : NOT_HELD
  const applied =
    owner && held
      ? propose(parts, access, owner, { ...proposal, level: held })
      : applyNow(parts, access, trust ? withGround(proposal, trust) : proposal)
  if (applied.ok && owner && !held && (trust || level === 'notify') && !proposal.dryRun)
    parts.drafts.notify(applied.value, owner.budget, trust?.until ?? null)
  return applied.ok ? applied : err(withoutHidden(applied.error, proposal.steps, access))
}

/** Whose change may pass. */
type Passing = Pick<Author, 'access' | 'session' | 'owner'>

/** The level at which a change waits, or null if it is applied, and the trust by which it passes. */
interface Held {
  readonly held: HeldLevel | null
  readonly trust: Trust | null
}

const NOT_HELD: Held = { held: null, trust: null }

/**
 * Decides whether a change waits. This is the only place that decides it, for every route. What concerns the files of a
 * draft waits with it, whatever its own level is, and whatever the owner lets pass.
 */
function heldLevel(
  parts: ApplyParts,
  by: Passing,
  level: ApprovalLevel,
  proposal: CallerProposal,
): Held {
  if (level === 'confirm') return { held: level, trust: null }
  const paths = proposal.steps.flatMap(stepPaths)
  const draft = by.owner && parts.drafts.of(by.owner.key)
  if (draft && parts.drafts.concerns(draft, paths)) return { held: 'review', trust: null }
  if (!isHeld(level)) return NOT_HELD
  const trust = passingTrust(parts, by, proposal)
  return trust ? { held: null, trust } : { held: level, trust: null }
}

/** Returns the trust by which a change passes; null for a caller without a session. */
function passingTrust(
  { trusts, store, drafts }: ApplyParts,
  { access, session }: Passing,
  { steps, note }: CallerProposal,
): Trust | null {
  if (!session) return null
  const { hasLeftOut } = drafts
  return trusts.passing({
    ...{ session: session.id, access, tool: note.tool },
    ...{ steps, store, hasLeftOut },
  })
}

/** Adds to the note of a change what let it pass. */
function withGround(proposal: CallerProposal, { id, until }: Trust): CallerProposal {
  const { note } = proposal
  return {
    ...proposal,
    note: { ...note, decision: [...note.decision, { kind: 'trust', id, until }] },
  }
}

function applyNow(
  { store, changed }: ApplyParts,
  access: Access,
  { call: _call, isUnconditional: _isUnconditional, ...proposal }: CallerProposal,
): Result<Applied, Problem> {
  const { steps } = proposal
  const applied = store.apply({ ...proposal, limits: limitsOf(access.owner) })
  if (!applied.ok) return applied
  if (!proposal.dryRun) changed([{ change: applied.value, steps }])
  return ok({ ...applied.value, draft: null, level: null })
}

function propose(
  { drafts }: ApplyParts,
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

/** Replaces a hidden path in a problem by the path that the call named, and leaves out what it says of the workspace. */
function withoutHidden(problem: Problem, steps: readonly Step[], access: Access): Problem {
  if (access.unrestricted) return problem
  if (!('path' in problem)) return withoutTotals(problem)
  const { path } = problem
  const named = steps.flatMap(stepPaths)
  if (named.includes(path) || access.canRead(path)) return problem
  return { reason: 'blocked', path: named[0] ?? access.base }
}
