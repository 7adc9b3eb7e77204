/** Facts of `read_multiple_files` for the docs and the tests. @module */

import { PLAN, reads, usage, type CheckedFacts } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { paths: ['docs/plan.md', 'docs/gone.md'] },
  given: [PLAN],
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
