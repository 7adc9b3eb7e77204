/** Facts of `search_files` for the docs and the tests. @module */

import {
  withoutNeeds,
  PLAN,
  reads,
  usage,
  type CheckedFacts,
  readHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { pattern: 'ship', root: 'docs' },
  given: [PLAN],
  hints: readHints('It shows lines that match a pattern'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: ['not_found', 'is_binary', 'no_text', 'over_budget'],
  argumentCodes: ['INVALID_PATTERN', 'INVALID_GLOB'],
  uses: usage(1, 18, 0),
  alsoUses: {
    '5 of 250 files': { arguments: { pattern: 'needle', root: 'many' }, uses: usage(1, 58, 0) },
  },
  access: ({ files, folders }) => [
    ...folders.map((root) => withoutNeeds({ root, pattern: 'canary' })),
    ...files.map(({ path }) => ({
      arguments: { root: path, pattern: 'canary' },
      needs: reads(path),
    })),
  ],
}
