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
import { isPlainWrite } from '../store/applied.ts'
import { limitsOf } from '../store/limits.ts'
import { stepPaths } from '../store/steps.ts'
import type { Change, DraftStore, Step } from '../store/store.ts'
import type { PasskeyProof } from '../passkeys/passkeys.ts'
import type { Draft, HeldLevel } from './draft.ts'
import type { DecisionOutcome, Decisions } from './decisions.ts'
import { MAX_DRAFT_CHANGES, MAX_REPLAYS } from './limits.ts'
import { collectConcerns } from './overlap.ts'
import {
  markFitting,
  NO_BASIS,
  withReplay,
  type Replay,
  type Replayed,
  type ReplayParts,
} from './replay.ts'
import {
  checkConfirmed,
  checkFitting,
  checkSeparable,
  select,
  shownOf,
  type Selection,
} from './selection.ts'
import type { DraftTable } from './table.ts'
import { lastOf, revisionOf, stepsOf } from './review.ts'
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
    if (isLive && isSeparate(selection)) takeChosen(parts, draft, selection)
    else removeChosen(parts, draft, selection, true)
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
    removeChosen(parts, draft, selection, false)
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

/** Whether the chosen changes only write files that no other change of the draft concerns. */
function isSeparate({ chosen, others, later }: Selection): boolean {
  const concerns = collectConcerns()
  for (const entry of chosen) {
    const { steps } = stepsOf(entry)
    if (!isPlainWrite(steps)) return false
    concerns.add(steps)
  }
  return ![...others, ...later].some((entry) => concerns.meets(stepsOf(entry).steps))
}

/** Takes applied changes out of a draft of which the rest stays as it is. */
function takeChosen(
  { store, table }: DecideParts,
  draft: Draft,
  { chosen, others, later }: Selection,
): void {
  const written = collectConcerns()
  for (const entry of chosen) written.add(stepsOf(entry).steps)
  // A folder that a change creates and the workspace has now is no reason to plan it again.
  const created = [...others, ...later].filter((entry) =>
    stepsOf(entry).steps.some((step) => step.type === 'folder' && written.isAbove(step.path)),
  )
  const left = table.remove(draft, versionsOf(chosen))
  if (!left) return store.dropDraft(draft.id)
  table.rebase(draft, versionsOf(created), store.workspaceVersion)
  store.dropApplied(
    draft.id,
    chosen.map((entry) => ({ version: entry.proposal.version, ...stepsOf(entry) })),
  )
  markFitting(left, store.workspaceVersion)
}

/**
 * Removes the chosen changes, and writes what stays over the workspace of now. After an approval, what fitted
 * them still fits; after they were turned down, later changes that concern or read their files have to be planned
 * again.
 */
function removeChosen(
  { store, table }: DecideParts,
  draft: Draft,
  selection: Selection,
  isApproved: boolean,
): void {
  const { chosen, others, later } = selection
  const dependent = isApproved ? new Set<Replayed>() : findDependent(selection)
  const fitting = [...others, ...later].filter((entry) => entry.isClean && !dependent.has(entry))
  table.remove(draft, versionsOf(chosen))
  table.rebase(draft, versionsOf(fitting), store.workspaceVersion)
  table.rebase(draft, versionsOf([...dependent]), NO_BASIS)
  const left = table.proposals(draft)
  if (left.length === 0) return store.dropDraft(draft.id)
  store.rewriteDraft(draft.id, (layer) => {
    const lost = left.filter((proposal) => !rewrite(layer, proposal))
    table.rebase(
      draft,
      lost.map(({ version }) => version),
      NO_BASIS,
    )
  })
}

/** Finds the changes that concern or read the files of earlier ones that are removed, or of those that do. */
function findDependent({ chosen, others, later }: Selection): Set<Replayed> {
  const removed = new Set(chosen)
  const concerns = collectConcerns()
  const dependent = [...chosen, ...others, ...later].toSorted(byVersion).filter((entry) => {
    const { steps } = stepsOf(entry)
    const isDependent = !removed.has(entry) && concerns.meets(steps, entry.proposal.readPlaces())
    if (isDependent || removed.has(entry)) concerns.add(steps)
    return isDependent
  })
  return new Set(dependent)
}

const byVersion = (a: Replayed, b: Replayed) => a.proposal.version - b.proposal.version

const versionsOf = (entries: readonly Replayed[]) => entries.map(({ proposal }) => proposal.version)

/**
 * Writes a change of a draft again. If it does not fit, it stays a proposal that the layer does not have, and is
 * shown as a conflict until it can be planned again.
 */
function rewrite(
  layer: DraftStore,
  { version, at, id, note, steps }: Replayed['proposal'],
): boolean {
  if (steps === null) return false
  const limits = { versions: MAX_DRAFT_CHANGES, fileBytes: Infinity, workspaceBytes: Infinity }
  const written = layer.apply({
    basis: layer.totals.version,
    steps,
    note: { ...note, id },
    as: { version, at },
    limits,
  })
  return written.ok
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
  return chosen.flatMap(({ proposal: { id, level } }, index) => {
    if (level !== 'confirm') return []
    const version = versions[index] ?? null
    return waitingCalls.decide(id, { outcome, note, at, version }) ?? []
  })
}

/** What is reported of a decision; `versions` are those of the applied changes, in their order. */
interface Report extends Pick<DecisionRequest, 'by' | 'note'> {
  readonly outcome: DecisionOutcome
  readonly versions: readonly number[]
}
