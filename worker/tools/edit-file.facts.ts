/** Facts of `edit_file` for the docs and the tests. @module */

import { PLAN, rewrites, usage, type CheckedFacts, changeHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs/plan.md', edits: [{ find: 'Monday', replace: 'Friday' }], if_version: 1 },
  given: [PLAN],
  hints: changeHints(
    'It replaces parts of a file.',
    'It removes the text that it replaces; history keeps it.',
  ),
  scopes: ['read:file:/docs', 'write:file:/docs'],
  hasPaths: true,
  refusals: [
    'not_found',
    'is_folder',
    'is_binary',
    'is_document',
    'too_large',
    'version_conflict',
    'find_not_found',
    'find_not_unique',
    'over_budget',
  ],
  argumentCodes: ['FIND_EMPTY'],
  uses: usage(1, 18, 5),
  changes: { edit: ({ file }) => ({ path: file, edits: [{ find: 'second', replace: 'canary' }] }) },
  access: ({ files }) =>
    files.map(({ path, word }) => ({
      arguments: { path, edits: [{ find: `canary-${word}`, replace: 'edited' }] },
      needs: rewrites(path),
      mayFail: true,
    })),
}
