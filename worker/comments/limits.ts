/** Limits of comments. `test/worker/comments/limits.test.ts` tests them at their edges. @module */

/** Maximum length of a comment, in UTF-16 code units. */
export const MAX_COMMENT_LENGTH = 2_000

/** Maximum length, in UTF-16 code units, of the lines that a comment quotes; the rest is cut off. */
export const MAX_QUOTE_LENGTH = 1_000

/** Maximum number of comments of the owner in one thread. */
export const MAX_THREAD_COMMENTS = 100

/** Number of replies of agents kept in one thread; beyond it, the principal with the most loses its oldest. */
export const MAX_THREAD_REPLIES = 50

/** Maximum number of threads on one path, without those in drafts. */
export const MAX_PATH_THREADS = 200

/** Maximum number of threads in one draft. */
export const MAX_DRAFT_THREADS = 500

/** Maximum number of comments of the owner in one workspace. */
export const MAX_WORKSPACE_COMMENTS = 10_000

/** Number of replies of agents kept in one workspace; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_REPLIES = 2_000

/** Maximum number of replies of one call of `respond_to_review`. */
export const MAX_SENT_REPLIES = 20

/** Maximum number of threads in one answer; it counts the others. */
export const MAX_LISTED_THREADS = 50

/** Maximum bytes of a text in which the lines of comments are followed. In a larger one that changed they are outdated. */
export const MAX_FOLLOWED_BYTES = 1024 ** 2

/** Maximum bytes of all texts in which one answer follows lines. In the others they count as outdated. */
export const MAX_FOLLOWED_IN_ALL = 4 * 1024 ** 2

/** Maximum days for which the comments of a draft are kept that was turned down or has expired. */
export const MAX_CLOSED_COMMENT_DAYS = 30
