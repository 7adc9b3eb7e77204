/** A folder cannot be moved into itself, by the store or by a tool. */

import { parsePath } from '#core/path.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { act, paths, put } from '../../support/worker/store-contract.ts'

const p = parsePath

it.each([
  ['/a', '/a/b'],
  ['/a', '/a/new/c'],
  ['/a/x', '/a/x/y'],
  ['/', '/b'],
])('the store refuses to move %s to %s, and changes nothing', async (from, to) => {
  const stub = newStub()
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    await put(store, '/a/x', 'one')
    const error = { reason: 'into_itself', from, to }
    expect(act(store, { type: 'move', from: p(from), to: p(to) })).toEqual({ ok: false, error })
    expect(paths(store)).toEqual(['/a', '/a/x'])
    expect(store.totals.version).toBe(1)
    // A name with the same prefix is another path.
    expect(act(store, { type: 'move', from: p('/a'), to: p('/ab') })).toMatchObject({ ok: true })
    expect(paths(store)).toEqual(['/ab', '/ab/x'])
  })
  await expectWhole(stub)
})

it('the tool refuses it, with and without a preview', async () => {
  const { put: upload, call, text } = freshWorkspace()
  await upload('/a/x', 'one')
  for (const preview of [true, false]) {
    const { result } = await call('move_file', { from: 'a', to: 'a/b' }, { preview })
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'dev.edgewise/error': { code: 'INVALID_TO' } },
    })
  }
  expect(await text('find_files')).toBe('a/\na/x')
})
