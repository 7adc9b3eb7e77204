/**
 * Reviews of drafts, on the workspace of now. A page asks for the draft, its summary and one file after another, so what
 * was planned and compared is given again for a few seconds, while nothing changes. Decisions never use it.
 * `test/worker/drafts/reviews.test.ts` tests it.
 *
 * @module
 */

import type { Access } from '../access/access.ts'
import type { Draft } from '../access/draft.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { withPart, withReplay, type ReplayParts } from './replay.ts'
import { reviewOf, type ComparisonParts, type Review } from './review.ts'
import type { DraftTable } from './table.ts'

/** How long (ms) a review is given again. What was allowed for single calls can change without a sign here. */
const KEPT_MS = 5_000

/** What a review is of. A draft that changes is another object. */
interface Reviewed {
  readonly draft: Draft
  readonly at: number
  /** What its owner may do. */
  readonly access: Access
}

interface Kept extends Reviewed {
  readonly since: number
  /** The version of its newest change. */
  readonly newest: number
  readonly review: Review
}

/** What reviewing uses. */
interface ReviewsParts extends ReplayParts, Pick<ComparisonParts, 'leftOut'> {
  readonly table: DraftTable
}

/** Creates what reviews drafts. One review is kept, if it is of the draft as it is stored. */
export function createReviews(parts: ReviewsParts) {
  const { store, accessOf, table } = parts
  let kept: Kept | null = null
  /** Plans a draft up to the version `last`, and runs `work` on the review, which is valid until it ends. */
  return <T>(draft: Draft, work: (review: Review) => MaybePromise<T>, last = Infinity) => {
    const now = { draft, at: store.workspaceVersion, access: accessOf(draft) }
    if (kept && last >= kept.newest && isSame(kept, now)) return Promise.resolve(work(kept.review))
    const all = table.proposals(draft)
    const shown = all.filter(({ version }) => version <= last)
    const plan = shown.length < all.length ? withPart : withReplay
    return plan<T>(parts, draft, shown, (replay) => {
      const review = reviewOf(replay, parts, draft)
      const newest = all.at(-1)?.version ?? 0
      if (replay.isLive) kept = { ...now, since: Date.now(), newest, review }
      return work(review)
    })
  }
}

const isSame = ({ since, ...kept }: Kept, now: Reviewed): boolean =>
  Date.now() - since < KEPT_MS &&
  kept.draft === now.draft &&
  kept.at === now.at &&
  kept.access.hasCeilingOf(now.access)
