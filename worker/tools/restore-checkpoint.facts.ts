/** Facts of `restore_checkpoint` for the docs and the tests. @module */

import {
  withoutNeeds,
  EDITED_PLAN,
  usage,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { checkpoint: 'Before the cleanup', folder: 'docs' },
  given: [{ tool: 'create_checkpoint', arguments: { name: 'Before the cleanup' } }, ...EDITED_PLAN],
  hints: changeHints(
    'It brings files back to a named state.',
    'It replaces and deletes files that were changed since.',
  ),
  scopes: ['read:file:/docs', 'write:file:/docs'],
  hasPaths: true,
  refusals: ['no_checkpoint', 'no_version', 'too_many_paths'],
  uses: usage(1, 76, 5),
  changes: { folder: ({ folder }) => ({ checkpoint: 'start', folder }) },
  access: ({ folders }) => [
    withoutNeeds({ checkpoint: 'start' }),
    ...folders.map((folder) =>
      withoutNeeds({ checkpoint: 'start', folder }, { depends: 'subtree' }),
    ),
  ],
}
