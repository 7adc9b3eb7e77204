/**
 * Limits of the owner's acts that the console keeps to and the server enforces. `test/worker/drafts/amended.test.ts`
 * checks the edges.
 *
 * @module
 */

/** Maximum number of files that one approval amends. */
export const MAX_AMENDED_FILES = 20

/** Maximum number of edits of one amended file. */
export const MAX_AMENDMENT_EDITS = 5_000
