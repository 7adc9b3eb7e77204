/**
 * Notices to the owner of a workspace, each with the page of the console that shows what it is about.
 *
 * `test/platform/outbox/outbox.test.ts` tests them.
 *
 * @module
 */

import { readSetting } from '../database/schema.ts'
import { ownerUrl } from '../waiting-url.ts'
import type { Outbox } from './outbox.ts'
import type { Notice } from './queue.ts'

/** Notices to the owner of one workspace. */
export interface OwnerNotices {
  /** Queues a notice, of a draft with its id and the principal whose share of the queue it uses. */
  readonly send: (type: Notice['type'], draft?: Pick<Notice, 'draft' | 'budget'>) => void
}

/** Creates the notices of a workspace. Their pages are at the origin from which the owner came last. */
export const createOwnerNotices = (
  sql: SqlStorage,
  outbox: Pick<Outbox, 'notify'>,
  workspace: string,
): OwnerNotices => ({
  send: (type, draft = {}) => {
    const url = ownerUrl(readSetting(sql, 'console'), workspace)
    outbox.notify({ type, workspace, ...draft, url })
  },
})
