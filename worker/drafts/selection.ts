/**
 * Selections: which changes of a draft a person decides on, and whether they can be decided without the others.
 *
 * Changes that concern the same files depend on each other: one is approved only with the earlier ones, and turned
 * down only with the later ones. `test/worker/drafts/drafts.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import { groupsOf } from './overlap.ts'
import type { Replayed } from './replay.ts'
import { stepsOf } from './review.ts'

/** The changes of a draft that are decided, and those that stay. */
export interface Selection {
  readonly chosen: readonly Replayed[]
  /** Changes that were shown and not chosen. */
  readonly others: readonly Replayed[]
  /** Changes that joined after what was shown. */
  readonly later: readonly Replayed[]
}

/** What a person has chosen: changes by id, and groups by number; everything without both. */
export interface Choice {
  readonly changes?: readonly string[] | undefined
  readonly groups?: readonly number[] | undefined
}

/** Selects changes up to the version `last`. */
export function select(
  entries: readonly Replayed[],
  last: number,
  { changes, groups }: Choice,
): Selection {
  const shown = shownOf(entries, last)
  const ids = new Set(changes)
  const numbers = new Set(groups)
  const groupOf = groups ? groupsOf(shown.map(stepsOf)) : []
  const isAll = changes === undefined && groups === undefined
  const chosen = shown.filter(
    ({ proposal }, index) => isAll || ids.has(proposal.id) || numbers.has(groupOf[index] ?? -1),
  )
  const isChosen = new Set(chosen)
  return {
    chosen,
    others: shown.filter((entry) => !isChosen.has(entry)),
    later: entries.filter(({ proposal }) => proposal.version > last),
  }
}

/** Returns the changes up to a version. */
export function shownOf(entries: readonly Replayed[], last: number): Replayed[] {
  return entries.filter(({ proposal }) => proposal.version <= last)
}

/**
 * Checks that no chosen change depends on one that stays: on an earlier one (`before`) to be approved, on a
 * later one (`after`) to be turned down.
 */
export function checkSeparable(
  { chosen, others }: Selection,
  side: 'before' | 'after',
): Result<null, Problem> {
  if (others.length === 0) return ok(null)
  const entries = [...chosen, ...others]
  const groups = groupsOf(entries.map(stepsOf))
  const groupOf = new Map(entries.map((entry, index) => [entry, groups[index]]))
  const bounds = new Map<number | undefined, Replayed>()
  // Of each group, the other change that is nearest to the end on the side that matters.
  for (const other of others) {
    const group = groupOf.get(other)
    const known = bounds.get(group)
    if (!known || precedes(other, known) === (side === 'before')) bounds.set(group, other)
  }
  for (const entry of chosen) {
    const other = bounds.get(groupOf.get(entry))
    if (other && precedes(other, entry) === (side === 'before'))
      return err({
        reason: 'not_separable',
        change: entry.proposal.id,
        other: other.proposal.id,
      })
  }
  return ok(null)
}

const precedes = (a: Replayed, b: Replayed) => a.proposal.version < b.proposal.version

/** Checks that a change at the level `confirm` is approved on its own. */
export function checkConfirmed({ chosen }: Selection): Result<null, Problem> {
  const confirmed = chosen.find(({ proposal }) => proposal.level === 'confirm')
  return confirmed && chosen.length > 1
    ? err({ reason: 'one_at_a_time', change: confirmed.proposal.id })
    : ok(null)
}

/** Checks that all chosen changes fit the workspace. */
export function checkFitting(draft: string, { chosen }: Selection): Result<null, Problem> {
  const failed = chosen.filter(({ planned }) => !planned.ok).map(({ proposal }) => proposal.id)
  return failed.length > 0 ? err({ reason: 'draft_conflict', draft, changes: failed }) : ok(null)
}
