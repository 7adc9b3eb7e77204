/**
 * Deciding: finds what a decision of a person is about, and carries it out as one.
 *
 * The only callers are the owner's routes. The draft is planned again, and what differs from what was shown refuses
 * the decision. `approve.ts` and `turn-down.ts` are the two decisions.
 * `test/worker/drafts/drafts.test.ts` has the cases.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import type { StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { namedPaths, stepPaths } from '../store/write/steps.ts'
import type { AppliedSteps, Store } from '../store/store.ts'
import type { PasskeyProof } from '../passkeys/passkeys.ts'
import type { Draft, HeldLevel, DecisionOutcome, Proposal } from '../access/draft.ts'
import { amendAnswer, fitAmended } from './amended.ts'
import type { AmendedFile, Amendment } from './amend.ts'
import type { Decisions } from './decisions.ts'
import type { LeftOut } from './left-out.ts'
import { MAX_REPLAYS } from './limits.ts'
import { collectConcerns } from './overlap.ts'
import {
  isUndisturbed,
  withPart,
  withReplay,
  type Replay,
  type Replayed,
  type ReplayParts,
} from './replay.ts'
import { parseRevision } from './review.ts'
import { isWhole, select, type Selection } from './selection.ts'
import type { DraftTable } from './table.ts'
import { unitsOf, type Unit } from './units.ts'
import type { WaitingCall, WaitingCalls } from './waiting-calls.ts'

/** What deciding uses. */
export interface DecideParts extends ReplayParts {
  readonly table: DraftTable
  readonly decisions: Decisions
  readonly waitingCalls: WaitingCalls
  readonly leftOut: LeftOut
  /** Called in the transaction of a decision. */
  readonly settle?: ((settled: SettledDraft) => void) | undefined
  /** Whether approving a change of a level needs a passkey that the request does not prove. */
  readonly isPasskeyMissing: (level: HeldLevel, proof: PasskeyProof | null) => boolean
  /** Called after an approval, with all changes that it applied. */
  readonly changed: (applied: readonly AppliedSteps[]) => void
  /**
   * Called after a decision, with the key of the draft's owner, the calls that waited for it, and the paths of what was
   * turned down; also when a draft has moved to another owner, which decides nothing.
   */
  readonly decided: (
    owner: string,
    calls: readonly WaitingCall[],
    paths: readonly StorePath[],
    decision?: DraftDecision,
  ) => void
}

/** A decision on changes of a draft, which may have others left. */
export interface DraftDecision {
  readonly draft: Draft
  readonly outcome: DecisionOutcome
}

/** What became of changes of a draft, for what is kept with it elsewhere. */
interface SettledDraft {
  readonly draft: string
  readonly paths: readonly StorePath[]
  readonly isApproved: boolean
  /** Whether nothing of the draft waits any more. */
  readonly isOver: boolean
  /** Lists the paths of what waits. */
  readonly waiting: () => readonly StorePath[]
}

/** A decision as it was requested. Without `changes` and `groups` it is on everything that the revision shows. */
export interface DecisionRequest {
  readonly revision: string
  readonly changes?: readonly string[] | undefined
  /** Numbers of groups of changes, as they were shown. */
  readonly groups?: readonly number[] | undefined
  /** The digest of what is approved; that of the revision by default. */
  readonly digest?: string | undefined
  /** Paths with content that cannot be shown as text, which the person approves all the same. */
  readonly unseen?: readonly string[] | undefined
  /** What the person makes of proposed texts. */
  readonly amended?: readonly Amendment[] | undefined
  /** A note to the agent. */
  readonly note: string
  /** The reason of the agent that was shown; undefined if that is not known. */
  readonly reason?: string | undefined
  /** The principal that decides. */
  readonly by: string
  /** Its address, where Cloudflare Access has proved it; only the audit log has it. */
  readonly email?: string | undefined
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

/** What is decided: changes of a draft, planned on the workspace as it is now. */
export interface Decision {
  readonly draft: Draft
  readonly selection: Selection
  readonly replay: Replay
  /** The digest of what the revision showed. */
  readonly shown: string
  /** Whether neither the draft, nor the rules, nor what it concerns in the workspace have changed since it was planned. */
  readonly isCurrent: () => boolean
}

/** Carries a decision out; null if it has to be planned again. */
type Carry = (decision: Decision) => MaybePromise<Result<Decided, Problem> | null>

/** Plans a draft again, and carries a decision on it out. */
export async function decide(
  parts: DecideParts,
  name: string,
  { revision, changes, groups }: DecisionRequest,
  carry: Carry,
): Promise<Result<Decided, Problem>> {
  const changed = err<Problem>({ reason: 'draft_changed', draft: name })
  const named = parseRevision(revision)
  if (named === null) return parts.table.named(name) ? changed : noDraft(name)
  for (let attempt = 1; attempt <= MAX_REPLAYS; attempt++) {
    const draft = parts.table.named(name)
    if (!draft) return noDraft(name)
    const rules = parts.accessOf(draft).owner
    const done = await withReplay(parts, draft, parts.table.proposals(draft), (replay) => {
      // All three can change while a tool reads files to plan again.
      const isCurrent = () =>
        parts.table.named(name) === draft &&
        parts.accessOf(draft).owner === rules &&
        isUndisturbed(parts, replay)
      if (!isCurrent()) return null
      const selection = select(replay.entries, named.last, { changes, groups })
      const isKnown = replay.entries.some(({ proposal }) => proposal.version >= named.last)
      if (!isKnown || selection.chosen.length === 0) return changed
      return carry({ draft, selection, replay, shown: named.digest, isCurrent })
    })
    if (done !== null) return done
  }
  return changed
}

/** Runs work on the units that some of the changes are, without all others; null if it has to be planned again. */
export async function withUnits<T>(
  parts: DecideParts,
  { draft, replay, isCurrent }: Decision,
  entries: readonly Replayed[],
  work: (units: readonly Unit[], store: Store) => MaybePromise<T | null>,
): Promise<T | null> {
  const context = { draft: draft.name, base: parts.store }
  if (isWhole(entries, replay.entries))
    return work(unitsOf({ entries, store: replay.store }, context), replay.store)
  const proposals = entries.map(({ proposal }) => proposal)
  return withPart(parts, draft, proposals, (part) =>
    isCurrent() ? work(unitsOf(part, context), part.store) : null,
  )
}

const noDraft = (draft: string) => err<Problem>({ reason: 'no_draft', draft })

/** Thrown inside a transaction, so that it is rolled back. */
export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.reason)
    this.problem = problem
  }
}

