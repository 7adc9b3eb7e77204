/** Facts of `file_history` for the docs and the tests. @module */

import { EDITED_PLAN, reads, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs/plan.md', limit: 1 },
  given: EDITED_PLAN,
  hints: readHints('It lists the versions of a file'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: [],
  uses: usage(1, 2, 0),
  access: ({ files }) => files.map(({ path }) => ({ arguments: { path }, needs: reads(path) })),
}
