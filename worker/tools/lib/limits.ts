/**
 * Limits of single tools, beside those of the whole Worker in `worker/limits.ts`. The schemas that
 * `tools/list` sends name those of arguments. `test/worker/tools/lib/limits.test.ts` tests them.
 *
 * @module
 */

/** Maximum number of versions in one `file_history` result. */
export const MAX_LISTED_VERSIONS = 100

/** Maximum bytes of JSON of the paths that `find_files` returns if its caller does not say how many it wants. */
export const MAX_FOUND_BYTES = 17_000

/** Maximum bytes of JSON of a list, as text and as data, if its caller does not say how many items it wants. */
export const MAX_LISTED_BYTES = 36_000

/** Maximum number of changes in one `list_changes` result. */
export const MAX_LISTED_CHANGES = 200

/** Maximum length, in UTF-16 code units, of the actor that `list_changes` filters by. */
export const MAX_ACTOR_LENGTH = 500

/** Maximum length, in UTF-16 code units, of the id of a change. */
export const MAX_CHANGE_ID_LENGTH = 100

/** Maximum number of lines that a refused edit names, where its text is not unique. */
export const MAX_NAMED_LINES = 20

/** Maximum length, in UTF-16 code units, of a line that is in memory as a whole while lines are read. */
export const MAX_KEPT_LINE_LENGTH = 100_000

/** Maximum number of lines of one result that are shown in part. The result ends with the last of them. */
export const MAX_CUT_LINES = 20

/** Maximum number of similar lines that a refused edit shows. */
export const MAX_SIMILAR_LINES = 3

/** Maximum number of lines of the part that is most similar to a text of several lines. */
export const MAX_SPAN_LINES = 20

/** Maximum number of differences that a refused edit names, where they cannot be seen. */
export const MAX_NAMED_DIFFERENCES = 5

/** Maximum size, in bytes, of a similar line that a refused edit shows. */
export const MAX_SIMILAR_LINE_BYTES = 400

/** Maximum number of lines compared to find similar ones. */
export const MAX_COMPARED_LINES = 20_000

/** Maximum length, in UTF-16 code units, of the part of a line that is compared. */
export const MAX_COMPARED_LENGTH = 300

/** Maximum number of letters compared, of all lines: about a tenth of a second. */
export const MAX_COMPARED_LETTERS = 1_000_000

/** Maximum number of leases and drafts of others that one result names; it counts the rest. */
export const MAX_NAMED_USES = 5
