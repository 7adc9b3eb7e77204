/** What the list of apps reads where `/ui` and `/tools` are full of files that belong to no app. */

import { parsePath } from '#core/path.ts'
import { listBashFolders } from '#worker/apps/place.ts'
import { fillNames } from '#worker/search/name-index.ts'
import { createEntries } from '#worker/store/read/entries.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { counting } from '../../support/worker/count-rows.ts'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

/** The rows that are read to find two folders of mcp-bash among so many other files. */
const rowsAmong = (files: number) =>
  runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    const content = await store.hold(new TextEncoder().encode('x'))
    const others = Array.from({ length: files }, (_each, file) => [
      `/ui/site-${file % 50}/page-${file}.html`,
      `/ui/picture-${file}.png`,
      `/tools/tool-${file}/ui/index.html`,
    ]).flat()
    const apps = ['/ui/site-49/ui.meta.json', '/tools/read_file/ui/ui.meta.json']
    const paths = [...others, ...apps].map(parsePath)
    for (let at = 0; at < paths.length; at += 1_000)
      act(
        store,
        ...paths.slice(at, at + 1_000).map((path) => ({ type: 'put', path, content }) as const),
      )
    const { storage, rows } = counting(state.storage)
    while (fillNames(storage, store.totals));
    rows()
    const found = listBashFolders(createEntries(storage.sql)).map(([name]) => name)
    expect(found.toSorted()).toEqual(['tools/read_file/ui', 'ui/site-49'])
    return rows().read
  })

it('reads few rows, and no more where there are more other files', async () => {
  const few = await rowsAmong(1_000)
  const many = await rowsAmong(6_000)
  expect(many).toBeLessThan(2_000)
  expect(many).toBeLessThan(few * 1.5)
})
