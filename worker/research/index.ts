/** The tools of the research profile, in the order in which they are listed. @module */

import { fetchDocument } from './fetch.ts'
import { search } from './search.ts'

/** All tools of the profile by name. */
export const RESEARCH_TOOLS = new Map([search, fetchDocument].map((tool) => [tool.name, tool]))
