/**
 * The access matrix for requests that bring something along: a configuration, a policy, grants, denied scopes.
 *
 * Every caller has a configuration of its own; each of the rest is tried with some of the callers, and in the
 * slow set with all of them.
 */

import { describe, it } from 'vitest'
import { CALLERS, EXTRAS } from './access-callers.ts'
import { IS_THOROUGH, pairOf, tryEverything } from './access-run.ts'

const combos = CALLERS.flatMap((caller, at) =>
  EXTRAS.slice(1)
    .filter((_, index) => IS_THOROUGH || index === 0 || (at + index) % 5 === 0)
    .map((extra) => ({ name: `${caller.name}, with ${extra.name}`, caller, extra })),
)

describe.each(combos)('$name', ({ caller, extra }) => {
  it('learns nothing of what it may not read, and changes nothing that it may not write', async () => {
    await tryEverything(await pairOf(caller, extra), IS_THOROUGH)
  }, 60_000)
})
