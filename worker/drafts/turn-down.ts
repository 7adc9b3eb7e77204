/**
 * Turning down: removes changes of a draft without applying them, because a person decided so, or because the
 * time to decide is over.
 * `test/worker/drafts/decide.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { noteDecision, quoteNote } from '../call/audit-note.ts'
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
import type { DecisionOutcome } from './decisions.ts'
import type { Draft } from './draft.ts'
import { removeTurnedDown } from './remove.ts'
import { byVersion, checkSeparable, type Selection } from './selection.ts'
import { digestOfUnits } from './units.ts'
import type { WaitingCall } from './waiting-calls.ts'

/** Turns changes of a draft down. */
export function turnDown(
  parts: DecideParts,
  name: string,
  request: DecisionRequest,
): Promise<Result<Decided, Problem>> {
  return decide(parts, name, request, (decision) => {
    const { draft, selection, shown } = decision
    const entries = [...selection.chosen, ...selection.others].toSorted(byVersion)
    return withUnits(parts, decision, entries, (units) => {
      if (digestOfUnits(units) !== shown) return err({ reason: 'draft_changed', draft: name })
      const checked = checkSeparable(selection, 'after')
      if (!checked.ok) return checked
      return dropChosen(parts, draft, selection, { ...request, outcome: 'turned_down' })
    })
  })
}

/** Removes changes without applying them, and tells the agent. */
export function dropChosen(
  parts: DecideParts,
  draft: Draft,
  selection: Selection,
  request: Pick<DecisionRequest, 'by' | 'note'> & { readonly outcome: DecisionOutcome },
): Result<Decided, Problem> {
  let calls: WaitingCall[] = []
  const result = runWhole(parts, () => {
    removeTurnedDown(parts, draft, selection)
    calls = report(parts, draft, selection, { ...request, versions: new Map() })
    const tool = request.outcome === 'expired' ? 'expire_draft' : 'turn_down_draft'
    const intent = `Turn down ${describeChosen(draft, selection.chosen)}${quoteNote(request.note)}`
    noteDecision(
      { tool, intent, ...accountOfDecision(draft, selection.chosen, request) },
      parts.store.audit,
    )
  })
  if (!result.ok) return result
  parts.decided(draft.owner.key, calls, pathsOf(selection.chosen))
  const left = parts.table.named(draft.name)?.changes ?? 0
  return ok({ approval: null, decided: selection.chosen.length, left })
}
