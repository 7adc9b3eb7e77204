/**
 * The access matrix for requests with a configuration, a policy, grants or denied scopes.
 *
 * It covers all combinations with all callers, so it is in the slow set.
 */

import { describe, it } from 'vitest'
import { CALLERS, EXTRAS } from '../../support/worker/access-callers.ts'
import { pairOf, tryEverything } from '../../support/worker/access-run.ts'

const combos = CALLERS.flatMap((caller) =>
  EXTRAS.slice(1).map((extra) => ({ name: `${caller.name}, with ${extra.name}`, caller, extra })),
)

describe.each(combos)('$name', ({ caller, extra }) => {
  it('learns nothing about unreadable paths, and changes nothing that it may not write', async () => {
    await tryEverything(await pairOf(caller, extra))
  })
})
