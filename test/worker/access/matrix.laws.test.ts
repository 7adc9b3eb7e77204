/**
 * All routes for all kinds of caller: no response reveals what a caller may not read, and what it
 * may not write does not change.
 *
 * Each caller sends each request twice: where the files that are forbidden to it exist, and where they do not. Both
 * responses have to be the same. Rows are in `access-routes.ts`, callers in `access-callers.ts`.
 * `matrix-more.slow.test.ts` has the same callers with requests that carry metadata.
 */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { isForwarded } from '#worker/front/routes.ts'
import { loadSdk } from '#worker/mcp/load-sdk.ts'
import { createServer } from '#worker/mcp/server.ts'
import { callerWithoutSession } from '#worker/access/caller.ts'
import { createSkillViews } from '#worker/skills/view.ts'
import { describe, expect, it } from 'vitest'
import { CALLERS, EXTRAS } from '../../support/worker/access-callers.ts'
import { METHOD_ROWS, OTHER_METHODS } from '../../support/worker/access-routes.ts'
import { pairOf, tryEverything } from '../../support/worker/access-run.ts'
import { OWNER_ROUTES } from '../../support/e2e/owner-routes.ts'
import { withToolContext } from '../../support/worker/tool-context.ts'

const NO_SKILLS = createSkillViews({
  served: () => [],
  find: () => null,
  read: () => Promise.resolve(null),
})

describe.each(CALLERS)('$name', (caller) => {
  it('learns nothing about unreadable paths, and changes nothing that it may not write', async () => {
    await tryEverything(await pairOf(caller, EXTRAS[0]))
  })
})

describe('the matrix has a row', () => {
  it('for every method that the server handles', () =>
    withToolContext({}, async ({ services }) => {
      const caller = callerWithoutSession('', DEFAULT_CONFIG)
      const server = createServer(await loadSdk(), {
        services,
        resources: {
          changes: services.changes,
          readView: () => Promise.reject(new Error()),
          apps: { list: () => [], read: () => Promise.resolve(null) },
          skills: NO_SKILLS,
        },
        callerOf: () => caller,
        origin: null,
        instructions: '',
        subscriptions: { add: () => true, remove: () => {} },
      })
      const handled: unknown = Reflect.get(server, '_requestHandlers')
      if (!(handled instanceof Map)) throw new Error('The SDK keeps its handlers elsewhere')
      const rows = [...Object.keys(METHOD_ROWS), ...OTHER_METHODS]
      for (const method of handled.keys()) expect(rows).toContain(method)
      expect(handled.size).toBeGreaterThan(7)
    }))

  it('for every HTTP route', () => {
    for (const route of OWNER_ROUTES) expect(isForwarded(route), route).toBe(true)
  })
})
