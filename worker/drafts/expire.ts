/**
 * Drafts that wait no longer: because the time to decide is over, or because the workspace has no room for the draft
 * of another principal.
 *
 * `test/worker/drafts/limits.test.ts` and `test/worker/shares.test.ts` have the cases.
 *
 * @module
 */

import { ok } from '#core/result.ts'
import { endDue } from '../decisions/inbox.ts'
import { countShares, findLoser } from '../database/shares.ts'
import type { DecideParts } from './decide.ts'
import type { Draft } from '../access/draft.ts'
import { select } from './selection.ts'
import { dropChosen } from './turn-down.ts'

/** Turns down changes that have waited too long. Returns when the next ones will have, or null. */
export function expire(parts: DecideParts, now: number, lifetimeMs: number): number | null {
  const dueOf = ({ touched }: Draft) => touched + lifetimeMs
  return endDue(parts.table.all(), now, dueOf, (draft) =>
    drop(parts, draft, 'The time to decide is over.'),
  )
}

/** Turns all changes of a draft down as expired. */
export function drop(parts: DecideParts, draft: Draft, note: string): void {
  const entries = parts.table.proposals(draft).map((proposal) => ({
    proposal,
    planned: ok(proposal.steps ?? []),
    isClean: true,
    answer: null,
  }))
  const request = { outcome: 'expired', by: 'edgewise', note } as const
  dropChosen(parts, draft, select(entries, Infinity, {}), request)
}

/**
 * Finds the draft that makes room for one more of `budget` in a full workspace: the one that was not touched for
 * longest of the principal with the most; null if that is `budget`.
 */
export function findGiver(drafts: readonly Draft[], budget: string): Draft | null {
  const loser = findLoser(countShares(drafts.map(({ owner }) => owner.budget)), budget)
  const own = drafts.filter(({ owner }) => owner.budget === loser)
  return own.toSorted((a, b) => a.touched - b.touched)[0] ?? null
}
