/**
 * Limits of the routes of files and of the feed. `test/worker/api/feed.test.ts`, `feed-wait.test.ts` and `tree.test.ts` test
 * them.
 *
 * @module
 */

/** Maximum number of changes on one page of the feed. */
export const MAX_FEED_PAGE = 1_000

/** Maximum time, in seconds, that a request for the feed waits for a change. */
export const MAX_FEED_WAIT_SECONDS = 50

/** Requests for the feed of one principal that can wait at the same time; a further one is refused. */
export const MAX_FEED_WAITING = 16

/** Maximum number of entries on one page of a recursive listing. */
export const MAX_TREE_PAGE = 10_000

/** Files and folders examined for one page of a recursive listing, which leaves out folders that are not empty. */
export const MAX_TREE_EXAMINED = 20_000

/** Maximum duration of one stream of the feed; its client connects again. */
export const MAX_FEED_STREAM_MS = 5 * 60 * 1_000

/** Longest silence of a stream of the feed, which proxies would take for a dead connection. */
export const FEED_KEEP_ALIVE_MS = 20_000