/** Runs work as one transaction of the store and of the tables of drafts, and returns what it returns. */
export function transact<T>(
  { store, table }: Pick<DecideParts, 'store' | 'table'>,
  work: () => T,
): T {
  try {
    return store.transaction(work)
  } catch (error) {
    table.reload()
    throw error
  }
}

/** The same for a decision, which is rolled back by a {@link Refused}. */
export function runWhole(parts: DecideParts, work: () => void): Result<null, Problem> {
  try {
    transact(parts, work)
    return ok(null)
  } catch (error) {
    if (error instanceof Refused) return err(error.problem)
    throw error
  }
}

/** The paths that changes name. */
export const pathsOf = (chosen: readonly Replayed[]) =>
  pathsOfProposals(chosen.map(({ proposal }) => proposal))

const pathsOfProposals = (proposals: readonly Pick<Proposal, 'steps'>[]) => [
  ...new Set(proposals.flatMap(({ steps }) => steps ?? []).flatMap(stepPaths)),
]

/** Names changes of a draft in the sentence of a decision. */
export function describeChosen({ name, owner }: Draft, { length }: readonly Replayed[]): string {
  const changes = length === 1 ? 'change' : 'changes'
  return `${length} ${changes} of ${describeActor(owner)} in draft ${name}`
}

/**
 * Builds what the audit log has of a decision on changes of a draft: who decided, on what, and what was written about it.
 * Call it while the draft is open, because its reason ends with it.
 */
export function accountOfDecision(
  { table }: Pick<DecideParts, 'table'>,
  draft: Draft,
  chosen: readonly Replayed[],
  { by, email, note, reason: shown }: Pick<DecisionRequest, 'by' | 'email' | 'note' | 'reason'>,
) {
  const { name } = draft
  const given = table.reasonOf(draft)
  const reason = shown === undefined || shown === given ? given : ''
  return {
    actor: { principal: by, session: null, label: null, ...(email !== undefined && { email }) },
    paths: pathsOf(chosen),
    request: [name, chosen.map(({ proposal }) => proposal.id)],
    review: { draft: name, changes: chosen.length, note, reason },
  }
}

/** Records a decision for the agent. Returns the calls that waited for it. */
export function report(
  { decisions, waitingCalls, settle, table }: DecideParts,
  draft: Draft,
  { chosen }: Selection,
  { outcome, by, note, versions, amended = [] }: Report,
): WaitingCall[] {
  const paths = pathsOf(chosen)
  const at = Date.now()
  decisions.add(draft.owner, {
    draft: draft.name,
    outcome,
    approver: by,
    note,
    at,
    changes: chosen.length,
    paths,
    ids: chosen.map(({ proposal }) => proposal.id),
    ...(amended.length > 0 && { amended: fitAmended(amended.map(({ news }) => news)) }),
  })
  const concerns = collectConcerns()
  concerns.add(amended.map(({ path }) => ({ type: 'remove', path })))
  const left = table.named(draft.name)
  const waiting = () => (left ? pathsOfProposals(table.proposals(left)) : [])
  const isApproved = outcome === 'approved'
  settle?.({ draft: draft.name, paths, isApproved, isOver: left === null, waiting })
  return chosen.flatMap(({ proposal: { id, level, note: about, steps }, answer }) => {
    if (level !== 'confirm') return []
    const version = versions.get(id) ?? null
    const { tool, intent } = about
    const again = answer && { tool, intent, answer, paths: namedPaths(steps ?? []) }
    const call = waitingCalls.decide(id, { outcome, note, at, version }, again)
    if (call && concerns.meets(steps ?? [])) waitingCalls.rewriteAnswer(id, amendAnswer)
    return call ?? []
  })
}

/** What is reported of a decision; `versions` are those of the applied changes, by their ids. */
interface Report extends Pick<DecisionRequest, 'by' | 'note'> {
  readonly outcome: DecisionOutcome
  readonly versions: ReadonlyMap<string, number>
  readonly amended?: readonly AmendedFile[]
}
