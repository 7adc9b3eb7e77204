/**
 * Limits of a review page, which shows untrusted text. `test/platform/changes/review.test.ts` tests them.
 *
 * @module
 */

/** Maximum number of lines, of all hunks, that a review page shows. */
export const MAX_REVIEW_LINES = 5_000

/** Maximum length, in characters of HTML, of the lines of a review page. */
export const MAX_REVIEW_LENGTH = 1_000_000

/** Maximum number of files that a review page lists. */
export const MAX_REVIEW_FILES = 500

/** Maximum length, in UTF-16 code units, of the intent sentence on a review page; the rest is counted. */
export const MAX_REVIEW_INTENT_LENGTH = 1_000
