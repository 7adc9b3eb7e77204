/** Facts of `transfer_link` for the docs and the tests. @module */

import { PLAN, reads, usage, writes, type CheckedFacts } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs/plan.md', direction: 'download' },
  given: [PLAN],
  scopes: ['read:file:/docs'],
  hasPaths: true,
  refusals: ['not_found', 'is_folder'],
  argumentCodes: ['TOO_DEEP', 'METADATA_TOO_LARGE'],
  uses: usage(1, 8, 5),
  access: ({ files }) => [
    ...files.map(({ path }) => ({
      arguments: { path, direction: 'download' },
      needs: reads(path),
    })),
    ...files.map(({ path }) => ({
      arguments: { path, direction: 'upload' },
      needs: writes(path),
    })),
  ],
}
