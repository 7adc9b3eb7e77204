/** Facts of `lease` for the docs and the tests. @module */

import { PLAN, usage, writes, type CheckedFacts, changeHints } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { paths: ['docs/plan.md'], ttl_seconds: 600, note: 'Rewriting the plan' },
  given: [PLAN],
  hints: changeHints(
    'It records that the caller works alone on paths.',
    'It changes no file, and ends by itself.',
  ),
  scopes: ['write:file:/docs'],
  hasPaths: true,
  refusals: ['leased', 'leases_full', 'lease_too_wide'],
  uses: usage(1, 7, 6),
  access: ({ files, folders }) => [
    ...files.map(({ path }) => ({
      arguments: { paths: [path], ttl_seconds: 0 },
      needs: writes(path),
    })),
    // Another caller may have leased it, and a part of a folder may be kept from this one.
    ...[...files.map(({ path }) => path), ...folders].map((path) => ({
      arguments: { paths: [path] },
      needs: writes(path),
      mayFail: true,
    })),
  ],
}
