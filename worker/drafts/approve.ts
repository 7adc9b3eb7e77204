/**
 * Approving: applies the changes of a draft that a person chose, in one transaction, or none of them.
 *
 * A missing passkey refuses an approval here and nowhere else. `test/worker/drafts/drafts.test.ts` and
 * `test/worker/drafts/decide.test.ts` have the cases.
 *
 * @module
 */

import type { Ground } from '#core/grounds.ts'
import { err, ok, type Result } from '#core/result.ts'
import { refusalOfSteps } from '../access/authorize.ts'
import { BY_OWNER, noteDecision } from '../audit/decision-note.ts'
import { amendSteps, amendUnits, type AmendedUnits } from './amend.ts'
import { codeOf, type Problem } from '../errors/problem.ts'
import { limitsOf } from '../store/limits.ts'
import type { Approval } from '../audit/change-note.ts'
import type { AppliedSteps, Step, Store } from '../store/store.ts'
import {
  accountOfDecision,
  describeChosen,
  decide,
  Refused,
  report,
  runWhole,
  withUnits,
  type Decided,
  type DecideParts,
  type Decision,
  type DecisionRequest,
} from './decide.ts'
import type { Draft } from '../access/draft.ts'
import { removeApproved } from './remove.ts'
import { learnUnseen, unseenPaths } from './unseen.ts'
import { checkConfirmed, checkFitting, checkSeparable, type Selection } from './selection.ts'
import { digestOfUnits, netSteps, unitsOf, type Unit } from './units.ts'
import type { WaitingCall } from './waiting-calls.ts'

/** Applies changes of a draft. */
export function approve(
  parts: DecideParts,
  name: string,
  request: DecisionRequest,
): Promise<Result<Decided, Problem>> {
  return decide(parts, name, request, (decision) => {
    const { draft, selection, shown } = decision
    return withUnits(parts, decision, selection.chosen, async (chosen, store) => {
      const isNamed = (one: readonly Unit[]) => digestOfUnits(one) === (request.digest ?? shown)
      const listed = isNamed(chosen) ? chosen : unitsInList(parts, decision)
      const isShown = isNamed(listed)
      const units = isShown ? listed : chosen
      await learnUnseen(units, parts.store)
      if (!decision.isCurrent()) return null
      const checked = [
        checkSeparable(selection, 'before'),
        isShown ? ok(null) : err<Problem>({ reason: 'draft_changed', draft: name }),
        checkConfirmed(units),
        checkFitting(name, units),
        checkSeen(name, units, request, parts.store),
      ].find((one) => !one.ok)
      if (checked && !checked.ok) {
        if (checked.error.reason === 'draft_conflict')
          noteConflict(parts, draft, selection, request)
        return checked
      }
      const amended = await amendUnits(units, request.amended ?? [], parts.store)
      if (!decision.isCurrent()) return null
      if (!amended.ok) return amended
      const proved = checkPasskey(parts, units, request)
      if (!proved.ok) return proved
      return applyChosen(parts, { ...decision, units, store, amended: amended.value }, request)
    })
  })
}

/**
 * The chosen units as the list of the whole draft has them. Beside the others there can be no room to compare one, which
 * its digest says.
 */
function unitsInList(
  { store: base }: DecideParts,
  { draft, selection: { chosen }, replay }: Decision,
): readonly Unit[] {
  const isChosen = new Set(chosen)
  return unitsOf(replay, { draft: draft.name, base }).filter(({ entries }) =>
    entries.every((entry) => isChosen.has(entry)),
  )
}

/** Checks that the person has approved content that cannot be shown as text by its paths. */
function checkSeen(
  draft: string,
  units: readonly Unit[],
  { unseen = [] }: DecisionRequest,
  base: Store,
): Result<null, Problem> {
  const named = new Set(unseen)
  const paths = units
    .flatMap(({ differences }) => unseenPaths(differences, base))
    .filter((path) => !named.has(path))
  return paths.length > 0 ? err({ reason: 'draft_unseen', draft, paths }) : ok(null)
}

/** Checks that a passkey was used, if any of the changes needs one. Turning down never does. */
function checkPasskey(
  { isPasskeyMissing }: DecideParts,
  units: readonly Unit[],
  { passkey = null }: DecisionRequest,
): Result<null, Problem> {
  const isMissing = units.some(({ level }) => isPasskeyMissing(level, passkey))
  return isMissing ? err({ reason: 'passkey_required' }) : ok(null)
}

