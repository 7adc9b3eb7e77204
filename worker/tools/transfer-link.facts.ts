/** Facts of `transfer_link` for the docs and the tests. @module */

import { PLAN, reads, usage, writes, type CheckedFacts } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { path: 'docs/plan.md', direction: 'download' },
  given: [PLAN],
  hints: {
    readOnly: 'It creates a link to one file.',
    destructive:
      'It changes no file; an upload through the link is a change of its own, with rules, approval and history.',
    openWorld: 'The holder of the link can read or write the one file from outside.',
  },
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
