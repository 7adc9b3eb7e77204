/** The names of folders that the query of the list accepts are those of `isAppName`. */

import { isAppName } from '#core/apps/name.ts'
import { listMadeFolders } from '#worker/approved/made-folders.ts'
import { MADE_APPS } from '#worker/apps/place.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'

const NAMES = [
  ...['board', 'a', '0', 'my-board_2', 'a-b', 'a_b', 'x'.repeat(40), 'x'.repeat(41)],
  ...['A', 'Board', 'a b', '-a', 'a-', '_a', 'a_', 'a.b', 'ä', '__proto__', 'a]', '[a', 'a*', 'a?'],
]

it('lists the folders whose name is that of an app', async () => {
  const workspace = freshWorkspace()
  await seed(
    stubOf(workspace),
    NAMES.map((name) => `/.apps/${name}/index.html`),
  )
  const made = await runInDurableObject(stubOf(workspace), (_, { storage }) =>
    listMadeFolders(storage.sql, 100, MADE_APPS),
  )
  const expected = NAMES.filter(isAppName)
  expect(expected).toHaveLength(7)
  expect(made.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
})
