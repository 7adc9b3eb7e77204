/** Facts of `find_files` for the docs and the tests. @module */

import { withoutNeeds, PLAN, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { pattern: '*.md', root: 'docs', glob: true },
  given: [PLAN],
  hints: readHints('It lists files by their names'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: ['not_found', 'not_a_folder', 'over_budget'],
  argumentCodes: ['INVALID_PATTERN', 'INVALID_GLOB', 'INVALID_CURSOR'],
  uses: usage(1, 2, 0),
  alsoUses: {
    'a page of 200': {
      arguments: { pattern: '*.txt', root: 'many', glob: true, limit: 200 },
      uses: usage(1, 203, 0),
    },
  },
  access: ({ folders }) => folders.map((root) => withoutNeeds({ root })),
}
