/**
 * Turning down: removes changes of a draft without applying them, because a person decided so, or because the
 * time to decide is over.
 * `test/worker/drafts/decide.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { noteDecision } from '../audit/decision-note.ts'
import type { Problem } from '../errors/problem.ts'
import {
  accountOfDecision,
  decide,
  describeChosen,
  pathsOf,
  report,
  runWhole,
  withUnits,
  type Decided,
  type DecideParts,
  type DecisionRequest,
} from './decide.ts'
import type { DecisionOutcome, Draft, Proposal } from '../access/draft.ts'
import { removeTurnedDown } from './remove.ts'
import type { Replayed } from './replay.ts'
import { parseRevision } from './review.ts'
import { byVersion, checkSeparable, select, type Selection } from './selection.ts'
import { digestOfUnits } from './units.ts'
import type { WaitingCall } from './waiting-calls.ts'

/**
 * Turns changes of a draft down. Nothing is applied, so what is named by ids is not planned again, however the workspace
 * changes meanwhile. Groups are those of what was shown.
 */
export async function turnDown(
  parts: DecideParts,
  name: string,
  request: DecisionRequest,
): Promise<Result<Decided, Problem>> {
  if (request.groups !== undefined) return turnGroupsDown(parts, name, request)
  const draft = parts.table.named(name)
  const named = parseRevision(request.revision)
  if (!draft) return err({ reason: 'no_draft', draft: name })
  const entries = parts.table.proposals(draft).map(unplanned)
  const selection = select(entries, named?.last ?? 0, request)
  const isKnown = entries.some(({ proposal }) => proposal.version >= (named?.last ?? Infinity))
  if (!isKnown || selection.chosen.length === 0)
    return err({ reason: 'draft_changed', draft: name })
  return dropSeparable(parts, draft, selection, request)
}

/** A change as it was proposed, of which it is not known whether it still fits. */
const unplanned = (proposal: Proposal): Replayed => ({
  ...{ proposal, planned: err({ reason: 'not_planned_again' }), isClean: false, answer: null },
})

function turnGroupsDown(
  parts: DecideParts,
  name: string,
  request: DecisionRequest,
): Promise<Result<Decided, Problem>> {
  return decide(parts, name, request, (decision) => {
    const { draft, selection, shown } = decision
    const entries = [...selection.chosen, ...selection.others].toSorted(byVersion)
    return withUnits(parts, decision, entries, (units) =>
      digestOfUnits(units) === shown
        ? dropSeparable(parts, draft, selection, request)
        : err({ reason: 'draft_changed', draft: name }),
    )
  })
}

function dropSeparable(
  parts: DecideParts,
  draft: Draft,
  selection: Selection,
  request: DecisionRequest,
): Result<Decided, Problem> {
  const checked = checkSeparable(selection, 'after')
  if (!checked.ok) return checked
  return dropChosen(parts, draft, selection, { ...request, outcome: 'turned_down' })
}

/** Removes changes without applying them, and tells the agent. */
export function dropChosen(
  parts: DecideParts,
  draft: Draft,
  selection: Selection,
  request: Pick<DecisionRequest, 'by' | 'email' | 'note' | 'reason'> & {
    readonly outcome: DecisionOutcome
  },
): Result<Decided, Problem> {
  let calls: WaitingCall[] = []
  const account = accountOfDecision(parts, draft, selection.chosen, request)
  const tool = request.outcome === 'expired' ? 'expire_draft' : 'turn_down_draft'
  const intent = `Turn down ${describeChosen(draft, selection.chosen)}`
  const result = runWhole(parts, () => {
    removeTurnedDown(parts, draft, selection)
    calls = report(parts, draft, selection, { ...request, versions: new Map() })
    noteDecision({ tool, intent, ...account }, parts.store.audit)
  })
  if (!result.ok) return result
  const { outcome } = request
  parts.decided(draft.owner.key, calls, pathsOf(selection.chosen), { draft, outcome })
  const left = parts.table.named(draft.name)?.changes ?? 0
  return ok({ approval: null, decided: selection.chosen.length, left })
}