/** Records in the audit log that an approval was refused, because changes do not fit the workspace any more. */
function noteConflict(
  parts: DecideParts,
  draft: Draft,
  { chosen }: Selection,
  request: DecisionRequest,
): void {
  const failed = chosen.filter(({ planned }) => !planned.ok)
  // An entry has each kind of ground once, so it names the first conflict.
  const [first] = failed.flatMap(({ planned }) => (planned.ok ? [] : [codeOf(planned.error)]))
  noteDecision(
    {
      tool: 'approve_draft',
      intent: `Approve ${describeChosen(draft, failed)}, in conflict`,
      ...accountOfDecision(parts, draft, failed, request),
      decision: first === undefined ? [] : [{ kind: 'refused', code: first }],
      outcome: 'refused',
    },
    parts.store.audit,
  )
}

/** What is applied: the units of a decision, and the files as they leave them. */
interface ApprovedUnits extends Decision {
  readonly units: readonly Unit[]
  readonly store: Store
  readonly amended: AmendedUnits
}

function applyChosen(
  parts: DecideParts,
  { draft, selection, replay, units, store, amended }: ApprovedUnits,
  request: DecisionRequest,
): Result<Decided, Problem> {
  const { by, email = by, note, passkey = null } = request
  const approval = { id: crypto.randomUUID(), by }
  const proof = passkey ? [passkey] : []
  const grounds: Ground[] = [{ kind: 'approval', by: email, draft: draft.name }, ...proof]
  const files = [...amended.values()].flat()
  const account = accountOfDecision(parts, draft, selection.chosen, request)
  const intent = `Approve ${describeChosen(draft, selection.chosen)}`
  const applied: AppliedSteps[] = []
  let calls: WaitingCall[] = []
  const result = runWhole(parts, () => {
    const versions = new Map<string, number>()
    for (const unit of units) {
      const own = amended.get(unit) ?? []
      const steps = amendSteps(netSteps(unit, store), own)
      const done = applyUnit(parts, draft, { unit, steps, approval, grounds, amended: own.length })
      applied.push(...done)
      const version = done.at(-1)?.change.version ?? 0
      for (const { proposal } of unit.entries) versions.set(proposal.id, version)
    }
    const paths = files.map(({ path }) => path)
    removeApproved(parts, draft, selection, { isLive: replay.isLive, amended: paths })
    for (const { path, leftOut } of files) parts.leftOut.add(path, leftOut, draft.owner.budget)
    calls = report(parts, draft, selection, {
      ...{ outcome: 'approved', by, note, versions, amended: files },
    })
    noteDecision(
      {
        ...{ tool: 'approve_draft', intent, id: approval.id, ...account },
        ...(files.length > 0 && { review: { ...account.review, amended: paths } }),
        decision: [...BY_OWNER, ...proof, ...groundsOfAmended(files.length)],
      },
      parts.store.audit,
    )
  })
  if (!result.ok) return result
  parts.changed(applied)
  parts.decided(draft.owner.key, calls, [], { draft, outcome: 'approved' })
  const left = parts.table.named(draft.name)?.changes ?? 0
  return ok({ approval: approval.id, decided: selection.chosen.length, left })
}

/** A unit that is applied, and what is recorded of its approval. */
interface ApprovedUnit {
  readonly unit: Unit
  /** Its net effect. */
  readonly steps: readonly Step[]
  readonly approval: Approval
  readonly grounds: readonly Ground[]
  /** The number of its files that the person amended. */
  readonly amended: number
}

const groundsOfAmended = (files: number): Ground[] =>
  files > 0 ? [{ kind: 'amended', files }] : []

/**
 * Applies a unit: its last change writes the net effect, the earlier ones are recorded without files. So history
 * names each change, and no state in between becomes a version.
 */
function applyUnit(
  parts: DecideParts,
  draft: Draft,
  { unit, steps, approval, grounds, amended }: ApprovedUnit,
): AppliedSteps[] {
  const { entries } = unit
  const allowed = entries.flatMap(({ proposal }) => proposal.allowed)
  const access = parts.accessOf(draft, allowed)
  // The reason is advice for the agent; the owner can turn the changes down.
  if (refusalOfSteps(steps, access, parts.store)) {
    const changes = entries.map(({ proposal }) => proposal.id)
    throw new Refused({ reason: 'draft_conflict', draft: draft.name, changes })
  }
  const limits = limitsOf(access.owner)
  // An amended change is none of the versions that its agent knows.
  const isAsProposed = amended === 0 && entries.every((entry) => entry.isClean)
  const all = { ...approval, ...(amended > 0 && { amended }) }
  return entries.map((entry, index) => {
    const { proposal } = entry
    const isLast = index === entries.length - 1
    const own = isLast ? steps : []
    const change = parts.store.apply({
      basis: parts.store.totals.version,
      steps: own,
      note: {
        ...proposal.note,
        id: proposal.id,
        approval: isLast && isAsProposed ? { ...all, proposed: proposal.version } : all,
        decision: [...grounds, ...groundsOfAmended(amended), ...proposal.note.decision],
      },
      limits,
    })
    if (!change.ok) throw new Refused(change.error)
    return { change: change.value, steps: own }
  })
}
