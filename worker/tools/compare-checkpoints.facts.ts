/** Facts of `compare_checkpoints` for the docs and the tests. @module */

import {
  withoutNeeds,
  EDITED_PLAN,
  usage,
  type CheckedFacts,
  readHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { from: 'Before the cleanup', folder: 'docs' },
  given: [{ tool: 'create_checkpoint', arguments: { name: 'Before the cleanup' } }, ...EDITED_PLAN],
  hints: readHints('It compares two states of the workspace'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: ['no_checkpoint'],
  uses: usage(1, 47, 0),
  access: ({ folders }) => [
    withoutNeeds({ from: 'start' }),
    ...folders.map((folder) => withoutNeeds({ from: 'start', folder })),
  ],
}
