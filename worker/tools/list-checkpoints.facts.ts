/** Facts of `list_checkpoints` for the docs and the tests. @module */

import { withoutNeeds, PLAN, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: {},
  given: [PLAN, { tool: 'create_checkpoint', arguments: { name: 'Before the cleanup' } }],
  hints: readHints('It lists the checkpoints'),
  scopes: [],
  hasPaths: false,
  refusals: [],
  uses: usage(1, 2, 0),
  access: () => [withoutNeeds({})],
}
