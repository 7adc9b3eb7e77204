/** Facts of the tools of the research profile, for the docs and the tests. @module */

import { readHints, type HintReasons } from '../tools/lib/checked-facts.ts'

/** Why their hints are as they are, by the name of the tool. */
export const RESEARCH_HINTS: Readonly<Record<string, HintReasons>> = {
  search: readHints('It lists files that fit a query'),
  fetch: readHints('It shows the text of one file'),
}
