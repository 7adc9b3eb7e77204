/**
 * The access matrix for requests that bring something along: a configuration, a policy, grants, denied scopes.
 *
 * All of them with all callers, so it is in the slow set.
 */

import { describe, it } from 'vitest'
import { CALLERS, EXTRAS } from './access-callers.ts'
import { pairOf, tryEverything } from './access-run.ts'

const combos = CALLERS.flatMap((caller) =>
  EXTRAS.slice(1).map((extra) => ({ name: `${caller.name}, with ${extra.name}`, caller, extra })),
)

describe.each(combos)('$name', ({ caller, extra }) => {
  it('learns nothing of what it may not read, and changes nothing that it may not write', async () => {
    await tryEverything(await pairOf(caller, extra))
  }, 60_000)
})
