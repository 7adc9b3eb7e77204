/**
 * Limits of the research profile, beside those of every search in `worker/limits.ts`.
 * `test/worker/research/search.test.ts` tests them.
 *
 * @module
 */

/** Maximum number of results of one `search` of the research profile; the best are kept. */
export const MAX_RESEARCH_RESULTS = 20

/** Maximum number of words of a query that are searched for; the longest are kept. */
export const MAX_RESEARCH_WORDS = 8

/** Maximum length of a query of the research profile, in UTF-16 code units. */
export const MAX_RESEARCH_QUERY_LENGTH = 1_000
