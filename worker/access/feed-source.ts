/**
 * Where a copy of files comes from: which workspace, and by which access they were read.
 *
 * A file that a later listing lacks may be hidden and not deleted, so a program that keeps a copy compares both. Digests
 * with a secret of the workspace tell nothing of its rules. `test/worker/api/feed-source.test.ts` tests it.
 *
 * @module
 */

import { hash } from 'node:crypto'
import type { Feed } from '../store/store.ts'
import type { Access } from './access.ts'

/** The source of a copy: two marks without a meaning, which stay the same as long as the workspace and the access do. */
export interface FeedSource {
  /** The workspace. Another one has another mark, also at the same address, and so has one whose data was removed. */
  readonly workspace: string
  /** Changes with the rules, scopes and sessions that decide which paths may be read. */
  readonly access: string
}

/** Returns the source of what is read by an access. */
export function feedSource(feed: Pick<Feed, 'secret'>, access: Access): FeedSource {
  const secret = feed.secret()
  const digest = (data: unknown) =>
    hash('sha256', JSON.stringify([secret, data]), 'base64url').slice(0, DIGEST_LENGTH)
  return { workspace: digest('workspace'), access: digest(access.formatReading()) }
}

/** 132 bits. */
const DIGEST_LENGTH = 22
