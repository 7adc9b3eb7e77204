/** Facts of `copy_file` for the docs and the tests. @module */

import {
  withoutNeeds,
  PLAN,
  reads,
  usage,
  writes,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { from: 'docs/plan.md', to: 'docs/copy.md' },
  given: [PLAN],
  hints: changeHints('It creates a copy.', 'It never overwrites: an existing target is refused.'),
  scopes: ['read:file:/docs/plan.md', 'write:file:/docs'],
  hasPaths: true,
  refusals: ['not_found', 'exists', 'not_a_folder', 'into_itself', 'over_budget'],
  uses: usage(1, 17, 4),
  changes: {
    file: ({ folder, file }) => ({ from: file, to: `${folder}/canary` }),
    folder: ({ folder }) => ({ from: `${folder}/sub`, to: `${folder}/canary` }),
  },
  access: ({ files, folders, targets }) => [
    ...files.map(({ path }) => ({
      arguments: { from: path, to: '/docs/copied' },
      needs: [...reads(path), ...writes('/docs/copied')],
    })),
    ...targets.map((folder) => ({
      arguments: { from: '/docs/open-amber.md', to: `${folder}/copied` },
      needs: [...reads('/docs/open-amber.md'), ...writes(`${folder}/copied`)],
      mayFail: true,
    })),
    ...folders.map((from) => withoutNeeds({ from, to: '/docs/copied' })),
  ],
}
