/** Whether a change alters the list of a caller: the work for many streams. The cases are in `listen.test.ts`. */

import { parsePath, type StorePath } from '#core/path.ts'
import { findListChange, MAX_COMPARED, MAX_COMPARED_ALL } from '#worker/mcp/list-changes.ts'
import type { Step } from '#worker/store/store.ts'
import { tablesOf } from '#worker/database/table-groups.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const FILES = 2_000
const STREAMS = 1_000

it.each(['written', 'deleted'])('compares a bounded number of paths that are %s', async (how) => {
  await runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    const content = await store.hold(new Uint8Array(1))
    const puts = Array.from({ length: FILES }, (_each, file): Step => {
      return { type: 'put', path: parsePath(`/a/${file}`), content }
    })
    const removal: Step[] = [{ type: 'remove', path: parsePath('/a') }]
    const changes = [puts, removal].map((steps) => ({ applied: act(store, ...steps), steps }))
    const { applied, steps } = changes[how === 'written' ? 0 : 1] ?? { steps: [] }
    if (!applied?.ok) throw new Error('The change is refused')
    const sql = tablesOf(state.storage.sql, 'streams')
    const compare = (streams: number): number => {
      let compared = 0
      const canRead = () => ++compared < 0
      const alters = findListChange(sql, [{ change: applied.value, steps }], streams)
      for (let stream = 0; stream < streams; stream++)
        expect(alters({ canRead, unrestricted: false })).toBe(false)
      return compared
    }
    expect(compare(10)).toBe(10 * FILES)
    expect(compare(STREAMS)).toBe(MAX_COMPARED_ALL)
  })
})

it('compares as many paths where they are of many changes', async () => {
  await runInDurableObject(newStub(), (_, state) => {
    const changes = Array.from({ length: FILES }, (_each, version) => {
      return { change: { version, listed: [parsePath(`/${version}`)] }, steps: [] }
    })
    const alters = findListChange(tablesOf(state.storage.sql, 'streams'), changes, STREAMS)
    let compared = 0
    for (let stream = 0; stream < STREAMS; stream++)
      expect(alters({ canRead: () => ++compared < 0, unrestricted: false })).toBe(false)
    expect(compared).toBe(MAX_COMPARED_ALL)
  })
})

it('compares the paths of a change beside one with more than are compared', async () => {
  await runInDurableObject(newStub(), (_, state) => {
    const many = Array.from({ length: MAX_COMPARED + 1 }, (_each, file) => parsePath(`/${file}`))
    const seen = parsePath('/seen')
    const changes = [many, [seen], many].map((listed, version) => {
      return { change: { version, listed }, steps: [] }
    })
    const alters = findListChange(tablesOf(state.storage.sql, 'streams'), changes, 1)
    let compared = 0
    const canRead = (path: StorePath) => ++compared > 0 && path === seen
    expect(alters({ canRead, unrestricted: false })).toBe(true)
    expect(compared).toBeLessThanOrEqual(MAX_COMPARED)
  })
})

it('compares a bounded number of paths for one stream', async () => {
  await runInDurableObject(newStub(), (_, state) => {
    const listed = Array.from({ length: MAX_COMPARED + 1 }, (_each, file) => parsePath(`/${file}`))
    const changes = [{ change: { version: 1, listed }, steps: [] }]
    const alters = findListChange(tablesOf(state.storage.sql, 'streams'), changes, 1)
    let compared = 0
    expect(alters({ canRead: () => ++compared < 0, unrestricted: false })).toBe(false)
    expect(compared).toBe(MAX_COMPARED)
  })
})
