/** Facts of `draft_status` for the docs and the tests. @module */

import { withoutNeeds, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: {},
  hints: readHints('It reports what waits for approval and what was decided'),
  scopes: [],
  hasPaths: false,
  refusals: [],
  uses: usage(1, 0, 0),
  access: () => [withoutNeeds({})],
}
