/** Facts of `create_folder` for the docs and the tests. @module */

import { usage, writes, type CheckedFacts, changeHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'notes' },
  hints: changeHints('It creates a folder.', 'It never overwrites: an existing file is refused.'),
  scopes: ['write:file:/'],
  hasPaths: true,
  refusals: ['exists', 'not_a_folder'],
  uses: usage(1, 7, 3),
  changes: { folder: ({ folder }) => ({ path: `${folder}/canary` }) },
  access: ({ files, targets }) => [
    ...targets.map((folder) => ({
      arguments: { path: `${folder}/new` },
      needs: writes(`${folder}/new`),
    })),
    ...files.map(({ path }) => ({
      arguments: { path },
      needs: writes(path),
      mayFail: true,
      depends: 'write-only' as const,
    })),
  ],
}
