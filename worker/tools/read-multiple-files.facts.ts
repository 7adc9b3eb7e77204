/** Facts of `read_multiple_files` for the docs and the tests. @module */

import { PLAN, reads, usage, type CheckedFacts, readHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { paths: ['docs/plan.md', 'docs/gone.md'] },
  given: [PLAN],
  hints: readHints('It shows several files'),
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: [],
  uses: usage(1, 2, 0),
  access: ({ files }) =>
    files.map(({ path }) => ({
      arguments: { paths: [path, '/nowhere/nothing'] },
      needs: reads(path),
      mayFail: true,
    })),
}
