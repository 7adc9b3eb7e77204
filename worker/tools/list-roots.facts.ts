/** Facts of `list_roots` for the docs and the tests. @module */

import { withoutNeeds, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: {},
  hints: readHints('It lists the folders that the caller may use'),
  scopes: [],
  hasPaths: false,
  refusals: [],
  uses: usage(1, 0, 0),
  access: () => [withoutNeeds({})],
}
