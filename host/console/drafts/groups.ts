/**
 * Groups of changes: what can be selected together, what is decided on its own, and what a choice sends.
 *
 * Changes that depend on each other are decided as a group, by what they do together. A group with a conflict, or
 * with a change that asks for a confirmation, is decided apart from the others.
 * `test/host/console/draft-groups.test.ts` has the cases.
 *
 * @module
 */

import type { Choice } from './send-decision.ts'
import type { ChangedFile, ProposedChange } from '#core/owner/answers/drafts.ts'

/** The changes of a draft that are loaded, by group. */
export interface Groups {
  /** Numbers of groups that can be approved with others. */
  readonly whole: ReadonlySet<number>
  /** Numbers of groups that are decided on their own. */
  readonly single: ReadonlySet<number>
  /** Numbers of groups with a conflict. */
  readonly conflicting: ReadonlySet<number>
  /** Names what each group does; a group whose last change is not loaded has none. */
  readonly digests: ReadonlyMap<number, string>
  /** Number of changes of each group. */
  readonly sizes: ReadonlyMap<number, number>
}

/** Sorts changes into groups. */
export function groupChanges(changes: readonly ProposedChange[]): Groups {
  const numbersOf = (some: (change: ProposedChange) => boolean) =>
    new Set(changes.filter(some).map(({ group }) => group))
  const conflicting = numbersOf(({ conflict }) => conflict !== null)
  const single = numbersOf(({ level, conflict }) => level === 'confirm' || conflict !== null)
  const whole = numbersOf(({ group }) => !single.has(group))
  const digests = new Map<number, string>()
  const sizes = new Map<number, number>()
  for (const { group, digest } of changes) {
    if (digest !== undefined) digests.set(group, digest)
    sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  return { whole, single, conflicting, digests, sizes }
}

/** Whether a group can be approved on its own: it fits, and all of it is loaded. */
export const canApprove = (group: number, { single, conflicting, digests }: Groups): boolean =>
  single.has(group) && !conflicting.has(group) && digests.has(group)

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
