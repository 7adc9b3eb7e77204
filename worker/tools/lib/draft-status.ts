/**
 * What an agent learns of its draft: that a change waits, and what a person decided. The sentences are for the
 * model; the same facts are data in `_meta`, in `draft_status` and in the resource `edgewise://draft`.
 *
 * @module
 */

import { quoteValue } from '#core/quote.ts'
import { visibleLines } from '#core/visible.ts'
import { shortNames } from '../../errors/short.ts'
import { waitingUrl } from '../../waiting-url.ts'
import type { AmendedPath, Decision, Draft } from '../../access/draft.ts'
import type { DraftStatus } from '../../access/draft-view.ts'
import { toStatus } from './request-status.ts'

/** The sentence in the result of a call whose change waits. */
export function describeWaiting({ name, changes }: Draft): string {
  return `Proposed; waits for approval: ${countOf(changes)} in draft ${name}`
}

/** The draft as data. `base` is the beginning of a link to the workspace, or empty. */
export function draftReference({ name, changes }: Draft, base: string) {
  const url = waitingUrl(base)
  return { id: name, state: 'open', changes, ...(url !== null && { url }) } as const
}

/** Describes a decision in a sentence. Without paths that the reader may touch it names none. */
export function describeDecision(decision: Decision): string {
  const { outcome, changes, draft, paths, note, amended = [] } = decision
  if (outcome === 'lost')
    return `${changes} earlier ${changes === 1 ? 'decision was' : 'decisions were'} dropped before a result reported them.`
  const move = moves(draft, changes)[outcome]
  if (move !== undefined) return move
  const verb = outcome === 'approved' ? 'approved' : 'turned down'
  const more = changes > paths.length || paths.length > MAX_NAMED ? ' …' : ''
  const named = shortNames(paths, MAX_NAMED).map(quoteValue).join(', ')
  const files = named === '' ? '' : ` (${named}${more})`
  const subject = outcome === 'expired' ? 'In draft' : 'The user decided on draft'
  const remark = note === '' ? '' : ` Note: ${JSON.stringify(note)}`
  const sentence = `${subject} ${draft}: ${countOf(changes)} ${verb}${files}.${remark}`
  return [sentence, ...amended.map(describeAmended)].join('\n')
}

/** Describes what the user made of a proposed file. */
function describeAmended({ path, diff, isCut }: AmendedPath): string {
  const cut = isCut ? ' (cut)' : ''
  const lines =
    diff === ''
      ? '.'
      : `. From what you proposed to what was approved${cut}:\n${visibleLines(diff)}`
  return `The user amended ${quoteValue(path)}${diff === '' ? cut : ''}${lines}`.trimEnd()
}

/** The same as data. */
const amendedAsData = ({ path, diff, isCut }: AmendedPath) => ({
  path,
  ...(diff !== '' && { diff }),
  ...(isCut && { cut: true }),
})

/** The sentences for a connection whose draft another one has now, and for that one. */
const moves = (draft: string, changes: number): Partial<Record<Decision['outcome'], string>> => ({
  moved_away: `Draft ${draft} with ${countOf(changes)} is no longer yours: another connection has it now. Your next change that has to be approved opens a new draft.`,
  moved_here: `Draft ${draft} with ${countOf(changes)} of an earlier connection is yours now: you see its changes, and learn what is decided on them.`,
})

const MAX_NAMED = 5

const countOf = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`

/** Quotes the reason of a draft for its own agent; empty without one. */
export const quoteReason = (reason: string) =>
  reason === '' ? '' : ` Your reason: ${JSON.stringify(reason)}`

/** The state of a caller's draft, the newest decisions and access requests, as data. */
export function describeStatus({ open, reason, decisions, requests }: DraftStatus, base: string) {
  return {
    draft: open && { ...draftReference(open, base), ...(reason !== '' && { reason }) },
    decisions: decisions.map(({ draft: id, outcome, note, at, changes, paths, amended }) => ({
      draft: id,
      outcome,
      note,
      changes,
      paths,
      at: new Date(at).toISOString(),
      ...(amended && { amended: amended.map(amendedAsData) }),
    })),
    requests: requests.map(toStatus),
  }
}

/** The same for the resource of the draft, in which a view finds the decision on its change by the id. */
export function describeResource(status: DraftStatus, base: string) {
  const described = describeStatus(status, base)
  const decisions = described.decisions.map((decision, index) => ({
    ...decision,
    ids: status.decisions[index]?.ids ?? [],
  }))
  return { ...described, decisions }
}
