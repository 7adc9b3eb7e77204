/**
 * Limits of callers and of the access of one request. `test/worker/access/limits.test.ts` tests them.
 *
 * @module
 */

/** Maximum length, in UTF-16 code units, of the name of a session. */
export const MAX_LABEL_LENGTH = 200

/** Maximum number of scopes per key of the metadata of one request. */
export const MAX_SCOPES = 100

/** Maximum number of changes examined for one page of history. */
export const MAX_EXAMINED_CHANGES = 5_000

/** Maximum number of paths examined before a page of history ends. Meanwhile, every other request waits. */
export const MAX_EXAMINED_PATHS = 100_000

/** Maximum number of files and folders listed of one change in the feed; the others are counted. */
export const MAX_FEED_CHANGE_FILES = 1_000

/** Files and folders of one change in the feed after which they are not counted any more. */
export const MAX_FEED_COUNTED_FILES = 10_000

/** Maximum number of files and folders in one page of the feed, plus those of its last change. */
export const MAX_FEED_PAGE_FILES = 10_000

/**
 * Maximum number of folders above the paths of one list of scopes that are looked up one by one. With more, everything
 * below the topmost ones is read, and judged by its path.
 */
export const MAX_FOLDERS_ABOVE = 1_000

/** Maximum number of parsed policies and configurations in memory, per ceiling. */
export const MAX_CACHED_RULES = 20

/** Maximum length, in UTF-16 code units, of a policy or configuration that is kept in memory once parsed. */
export const MAX_CACHED_RULES_LENGTH = 20_000

/**
 * Maximum number of patterns in all policies and clients' configurations of a request: of each link of its chain, and
 * its own.
 */
export const MAX_POLICY_PATTERNS = 100

/** Maximum length, in UTF-16 code units, of these patterns together. */
export const MAX_POLICY_PATTERN_TEXT = 4_000

// A step is one of the machine of a glob, about fifty nanoseconds; the next character of a known path takes less.
/** Maximum number of steps that judging paths by these patterns takes one principal at once: about a second. */
export const MAX_JUDGING_STEPS = 20_000_000

/** Steps that a principal may use again each second: a tenth of the time of the workspace. */
export const JUDGING_STEPS_PER_SECOND = 2_000_000

/** Maximum that a client may choose for a limit of its output, in bytes, that the owner has not set. */
export const MAX_CHOSEN_BYTES = 4 * 1024 * 1024

/** Seconds for which a call that the owner allowed once can be made. */
export const ALLOWED_CALL_SECONDS = 60 * 60
