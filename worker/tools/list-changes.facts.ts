/** Facts of `list_changes` for the docs and the tests. @module */

import { withoutNeeds, PLAN, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs', limit: 1 },
  given: [PLAN],
  hints: readHints('It lists the changes of the workspace'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: [],
  uses: usage(1, 7, 0),
  access: ({ folders }) => [
    withoutNeeds({}),
    withoutNeeds({ actor: 'gardener' }),
    ...folders.map((path) => withoutNeeds({ path })),
  ],
}
