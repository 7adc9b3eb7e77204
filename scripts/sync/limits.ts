/**
 * Limits of `npm run sync`: what a server, a workspace or a disk can make it do. Tested by `test/sync-run.test.ts` and
 * `test/e2e/sync.test.ts`.
 *
 * @module
 */

/** Most times that one run reads both sides and acts, if they change meanwhile. */
export const MAX_ROUNDS = 4

/** Most files that are sent one by one; more go as an archive. */
export const MAX_SINGLE_UPLOADS = 16

/** Most files that are received one by one; more come as an archive, if they are a good part of the workspace. */
export const MAX_SINGLE_DOWNLOADS = 64

/** Smallest share of the files for which an archive of all is read. */
export const MIN_ARCHIVE_SHARE = 0.25

/** Most requests of uploads and downloads at once. */
export const MAX_REQUESTS = 4

/** Most files that are hashed at once. */
export const MAX_OPEN_FILES = 8

/** Most files that are received before they are put into their places. */
export const MAX_STAGED = 500

/** Most bytes of a JSON response. */
export const MAX_JSON_BYTES = 64 * 1024 * 1024

/** Most times that a refused request is repeated when the server asks for patience. */
export const MAX_PATIENCE = 5

/** Longest time (ms) that a server's `Retry-After` is followed. */
export const MAX_PATIENCE_MS = 60_000

/** Longest time (ms) of a request without a file. */
export const MAX_REQUEST_MS = 90_000

/** Longest time (ms) of an upload or a download. */
export const MAX_TRANSFER_MS = 15 * 60_000

/** Deletions on one side up to which no share of the files is too large. */
export const MAX_FREE_DELETIONS = 10

/** Largest share of the files that is deleted on one side without being asked for, within {@link DELETIONS_MS}. */
export const MAX_DELETED_SHARE = 0.5

/** Time (ms) in which the deletions of a watching run count together. */
export const DELETIONS_MS = 10 * 60_000

/** Most bytes of a file of ignore rules; a longer one is an error. */
export const MAX_RULES_BYTES = 1024 * 1024

/**
 * Most `**` of one ignore rule, apart from one at its end: each multiplies the time to match a deep path by its depth, and
 * an agent writes both. A rule with more is an error.
 */
export const MAX_RULE_DEPTHS = 2

/** Most lines that a report lists of one kind. */
export const MAX_LISTED = 20

/** Most pages of a listing or of the feed that one run reads. */
export const MAX_PAGES = 10_000

/** Longest time (s) that a watching run waits for a change with one request. */
export const MAX_WAIT_SECONDS = 25

/** Longest pause (ms) of a watching run after a failure. */
export const MAX_PAUSE_MS = 60_000
