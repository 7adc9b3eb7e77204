/** The index of names: what it finds in large workspaces, and what that reads and writes. */

import { parseGlob } from '#core/glob.ts'
import { parsePath, ROOT, type StorePath } from '#core/path.ts'
import { fillNames } from '#worker/search/name-index.ts'
import { queryOfGlob } from '#worker/search/name-query.ts'
import { createSearch } from '#worker/search/search.ts'
import { createEntries } from '#worker/store/read/entries.ts'
import { WORKSPACE_LAYER } from '#worker/store/layer.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { counting } from '../../support/worker/count-rows.ts'
import { expectAllFound, perform, SMALL } from '../../support/worker/name-index.ts'
import { newStub, seed, storeOf, stubOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const p = parsePath

describe('the index of names', () => {
  it('finds a name that was deleted, and written again after its block was indexed', async () => {
    await runInDurableObject(newStub(), async (_, state) => {
      const store = storeOf(state)
      const write = (...names: string[]) =>
        perform(
          store,
          names.map((each) => ({ type: 'put', path: p(`/d/${each}`) })),
        )
      const fill = () => fillNames(state.storage, store.totals, SMALL)
      await write('a1', 'a2', 'a3', 'a4', 'needle')
      while (fill());
      for (const each of ['needld', 'b1', 'b2', 'b3', 'a1']) await write(each)
      act(store, { type: 'remove', path: p('/d/needle') })
      fill()
      await write('needle')
      while (fill());
      expectAllFound({ sql: state.storage.sql, store, layer: WORKSPACE_LAYER }, ROOT)
    })
  })

  const FILES = 6_000
  const paths = Array.from({ length: FILES }, (_, file) =>
    p(file === 5_001 ? '/d50/rarely-named.md' : `/d${Math.floor(file / 100)}/file-${file}.ts`),
  )

  it('serves find_files at every moment', async () => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    await seed(stub, paths)
    const calls = [
      { pattern: 'rarely-named.md', glob: true },
      { pattern: '**/rarely*.md', glob: true },
      { pattern: '^rarely-\\w+' },
      { pattern: '(rarely|seldom)-' },
      { pattern: '**/d59/*99.ts', glob: true },
      { pattern: 'FILE-5[0-9]99', case_sensitive: false },
      { pattern: '*.ts', glob: true, limit: 3, offset: 5_500 },
      { pattern: 'absent-name' },
    ]
    const answers = async () => {
      const all = calls.map(async (args) => (await workspace.call('find_files', args)).result)
      return (await Promise.all(all)).map((result) => result?.structuredContent?.['matches'])
    }
    const before = await answers()
    expect(before.map((each) => (each as unknown[]).length)).toEqual([1, 1, 1, 1, 1, 10, 3, 0])
    const fill = () =>
      runInDurableObject(stub, (_, state) => fillNames(state.storage, storeOf(state).totals))
    while (await fill()) expect(await answers()).toEqual(before)
    expect(await answers()).toEqual(before)
  })

  it('is filled in batches without texts, because a search waits for a batch', async () => {
    await runInDurableObject(newStub(), async (_, state) => {
      const store = storeOf(state)
      const search = createSearch(state.storage, store)
      const content = await store.hold(new TextEncoder().encode('x'))
      act(store, ...paths.map((each) => ({ type: 'put', path: each, content }) as const))
      const waiting = []
      for (let more = true; more; waiting.push(search.unindexed())) more = await search.fill()
      expect(waiting.length).toBeGreaterThan(2)
      expect(waiting.indexOf(0), 'the text comes last').toBe(waiting.length - 1)
      expect(fillNames(state.storage, store.totals), 'no names are left').toBe(false)
    })
  })

  it('reads few rows for a rare name, and writes few for new ones', async () => {
    await runInDurableObject(newStub(), async (_, state) => {
      const store = storeOf(state)
      const content = await store.hold(new TextEncoder().encode('x'))
      const write = (some: readonly StorePath[]) =>
        act(store, ...some.map((each) => ({ type: 'put', path: each, content }) as const))
      const { storage, rows } = counting(state.storage)
      const fill = () => {
        while (fillNames(storage, store.totals));
        return rows()
      }
      write(paths)
      expect(fill().written).toBeLessThan(FILES / 10)

      const glob = parseGlob('rarely*.md')
      const names = glob.ok ? queryOfGlob(glob.value) : null
      const walk = () => [...createEntries(storage.sql).walk(ROOT, { names })]
      expect(walk().map((each) => each.path)).toContain('/d50/rarely-named.md')
      expect(rows().read).toBeLessThan(2_500)

      for (let turn = 0; turn < 100; turn++) write([paths[turn * 50] ?? ROOT])
      expect(fill().written, 'overwriting').toBeLessThanOrEqual(1)
      write(Array.from({ length: 100 }, (_, file) => p(`/d30/new-${file}.md`)))
      expect(fill().written, 'new files of one folder').toBeLessThan(40)
      for (let turn = 0; turn < 100; turn++) write([p(`/d${turn % 60}/other-${turn}.md`)])
      expect(fill().written, 'new files everywhere').toBeLessThan(200)
    })
  })
})
