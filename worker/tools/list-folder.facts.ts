/** Facts of `list_folder` for the docs and the tests. @module */

import { withoutNeeds, PLAN, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs' },
  given: [PLAN],
  hints: readHints('It lists a page of a folder'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: ['not_found'],
  uses: usage(1, 3, 0),
  alsoUses: { '250 entries': { arguments: { path: 'many' }, uses: usage(1, 202, 0) } },
  access: ({ folders }) => folders.map((path) => withoutNeeds({ path })),
}
