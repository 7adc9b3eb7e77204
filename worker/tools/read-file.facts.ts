/** Facts of `read_file` for the docs and the tests. @module */

import { PLAN, reads, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs/plan.md' },
  given: [PLAN],
  hints: readHints('It shows one file'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: ['not_found', 'is_folder', 'is_binary', 'no_text', 'too_large'],
  argumentCodes: ['INVALID_OFFSET', 'INVALID_PAGE'],
  uses: usage(1, 2, 0),
  alsoUses: {
    '240 kB from R2': { arguments: { path: 'many/large.txt' }, uses: usage(1, 3, 0, [0, 1]) },
  },
  access: ({ files }) => files.map(({ path }) => ({ arguments: { path }, needs: reads(path) })),
}
