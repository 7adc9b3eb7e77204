/**
 * Deciding: applies the changes of a draft that a person approves, in one transaction, or turns them down.
 *
 * The only callers are the owner's routes. What is applied is what the named revision showed: the draft is planned
 * again, and any difference refuses the decision. `test/worker/drafts/drafts.test.ts` has the cases.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import { err, ok, type Result } from '#core/result.ts'
import { refusalOfSteps } from '../access/authorize.ts'
import { noteDecision } from '../call/audit-note.ts'
import { codeOf, type Problem } from '../errors/problem.ts'
import { limitsOf } from '../store/limits.ts'
import { stepPaths } from '../store/steps.ts'
import type { Change, Step } from '../store/store.ts'
import type { PasskeyProof } from '../passkeys/passkeys.ts'
import type { Draft, HeldLevel } from './draft.ts'
import type { DecisionOutcome, Decisions } from './decisions.ts'
import { MAX_REPLAYS } from './limits.ts'
import { removeApproved, removeTurnedDown } from './remove.ts'
import { withReplay, type Replay, type ReplayParts } from './replay.ts'
import {
  checkConfirmed,
  checkFitting,
  checkSeparable,
  select,
  shownOf,
  type Selection,
} from './selection.ts'
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
  /** Called after each applied change. */
  readonly changed: (change: Change, steps: readonly Step[]) => void
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

/** Thrown inside a transaction, so that it is rolled back. */
class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.reason)
    this.problem = problem
  }
}

/** Applies changes of a draft. */
export function approve(
  parts: DecideParts,
  name: string,
  request: DecisionRequest,
): Promise<Result<Decided, Problem>> {
  return decide(parts, name, request, (draft, selection, isLive) => {
    const checked = [
      checkSeparable(selection, 'before'),
      checkConfirmed(selection),
      checkFitting(name, selection),
      checkPasskey(parts, selection, request),
    ].find((one) => !one.ok)
    if (checked && !checked.ok) {
      if (checked.error.reason === 'draft_conflict') noteConflict(parts, draft, selection, request)
      return checked
    }
    return applyChosen(parts, draft, selection, { ...request, isLive })
  })
}

/** Checks that a passkey was used, if any of the changes needs one. Turning down never does. */
function checkPasskey(
  { isPasskeyMissing }: DecideParts,
  { chosen }: Selection,
  { passkey = null }: DecisionRequest,
): Result<null, Problem> {
  const isMissing = chosen.some(({ proposal }) => isPasskeyMissing(proposal.level, passkey))
  return isMissing ? err({ reason: 'passkey_required' }) : ok(null)
}

/** Records in the audit log that an approval was refused, because changes do not fit the workspace any more. */
function noteConflict(
  { store }: DecideParts,
  draft: Draft,
  { chosen }: Selection,
  { by }: DecisionRequest,
): void {
  const failed = chosen.filter(({ planned }) => !planned.ok)
  // An entry has each kind of ground once, so it names the first conflict.
  const [first] = failed.flatMap(({ planned }) => (planned.ok ? [] : [codeOf(planned.error)]))
  noteDecision(
    {
      actor: { principal: by, session: null, label: null },
      tool: 'approve_draft',
      intent: `Approve ${failed.length} ${failed.length === 1 ? 'change' : 'changes'} of ${describeActor(draft.owner)} in conflict`,
      request: [draft.name, failed.map(({ proposal }) => proposal.id)],
      decision: first === undefined ? [] : [{ kind: 'refused', code: first }],
      outcome: 'refused',
    },
    store.audit,
  )
}

/** Turns changes of a draft down. */
export function turnDown(
  parts: DecideParts,
  name: string,
  request: DecisionRequest,
): Promise<Result<Decided, Problem>> {
  return decide(parts, name, request, (draft, selection) => {
    const checked = checkSeparable(selection, 'after')
    if (!checked.ok) return checked
    return dropChosen(parts, draft, selection, { ...request, outcome: 'turned_down' })
  })
}

type Carry = (draft: Draft, selection: Selection, isLive: boolean) => Result<Decided, Problem>

/** Plans what the revision showed again, and carries the decision out if nothing of it has changed. */
async function decide(
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

function applyChosen(
  parts: DecideParts,
  draft: Draft,
  selection: Selection,
  { by, note, passkey, isLive }: DecisionRequest & Pick<Replay, 'isLive'>,
): Result<Decided, Problem> {
  const approval = { id: crypto.randomUUID(), by }
  const access = parts.accessOf(draft)
  const applied: { change: Change; steps: readonly Step[] }[] = []
  let calls: WaitingCall[] = []
  const result = whole(parts, () => {
    for (const { proposal, planned, isClean } of selection.chosen) {
      if (!planned.ok) continue
      const { id, note: about } = proposal
      const steps = planned.value
      // The rules can have changed since the replay began.
      const current = parts.accessOf(draft, proposal.allowed)
      const refused = refusalOfSteps(steps, current, parts.store)
      if (refused) throw new Refused(refused)
      const change = parts.store.apply({
        basis: parts.store.totals.version,
        steps,
        note: {
          ...about,
          id,
          approval: isClean ? { ...approval, proposed: proposal.version } : approval,
          decision: [
            { kind: 'approval', by, draft: draft.name },
            ...(passkey ? [passkey] : []),
            ...about.decision,
          ],
        },
        limits: limitsOf(access.owner),
      })
      if (!change.ok) throw new Refused(change.error)
      applied.push({ change: change.value, steps })
    }
    removeApproved(parts, draft, selection, isLive)
    const versions = applied.map(({ change }) => change.version)
    calls = report(parts, draft, selection, { outcome: 'approved', by, note, versions })
  })
  if (!result.ok) return result
  for (const { change, steps } of applied) parts.changed(change, steps)
  parts.decided(draft.owner.key, calls)
  const left = parts.table.named(draft.name)?.changes ?? 0
  return ok({ approval: approval.id, decided: applied.length, left })
}

/** Removes changes without applying them, and tells the agent. */
export function dropChosen(
  parts: DecideParts,
  draft: Draft,
  selection: Selection,
  request: Pick<DecisionRequest, 'by' | 'note'> & { readonly outcome: DecisionOutcome },
): Result<Decided, Problem> {
  let calls: WaitingCall[] = []
  const result = whole(parts, () => {
    removeTurnedDown(parts, draft, selection)
    calls = report(parts, draft, selection, { ...request, versions: [] })
    const { length } = selection.chosen
    noteDecision(
      {
        actor: { principal: request.by, session: null, label: null },
        tool: request.outcome === 'expired' ? 'expire_draft' : 'turn_down_draft',
        intent: `Turn down ${length} ${length === 1 ? 'change' : 'changes'} of ${describeActor(draft.owner)}`,
        request: [draft.name, selection.chosen.map(({ proposal }) => proposal.id)],
      },
      parts.store.audit,
    )
  })
  if (!result.ok) return result
  parts.decided(draft.owner.key, calls)
  const left = parts.table.named(draft.name)?.changes ?? 0
  return ok({ approval: null, decided: selection.chosen.length, left })
}

/** Runs work as one transaction of the store and of the tables of drafts. */
function whole(parts: DecideParts, work: () => void): Result<null, Problem> {
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
function report(
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
