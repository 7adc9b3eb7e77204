/** The paths that a change lists: those at which files were added or removed, and no others. */

import { parsePath } from '#core/path.ts'
import type { Step } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { put } from '../../support/worker/store-contract.ts'

const p = parsePath

it('a change lists where files were added or removed', () =>
  runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    await put(store, '/a/x', 'one')
    const content = await store.hold(new TextEncoder().encode('two'))
    const listedBy = (...steps: Step[]) => {
      const actor = { principal: 'test', session: null, label: null }
      const note = { tool: 'test', intent: 'Test', actor, decision: [] }
      const change = store.apply({ basis: store.totals.version, steps, note })
      if (!change.ok) throw new Error(change.error.reason)
      return change.value.listed
    }
    const write = (path: string): Step => ({ type: 'put', path: p(path), content })
    const remove = (path: string): Step => ({ type: 'remove', path: p(path) })
    expect(listedBy(write('/a/x'))).toEqual([])
    expect(listedBy(write('/a/y'))).toEqual(['/a/y'])
    expect(listedBy({ type: 'folder', path: p('/empty') })).toEqual([])
    expect(listedBy({ type: 'move', from: p('/empty'), to: p('/still') })).toEqual([])
    expect(listedBy(remove('/still'))).toEqual([])
    expect(listedBy(remove('/a/y'), write('/a/x'), write('/b'))).toEqual(['/a/y', '/b'])
    expect(listedBy({ type: 'move', from: p('/a'), to: p('/c') })).toEqual(['/a', '/c'])
    expect(listedBy(remove('/c'))).toEqual(['/c'])
  }))
