/**
 * `/notices`: applied changes of which the owner is notified, until they were seen.
 * `test/worker/drafts/notified.test.ts` has the cases.
 *
 * @module
 */

import type { NotifiedChanges } from '#core/owner/answers/audit.ts'
import * as z from 'zod/mini'
import { NO_DRAFT } from '../access/draft-view.ts'
import { NOTIFIED_PAGE } from '../drafts/notified.ts'
import { toShown } from '../tools/lib/shown-change.ts'
import { defineOwnerAct, defineOwnerActWith, type OwnerAct, type OwnerServices } from './act.ts'

const Seen = z.strictObject({
  versions: z.array(z.int().check(z.minimum(0))).check(z.maxLength(NOTIFIED_PAGE)),
  dropped: z._default(z.int().check(z.minimum(0)), 0),
})

/** GET lists them, POST removes those that were shown. */
export const NOTIFIED_CHANGE_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_notices', ({ answer }, services) => answer(list(services))),
  defineOwnerActWith('dismiss_notices', {
    input: Seen,
    run({ input, answer }, services) {
      services.drafts.seen(input)
      return answer(list(services))
    },
  }),
]

function list({ drafts }: Pick<OwnerServices, 'drafts'>): NotifiedChanges {
  const { changes, ...counts } = drafts.unseen()
  const shown = changes.map(({ record, trust }) => ({
    ...toShown(record, NO_DRAFT),
    ...(trust !== null && { trust }),
  }))
  return { ...counts, changes: shown }
}
