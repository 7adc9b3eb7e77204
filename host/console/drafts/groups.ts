/**
 * Groups of changes: what can be selected together, what is decided on its own, and what a choice sends.
 *
 * Changes that depend on each other are approved as a group. A group with a conflict, or with a change that asks
 * for a confirmation, is decided change by change, in its order. `test/host/console/draft-groups.test.ts` has
 * the cases.
 *
 * @module
 */

import type { Choice } from './drafts-api.ts'
import type { ChangedFile, ProposedChange } from './drafts-parse.ts'

/** The changes of a draft that are loaded, by group. */
export interface Groups {
  /** Numbers of groups that are approved as a whole. */
  readonly whole: ReadonlySet<number>
  /** Numbers of groups that are decided change by change. */
  readonly single: ReadonlySet<number>
  /** The first change of each group. */
  readonly first: ReadonlyMap<number, string>
  /** Number of changes of each group. */
  readonly sizes: ReadonlyMap<number, number>
}

/** Sorts changes into groups. */
export function groupChanges(changes: readonly ProposedChange[]): Groups {
  const single = new Set(changes.filter(isSingle).map(({ group }) => group))
  const first = new Map<number, string>()
  const sizes = new Map<number, number>()
  for (const { group, id } of changes) {
    if (!first.has(group)) first.set(group, id)
    sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  const whole = new Set([...first.keys()].filter((group) => !single.has(group)))
  return { whole, single, first, sizes }
}

const isSingle = ({ level, conflict }: ProposedChange) => level === 'confirm' || conflict !== null

/** Whether a change can be approved on its own: it fits, and no earlier change of its group waits. */
export function canApprove(change: ProposedChange, { single, first }: Groups): boolean {
  const { conflict, group, id } = change
  return conflict === null && single.has(group) && first.get(group) === id
}

/**
 * Returns the choice of everything that can be approved at once, or null if there is nothing. Groups are named
 * only where some have to stay.
 */
export function chooseAll({ whole, single }: Groups): Choice | null {
  if (whole.size === 0) return null
  return single.size === 0 ? {} : { groups: [...whole] }
}

/** Counts the changes of groups. */
export function countChanges(groups: Iterable<number>, { sizes }: Groups): number {
  return [...groups].reduce((sum, group) => sum + (sizes.get(group) ?? 0), 0)
}

/** Returns the selection with a group added, or removed if it was in it. */
export function toggle(selected: ReadonlySet<number>, group: number): ReadonlySet<number> {
  const next = new Set(selected)
  if (!next.delete(group)) next.add(group)
  return next
}

/** Counts the listed files that a selection contains. */
export const countFiles = (files: readonly ChangedFile[], selected: ReadonlySet<number>): number =>
  files.filter(({ group }) => selected.has(group)).length
