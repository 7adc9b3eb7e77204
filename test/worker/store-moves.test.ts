/** A folder cannot be moved into itself, whichever road leads there. */

import { parsePath } from '#core/path.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { freshWorkspace } from './client.ts'
import { expectWhole } from './invariants.ts'
import { newStub, storeOf } from './life.ts'
import { act, paths, put } from './store-contract.ts'

const p = parsePath

it.each([
  ['/a', '/a/b'],
  ['/a', '/a/new/c'],
  ['/a/x', '/a/x/y'],
  ['/', '/b'],
])('the store refuses to move %s to %s, and nothing happens', async (from, to) => {
  const stub = newStub()
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    await put(store, '/a/x', 'one')
    const error = { reason: 'into_itself', from, to }
    expect(act(store, { type: 'move', from: p(from), to: p(to) })).toEqual({ ok: false, error })
    expect(paths(store)).toEqual(['/a', '/a/x'])
    expect(store.totals.version).toBe(1)
    // A name that only begins alike is another place.
    expect(act(store, { type: 'move', from: p('/a'), to: p('/ab') })).toMatchObject({ ok: true })
    expect(paths(store)).toEqual(['/ab', '/ab/x'])
  })
  await expectWhole(stub)
})

it('a tool says so, previewed or not', async () => {
  const { put: upload, call, text } = freshWorkspace()
  await upload('/a/x', 'one')
  for (const preview of [true, false]) {
    const { result } = await call('move_file', { from: 'a', to: 'a/b' }, { preview })
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'Cannot move /a into itself, to /a/b [INVALID_TO]' }],
      _meta: { 'dev.edgewise/error': { code: 'INVALID_TO' } },
    })
  }
  expect(await text('find_files')).toBe('a/\na/x')
})
