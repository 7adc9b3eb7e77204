/** Facts of `create_checkpoint` for the docs and the tests. @module */

import { withoutNeeds, usage, type CheckedFacts } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { name: 'Before the cleanup' },
  scopes: [],
  hasPaths: false,
  refusals: ['checkpoints_full'],
  uses: usage(1, 7, 2),
  access: () => [withoutNeeds({ name: 'here' })],
}
