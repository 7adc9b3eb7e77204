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
import { stepsOf, type Unit } from './units.ts'

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

/** Sorts changes in the order in which they were proposed. */
export const byVersion = (a: Replayed, b: Replayed) => a.proposal.version - b.proposal.version

const precedes = (a: Replayed, b: Replayed) => byVersion(a, b) < 0

/** Checks that a unit at the level `confirm` is approved on its own. */
export function checkConfirmed(units: readonly Unit[]): Result<null, Problem> {
  const confirmed = units.find(({ level }) => level === 'confirm')
  const [first] = confirmed?.entries ?? []
  return first && units.length > 1
    ? err({ reason: 'one_at_a_time', change: first.proposal.id })
    : ok(null)
}

/** Whether none of the other changes of a draft depends on one of these. */
export function isWhole(entries: readonly Replayed[], all: readonly Replayed[]): boolean {
  const chosen = new Set(entries)
  const others = all.filter((entry) => !chosen.has(entry))
  const groups = groupsOf([...entries, ...others].map(stepsOf))
  const own = new Set(groups.slice(0, entries.length))
  return !groups.slice(entries.length).some((group) => own.has(group))
}

/** Checks that all chosen changes fit the workspace. */
export function checkFitting(draft: string, units: readonly Unit[]): Result<null, Problem> {
  const failed = units
    .flatMap(({ entries }) => entries)
    .filter(({ planned }) => !planned.ok)
    .map(({ proposal }) => proposal.id)
  return failed.length > 0 ? err({ reason: 'draft_conflict', draft, changes: failed }) : ok(null)
}
