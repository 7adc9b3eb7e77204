/**
 * Limits of the access of one request. `test/worker/access/limits.test.ts` tests them.
 *
 * @module
 */

/** Maximum number of scopes per key of the metadata of one request. */
export const MAX_SCOPES = 100

/** Maximum number of changes examined for one page of history. */
export const MAX_EXAMINED_CHANGES = 5_000

/** Maximum number of paths examined before a page of history ends. Meanwhile, every other request waits. */
export const MAX_EXAMINED_PATHS = 100_000

/** Maximum number of parsed policies and configurations in memory, per ceiling. */
export const MAX_CACHED_RULES = 20

/** Maximum length, in UTF-16 code units, of a policy or configuration that is kept in memory once parsed. */
export const MAX_CACHED_RULES_LENGTH = 20_000
