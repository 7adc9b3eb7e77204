/** Limits of page links. `test/worker/page-links/limits.test.ts` tests them at their edges. @module */

/** Maximum number of page links of a workspace. */
export const MAX_PAGE_LINKS = 100

/** Maximum seconds after which a page link ends. */
export const MAX_PAGE_LINK_SECONDS = 365 * 24 * 60 * 60

/** Maximum number of files that a link to a folder keeps as they are. */
export const MAX_PINNED_FILES = 1_000

/** Requests that a page link answers at once, with those for images. */
export const PAGE_REQUESTS_AT_ONCE = 200

/** Requests per second that a page link answers from then on. */
export const PAGE_REQUESTS_PER_SECOND = 10

/** Maximum bytes of a text file that a page shows; of a larger one it offers the download alone. */
export const MAX_PAGE_TEXT_BYTES = 4 * 1024 * 1024

/** Maximum characters of a text on one page; the rest is on further pages. */
export const MAX_PAGE_CHARACTERS = 100_000

/** Maximum lines of a text, or rows of a table, on one page. */
export const MAX_PAGE_LINES = 2_000

/** Maximum columns of a table on a page. */
export const MAX_PAGE_COLUMNS = 100

/** Maximum pictures on a page; the others are links. */
export const MAX_PAGE_IMAGES = 100

/** Maximum entries of a folder on one page. */
export const MAX_PAGE_ENTRIES = 200
