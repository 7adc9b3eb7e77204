/** Facts of `undo_change` for the docs and the tests. @module */

import {
  EDITED_PLAN,
  rewrites,
  usage,
  type CheckedFacts,
  changeHints,
} from './lib/checked-facts.ts'

export const facts: CheckedFacts = {
  example: { version: 2 },
  given: EDITED_PLAN,
  // Which files it concerns is not known before the call is planned; it is refused then.
  hints: changeHints(
    'It takes a change back.',
    'It replaces or deletes what the change had written.',
  ),
  scopes: [],
  hasPaths: true,
  refusals: ['no_change', 'changed_since', 'no_version'],
  argumentCodes: ['MISSING_VERSION', 'INVALID_VERSION'],
  uses: usage(1, 37, 4),
  changes: { change: ({ change }) => ({ id: change }) },
  access: ({ files }) =>
    files.map(({ path, change }) => ({
      arguments: { id: change },
      needs: rewrites(path),
      mayFail: true,
    })),
}
