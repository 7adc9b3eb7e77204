/**
 * Profiles: other sets of tools at the same endpoint, chosen by `?profile=` in the URL of a client.
 *
 * A profile is no access: who may read what is decided as everywhere. `test/worker/research/profile.test.ts` has the cases.
 *
 * @module
 */

/** The profile of ChatGPT's research and company knowledge: `search` and `fetch` alone. */
export const RESEARCH = 'research'

/** The names of its tools, for records of calls; `worker/research/` has the tools. */
export const RESEARCH_NAMES = ['search', 'fetch'] as const

/** What instructions a model gets with the research profile. */
export const RESEARCH_INSTRUCTIONS =
  'Read-only research in a workspace of files. search finds files and documents by words; fetch reads one by its id, and ' +
  'metadata.next_id continues a long one.'

const QUERY = /\?([^#]*)/

/**
 * Returns the profile that a URL names: null for none, and for one that is unknown or named twice `unknown`, so that a
 * misspelled name does not list every tool.
 */
export function readProfile(url: string): typeof RESEARCH | 'unknown' | null {
  const [, query] = QUERY.exec(url) ?? []
  if (query === undefined) return null
  const named = new URLSearchParams(query).getAll('profile')
  if (named.length === 0) return null
  return named.length === 1 && named[0] === RESEARCH ? RESEARCH : 'unknown'
}
