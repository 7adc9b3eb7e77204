/** Limits of the templates; `test/views/templates` checks the edges. @module */

/** Largest file in bytes that a template reads. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024

/** Most parts in which one file is read. */
export const MAX_FILE_PARTS = 2_000

/** Most rows of a table; more would be higher than browsers lay out. */
export const MAX_TABLE_ROWS = 500_000

/** Most cards of a board. */
export const MAX_CARDS = 2_000

/** Most nodes of a tree. */
export const MAX_NODES = 100_000

/** Deepest level of a tree, and of JSON that is edited. */
export const MAX_DEPTH = 100

/** Most UTF-16 code units on both sides together that are highlighted in a diff. */
export const MAX_HIGHLIGHTED = 500_000

/** Most UTF-16 code units of an export that is shown as text. */
export const MAX_SHOWN_EXPORT = 1_000_000
