/** Limits of archives beside those of the whole Worker. `test/worker/archive/import-after.test.ts` tests them. @module */

/** Maximum number of conflicts that the report of an import lists; the others are counted. */
export const MAX_IMPORT_CONFLICTS = 1_000
