/** Facts of `respond_to_review` for the docs and the tests. @module */

import {
  WAITING_PLAN,
  withoutNeeds,
  usage,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { reason: 'The release moved to Friday.' },
  given: [WAITING_PLAN],
  hints: changeHints(
    'It answers a comment of the owner.',
    'It adds an answer, and removes nothing.',
  ),
  scopes: [],
  hasPaths: false,
  refusals: ['no_open_draft', 'no_comment'],
  argumentCodes: ['MISSING_REASON'],
  uses: usage(1, 8, 4),
  access: () => [withoutNeeds({ reason: 'here' })],
}
