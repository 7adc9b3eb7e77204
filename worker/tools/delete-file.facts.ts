/** Facts of `delete_file` for the docs and the tests. @module */

import {
  withoutNeeds,
  PLAN,
  usage,
  writes,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs' },
  given: [PLAN],
  hints: changeHints(
    'It deletes a file or a folder.',
    'What it deletes is gone from the workspace; history keeps it.',
  ),
  scopes: ['write:file:/'],
  hasPaths: true,
  refusals: ['not_found', 'root_denied', 'version_conflict'],
  uses: usage(1, 22, 5),
  changes: {
    file: ({ file }) => ({ path: file }),
    folder: ({ folder }) => ({ path: `${folder}/sub` }),
  },
  access: ({ files, folders }) => [
    ...files.map(({ path }) => ({
      arguments: { path },
      needs: writes(path),
      depends: 'write-only' as const,
    })),
    ...folders.map((path) => withoutNeeds({ path }, { depends: 'subtree' })),
  ],
}
