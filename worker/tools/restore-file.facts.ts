/** Facts of `restore_file` for the docs and the tests. @module */

import {
  EDITED_PLAN,
  rewrites,
  usage,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs/plan.md', version: 1 },
  given: EDITED_PLAN,
  hints: changeHints(
    'It writes an old version of a file.',
    'It replaces the present content; history keeps it.',
  ),
  scopes: ['read:file:/docs', 'write:file:/docs'],
  hasPaths: true,
  refusals: ['no_version', 'version_conflict'],
  uses: usage(1, 25, 4),
  changes: { file: ({ file, first }) => ({ path: file, version: first }) },
  access: ({ files }) =>
    files.map(({ path, version }) => ({
      arguments: { path, version },
      needs: rewrites(path),
    })),
}
