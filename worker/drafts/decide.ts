/**
 * Deciding: finds what a decision of a person is about, and carries it out as one.
 *
 * The only callers are the owner's routes. What is decided is what the named revision showed: the draft is planned
 * again, and any difference refuses the decision. `approve.ts` and `turn-down.ts` are the two decisions.
 * `test/worker/drafts/drafts.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import { stepPaths } from '../store/steps.ts'
import type { AppliedSteps } from '../store/store.ts'
import type { PasskeyProof } from '../passkeys/passkeys.ts'
import type { Draft, HeldLevel } from './draft.ts'
import type { DecisionOutcome, Decisions } from './decisions.ts'
import { MAX_REPLAYS } from './limits.ts'
import { withReplay, type ReplayParts } from './replay.ts'
import { select, shownOf, type Selection } from './selection.ts'
import type { DraftTable } from './table.ts'
import { lastOf, revisionOf } from './review.ts'
import type { WaitingCall, WaitingCalls } from './waiting-calls.ts'

/** What deciding uses. */
export interface DecideParts extends ReplayParts {
  readonly table: DraftTable
  readonly decisions: Decisions
  readonly waitingCalls: WaitingCalls
  /** Whether approving a change of a level needs a passkey that the request does not prove. */
  readonly isPasskeyMissing: (level: HeldLevel, proof: PasskeyProof | null) => boolean
  /** Called after an approval, with all changes that it applied. */
  readonly changed: (applied: readonly AppliedSteps[]) => void
  /** Called after a decision, with the key of the draft's owner, and the calls that waited for it. */
  readonly decided: (owner: string, calls: readonly WaitingCall[]) => void
}

/** A decision as it was requested. Without `changes` and `groups` it is on everything that
 * the revision shows. */
export interface DecisionRequest {
  readonly revision: string
  readonly changes?: readonly string[] | undefined
  /** Numbers of groups of changes, as they were shown. */
  readonly groups?: readonly number[] | undefined
  /** A note to the agent. */
  readonly note: string
  /** The principal that decides. */
  readonly by: string
  /** The passkey that was used for exactly this decision. */
  readonly passkey?: PasskeyProof | null
}

/** A decision that was carried out. */
export interface Decided {
  /** The id that takes back everything that was approved; null if changes were turned down. */
  readonly approval: string | null
  /** Number of changes that were decided, and of those that still wait. */
  readonly decided: number
  readonly left: number
}

/** Carries a decision out. `isLive`: nothing had to be planned again. */
type Carry = (draft: Draft, selection: Selection, isLive: boolean) => Result<Decided, Problem>

/** Plans what the revision showed again, and carries the decision out if nothing of it has changed. */
export async function decide(
  parts: DecideParts,
  name: string,
  { revision, changes, groups }: DecisionRequest,
  carry: Carry,
): Promise<Result<Decided, Problem>> {
  for (let attempt = 1; attempt <= MAX_REPLAYS; attempt++) {
    const draft = parts.table.named(name)
    if (!draft) return err({ reason: 'no_draft', draft: name })
    const last = lastOf(revision)
    if (last === null) return err({ reason: 'draft_changed', draft: name })
    const done = await withReplay(parts, draft, parts.table.proposals(draft), (replay) => {
      // Both can change while a tool reads files to plan again.
      const isCurrent =
        parts.store.workspaceVersion === replay.at && parts.table.named(name) === draft
      if (!isCurrent) return null
      const selection = select(replay.entries, last, { changes, groups })
      const isShown = revisionOf(shownOf(replay.entries, last), parts.store) === revision
      if (!isShown || selection.chosen.length === 0)
        return err<Problem>({ reason: 'draft_changed', draft: name })
      return carry(draft, selection, replay.isLive)
    })
    if (done !== null) return done
  }
  return err({ reason: 'draft_changed', draft: name })
}

/** Thrown inside a transaction, so that it is rolled back. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.reason)
    this.problem = problem
  }
}

/** Runs work as one transaction of the store and of the tables of drafts. */
export function runWhole(parts: DecideParts, work: () => void): Result<null, Problem> {
  try {
    parts.store.transaction(work)
    return ok(null)
  } catch (error) {
    parts.table.reload()
    if (error instanceof Refused) return err(error.problem)
    throw error
  }
}

/** Records a decision for the agent. Returns the calls that waited for it. */
export function report(
  { decisions, waitingCalls }: DecideParts,
  draft: Draft,
  { chosen }: Selection,
  { outcome, by, note, versions }: Report,
): WaitingCall[] {
  const paths = [
    ...new Set(chosen.flatMap(({ proposal }) => proposal.steps ?? []).flatMap(stepPaths)),
  ]
  const at = Date.now()
  decisions.add(draft.owner.key, {
    draft: draft.name,
    outcome,
    approver: by,
    note,
    at,
    changes: chosen.length,
    paths,
    ids: chosen.map(({ proposal }) => proposal.id),
  })
  return chosen.flatMap(({ proposal: { id, level, note: about }, answer }, index) => {
    if (level !== 'confirm') return []
    const version = versions[index] ?? null
    const again = answer && { tool: about.tool, intent: about.intent, answer }
    return waitingCalls.decide(id, { outcome, note, at, version }, again) ?? []
  })
}

/** What is reported of a decision; `versions` are those of the applied changes, in their order. */
interface Report extends Pick<DecisionRequest, 'by' | 'note'> {
  readonly outcome: DecisionOutcome
  readonly versions: readonly number[]
}
