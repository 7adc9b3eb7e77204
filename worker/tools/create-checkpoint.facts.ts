/** Facts of `create_checkpoint` for the docs and the tests. @module */

import { withoutNeeds, usage, type CheckedFacts, changeHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { name: 'Before the cleanup' },
  hints: changeHints('It names the present state of the workspace.', 'It changes no file.'),
  scopes: [],
  hasPaths: false,
  refusals: ['checkpoints_full'],
  uses: usage(1, 7, 2),
  access: () => [withoutNeeds({ name: 'here' })],
}
