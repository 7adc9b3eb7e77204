/** Facts of `move_file` for the docs and the tests. @module */

import {
  withoutNeeds,
  PLAN,
  rewrites,
  usage,
  writes,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { from: 'docs/plan.md', to: 'old/plan.md' },
  given: [PLAN],
  hints: changeHints(
    'It moves a file or a folder.',
    'The old path is gone; the move can be undone.',
  ),
  scopes: ['read:file:/docs', 'write:file:/docs', 'write:file:/old'],
  hasPaths: true,
  refusals: [
    'not_found',
    'exists',
    'not_a_folder',
    'into_itself',
    'root_denied',
    'version_conflict',
  ],
  uses: usage(1, 31, 7),
  changes: {
    file: ({ folder, file }) => ({ from: file, to: `${folder}/canary` }),
    folder: ({ folder }) => ({ from: `${folder}/sub`, to: `${folder}/canary` }),
  },
  access: ({ files, folders, targets }) => [
    ...files.map(({ path }) => ({
      arguments: { from: path, to: '/docs/moved' },
      needs: [...rewrites(path), ...writes('/docs/moved')],
    })),
    ...files.map(({ path }) => ({
      arguments: { from: '/docs/open-amber.md', to: path },
      needs: [...writes('/docs/open-amber.md'), ...writes(path)],
      mayFail: true,
      depends: 'write-only' as const,
    })),
    ...targets.map((folder) => ({
      arguments: { from: '/docs/open-amber.md', to: `${folder}/come` },
      needs: [...writes('/docs/open-amber.md'), ...writes(`${folder}/come`)],
      mayFail: true,
    })),
    ...folders.map((from) => withoutNeeds({ from, to: '/docs/moved' }, { depends: 'subtree' })),
  ],
}
