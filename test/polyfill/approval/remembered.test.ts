/** What `<webmcp-approvals>` lists, from a store that any script of the origin can write. */

import { clear, createStore, set } from 'idb-keyval'
import { beforeEach, describe, expect, it } from 'vitest'
import { approvals, forgetTool, storeApproval } from '#polyfill/approval/approval-store.ts'
import { listRows, MAX_ROWS } from '#polyfill/approval/remembered/rows.ts'
import type { VisitApproval, VisitApprovals } from '#polyfill/approval/visit-approvals.ts'

const store = createStore('edgewise-webmcp', 'approvals')

beforeEach(() => clear(store))

const visitOf = (...all: readonly VisitApproval[]): VisitApprovals => ({
  list: () => [...all],
  forget: () => false,
})

const FUTURE = Date.now() + 1e6

const stored = (members: object) => ({
  id: 'x',
  origin: location.origin,
  tool: 'a',
  definition: 'one',
  at: 5,
  until: FUTURE,
  ...members,
})

describe('the rows', () => {
  it('are the tools with an approval that holds, by name', async () => {
    await set(
      'decisions',
      [
        stored({ tool: 'b' }),
        stored({ tool: 'expired', until: Date.now() - 1 }),
        stored({ tool: 'foreign', origin: 'https://other.example' }),
      ],
      store,
    )
    const visit = visitOf({ tool: 'a', at: 7, definition: '' })
    expect(await listRows(visit)).toEqual({
      rows: [
        { tool: 'a', at: 7, until: 'page' },
        { tool: 'b', at: 5, until: FUTURE },
      ],
      more: 0,
      isComplete: true,
      sensitive: '',
    })
  })

  it('have one row for a tool, with the approval that ends last', async () => {
    const both = [stored({ at: 2 }), stored({ at: 1, until: FUTURE - 9, definition: 'two' })]
    await set('decisions', both, store)
    const { rows } = await listRows(visitOf({ tool: 'a', at: 7, definition: '' }))
    expect(rows).toEqual([{ tool: 'a', at: 2, until: FUTURE }])
  })

  it.each([
    ['nothing', undefined],
    ['no list', 'broken'],
    ['no approvals', [null, 1, 'a', [], {}, stored({ tool: 7 }), stored({ until: 'x' })]],
  ])('are empty when the store has %s', async (_, content) => {
    await set('decisions', content, store)
    expect(await listRows(visitOf())).toEqual({
      rows: [],
      more: 0,
      isComplete: true,
      sensitive: '',
    })
  })

  it('have no time where it is invalid', async () => {
    await set('decisions', [stored({ at: 'x', until: Infinity })], store)
    const { rows } = await listRows(visitOf())
    expect(rows).toEqual([{ tool: 'a', at: null, until: null }])
  })

  it('are bounded', async () => {
    const many = Array.from({ length: MAX_ROWS + 3 }, (_, at) => stored({ tool: `tool${at}` }))
    await set('decisions', many, store)
    const { rows, more } = await listRows(visitOf())
    expect([rows.length, more]).toEqual([MAX_ROWS, 3])
  })
})

it('the approvals of a tool are forgotten, or all', async () => {
  await storeApproval('a', 'one', 30)
  await set('decisions', [stored({}), stored({ definition: 'two' }), stored({ tool: 'b' })], store)
  await forgetTool('a')
  expect((await approvals.list()).map(({ tool }) => tool)).toEqual(['b'])
  await forgetTool()
  expect(await approvals.list()).toEqual([])
})
