/** Facts of `delegate` for the docs and the tests. @module */

import { withoutNeeds, usage, type CheckedFacts } from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { label: 'helper', scopes: ['read:file:/docs'], ttl_seconds: 600 },
  // A delegated session has at most the access of its caller.
  hints: {
    readOnly: 'It creates a link with access.',
    destructive: 'It changes no file; the link ends by itself, and can be revoked.',
    openWorld: 'The holder of the link can use it from outside, within its scopes.',
  },
  scopes: [],
  hasPaths: false,
  refusals: [],
  argumentCodes: ['INVALID_SCOPES', 'INVALID_POLICY', 'TOO_DEEP', 'METADATA_TOO_LARGE'],
  uses: usage(1, 6, 5),
  access: () => [withoutNeeds({ label: 'next' })],
}
