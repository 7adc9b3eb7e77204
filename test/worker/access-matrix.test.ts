/**
 * All routes for all kinds of caller: what a caller may not read is neither told nor hinted at, and what it
 * may not write does not change.
 *
 * Each caller asks twice: where the files that are forbidden to it exist, and where they do not. Both
 * answers have to be the same. Rows are in `access-routes.ts`, callers in `access-callers.ts`.
 * `access-matrix-more.test.ts` has the same callers with what a request can bring along.
 */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { FORWARDED } from '#worker/http.ts'
import { createServer } from '#worker/mcp/server.ts'
import { freeCaller } from '#worker/sessions/caller.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { describe, expect, it } from 'vitest'
import { CALLERS, EXTRAS } from './access-callers.ts'
import { HTTP_ROWS, METHOD_ROWS, OTHER_METHODS, TOOL_ROWS } from './access-routes.ts'
import { pairOf, tryEverything } from './access-run.ts'
import { withDesk } from './desk.ts'

describe.each(CALLERS)('$name', (caller) => {
  it('learns nothing of what it may not read, and changes nothing that it may not write', async () => {
    await tryEverything(await pairOf(caller, EXTRAS[0]))
  }, 60_000)
})

describe('there is a row', () => {
  it('for every tool', () => {
    expect(Object.keys(TOOL_ROWS).sort()).toEqual([...TOOLS.keys()].sort())
  })

  it('for every method that the server handles', () =>
    withDesk({}, async ({ around }) => {
      const caller = freeCaller('', DEFAULT_CONFIG)
      const server = createServer({
        around,
        resources: { changes: around.changes, readView: () => Promise.reject(new Error()) },
        callerOf: () => caller,
        subscriptions: { add: () => true, remove: () => {} },
      })
      const handled: unknown = Reflect.get(server, '_requestHandlers')
      if (!(handled instanceof Map)) throw new Error('The SDK keeps its handlers elsewhere')
      const rows = [...Object.keys(METHOD_ROWS), ...OTHER_METHODS]
      for (const method of handled.keys()) expect(rows).toContain(method)
      expect(handled.size).toBeGreaterThan(7)
    }))

  it('for every HTTP route', () => {
    for (const route of HTTP_ROWS) expect(route).toMatch(FORWARDED)
    const words = new Set(HTTP_ROWS.flatMap((route) => route.split('/').slice(1, 3)))
    for (const word of FORWARDED.source.match(/[a-z]{2,}/g) ?? []) expect(words).toContain(word)
  })
})
