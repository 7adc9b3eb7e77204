/**
 * Approving: applies the changes of a draft that a person chose, in one transaction, or none of them.
 *
 * A missing passkey refuses an approval here and nowhere else. `test/worker/drafts/drafts.test.ts` and
 * `test/worker/drafts/decide.test.ts` have the cases.
 *
 * @module
 */

import { describeActor } from '#core/actor.ts'
import { err, ok, type Result } from '#core/result.ts'
import { refusalOfSteps } from '../access/authorize.ts'
import { noteDecision } from '../call/audit-note.ts'
import { codeOf, type Problem } from '../errors/problem.ts'
import { limitsOf } from '../store/limits.ts'
import type { AppliedSteps, Step } from '../store/store.ts'
import {
  decide,
  Refused,
  report,
  runWhole,
  type Decided,
  type DecideParts,
  type DecisionRequest,
} from './decide.ts'
import type { Draft, Proposal } from './draft.ts'
import { removeApproved } from './remove.ts'
import type { Replay } from './replay.ts'
import { checkConfirmed, checkFitting, checkSeparable, type Selection } from './selection.ts'
import type { WaitingCall } from './waiting-calls.ts'

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

function applyChosen(
  parts: DecideParts,
  draft: Draft,
  selection: Selection,
  { by, note, passkey = null, isLive }: DecisionRequest & Pick<Replay, 'isLive'>,
): Result<Decided, Problem> {
  const approval = { id: crypto.randomUUID(), by }
  const limits = limitsOf(parts.accessOf(draft).owner)
  const applied: AppliedSteps[] = []
  let calls: WaitingCall[] = []
  const result = runWhole(parts, () => {
    for (const { proposal, planned, isClean } of selection.chosen) {
      if (!planned.ok) continue
      const steps = planned.value
      refuseForbidden(parts, draft, proposal, steps)
      const change = parts.store.apply({
        basis: parts.store.totals.version,
        steps,
        note: {
          ...proposal.note,
          id: proposal.id,
          approval: isClean ? { ...approval, proposed: proposal.version } : approval,
          decision: [
            { kind: 'approval', by, draft: draft.name },
            ...(passkey ? [passkey] : []),
            ...proposal.note.decision,
          ],
        },
        limits,
      })
      if (!change.ok) throw new Refused(change.error)
      applied.push({ change: change.value, steps })
    }
    removeApproved(parts, draft, selection, isLive)
    const versions = applied.map(({ change }) => change.version)
    calls = report(parts, draft, selection, { outcome: 'approved', by, note, versions })
  })
  if (!result.ok) return result
  parts.changed(applied)
  parts.decided(draft.owner.key, calls)
  const left = parts.table.named(draft.name)?.changes ?? 0
  return ok({ approval: approval.id, decided: applied.length, left })
}

/** Refuses steps that the rules forbid, which can have changed since the replay began. */
function refuseForbidden(
  parts: DecideParts,
  draft: Draft,
  { allowed }: Proposal,
  steps: readonly Step[],
): void {
  const refused = refusalOfSteps(steps, parts.accessOf(draft, allowed), parts.store)
  if (refused) throw new Refused(refused)
}
