/**
 * The review of one change: what it does after the earlier changes that it depends on, and what all of them do
 * together, which can be approved without the later ones. `test/worker/drafts/units.test.ts` has the cases.
 *
 * @module
 */

import type { MaybePromise } from '../maybe-promise.ts'
import type { Store } from '../store/store.ts'
import type { Draft } from '../access/draft.ts'
import type { LeftOut } from './left-out.ts'
import { groupsOf } from './overlap.ts'
import { withPart, withReplay, type Replay, type Replayed, type ReplayParts } from './replay.ts'
import { comparisonOf, describeConflict, type Comparison } from './review.ts'
import { isWhole } from './selection.ts'
import type { DraftTable } from './table.ts'
import { compareStates, createMark, digestOfUnits, stepsOf, unitsOf } from './units.ts'

/** One change of a draft as a person reviews it. */
export interface ChangeReview {
  /** The ids of the earlier changes that it depends on, and its own: those that can be approved together. */
  readonly changes: readonly string[]
  /** Names an approval of them. */
  readonly digest: string
  /** What the change does after the earlier ones. Of a conflict: what it would have done. */
  readonly own: Comparison
  /** What all of them do to the workspace. */
  readonly together: Comparison
  /** Why it does not fit the workspace any more; null if it does. */
  readonly conflict: { readonly code: string; readonly message: string } | null
}

interface ChangeReviewParts extends ReplayParts {
  readonly table: Pick<DraftTable, 'proposals'>
  readonly leftOut: LeftOut
}

/** Runs `work` on the review of a change, which is valid until it ends; null if the draft has no such change. */
export function reviewChange<T>(
  parts: ChangeReviewParts,
  draft: Draft,
  id: string,
  work: (review: ChangeReview) => MaybePromise<T>,
): Promise<T | null> {
  return withReplay<T | null>(parts, draft, parts.table.proposals(draft), (replay) => {
    const entries = prefixOf(replay.entries, id)
    if (entries === null) return null
    const proposals = entries.map(({ proposal }) => proposal)
    return withPart(parts, draft, proposals.slice(0, -1), (earlier) => {
      const review = (all: Replay) =>
        withWanted(parts, draft, all, (wanted) =>
          work(describe(parts, draft, { earlier, all, wanted })),
        )
      // An approval of a whole group takes it as it was planned with all others.
      return isWhole(entries, replay.entries)
        ? review({ ...replay, entries })
        : withPart(parts, draft, proposals, review)
    })
  })
}

/** The changes up to one that depend on each other; null if there is no such change. */
function prefixOf(entries: readonly Replayed[], id: string): readonly Replayed[] | null {
  const groups = groupsOf(entries.map(stepsOf))
  const at = entries.findIndex(({ proposal }) => proposal.id === id)
  if (at < 0) return null
  return entries.filter((_, index) => index <= at && groups[index] === groups[at])
}

interface States {
  readonly earlier: Replay
  readonly all: Replay
  /** The files after the change, or as it would have left them. */
  readonly wanted: Store
}

function describe(
  { store: base, leftOut }: ChangeReviewParts,
  draft: Draft,
  { earlier, all, wanted }: States,
): ChangeReview {
  const units = unitsOf(all, { draft: draft.name, base })
  const last = all.entries.slice(-1)
  const before = earlier.entries.length === 0 ? base : earlier.store
  const own = { group: 0, differences: compareStates(last, before, wanted).map(createMark(base)) }
  const failed = last.flatMap(({ planned }) => (planned.ok ? [] : [planned.error]))[0]
  return {
    changes: all.entries.map(({ proposal }) => proposal.id),
    digest: digestOfUnits(units),
    own: comparisonOf(() => [own], { before, after: wanted, leftOut }),
    together: comparisonOf(() => units, { before: base, after: all.store, leftOut }),
    conflict: failed ? describeConflict(failed) : null,
  }
}

/** Runs work on the files after the last change, or as a conflict would have left them. */
function withWanted<T>(
  parts: ChangeReviewParts,
  draft: Draft,
  all: Replay,
  work: (wanted: Store) => MaybePromise<T>,
): MaybePromise<T> {
  const last = all.entries.at(-1)
  const steps = last?.planned.ok === false ? last.proposal.steps : null
  if (!last || !steps) return work(all.store)
  const fitting = all.entries.slice(0, -1).map(({ proposal }) => proposal)
  const { version, at, note } = last.proposal
  return withPart(parts, draft, fitting, (_, scratch) => {
    // Where the steps cannot be written at all, there is nothing to show.
    scratch.apply({ basis: scratch.totals.version, steps, note, as: { version, at } })
    return work(scratch)
  })
}
