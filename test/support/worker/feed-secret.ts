/** The secret of the feed, of which its marks are digests. @module */

import { writeSetting } from '#worker/database/schema.ts'

/** Gives a workspace the same secret as others, whose marks are equal then unless they tell of hidden files. */
export const shareFeedSecret = (sql: SqlStorage): void =>
  writeSetting(sql, 'feed_secret', 'that of several workspaces')
