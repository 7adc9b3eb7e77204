/** Whether a change made an app begin or cease to be served: how much of history is looked up. */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { ownerAccess } from '#worker/access/access.ts'
import { viewFiles } from '#worker/access/file-view.ts'
import { viewHistory } from '#worker/access/history-view.ts'
import { hasServingChanged, MAX_LOOKED_UP } from '#worker/approved/served.ts'
import { readFolder } from '#worker/apps/folder.ts'
import { folderOf } from '#worker/apps/place.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const APPS = { folderOf, readFolder }

const APPROVED = {
  name: 'board',
  seal: JSON.stringify([['app.json', 'the hash of other content']]),
}

/** The files and history of a store, as apps get them. */
function filesOf(store: Store) {
  const access = ownerAccess(DEFAULT_CONFIG)
  return Object.assign(viewFiles(store, access), viewHistory(store, access, null))
}

it.each([
  [MAX_LOOKED_UP, 'was not served before and is not now', false],
  [MAX_LOOKED_UP + 1, 'may have been served before, so it counts as changed', true],
])('an app after a change of %i files %s', async (files, _what, expected) => {
  await runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    act(store, { type: 'folder', path: parsePath('/.apps/board') })
    const content = await store.hold(new Uint8Array(1))
    const steps = Array.from({ length: files }, (_each, file): Step => {
      return { type: 'put', path: parsePath(`/.apps/board/${file}`), content }
    })
    expect(act(store, ...steps)).toMatchObject({ ok: true })
    const { version } = store.totals
    const changed = { approved: APPROVED, first: version, last: version }
    expect(hasServingChanged(APPS, filesOf(store), changed)).toBe(expected)
  })
})
