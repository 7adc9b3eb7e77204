/** Saved inputs: under a name, per server and tool, within bounds. */

import { createSavedInputs } from '#host/records/saved-inputs.ts'
import { beforeEach, expect, it } from 'vitest'

const SERVER = 'https://one.example/mcp'

beforeEach(() => localStorage.clear())

it('saves, lists newest first, overwrites and removes', () => {
  let now = 0
  const saved = createSavedInputs({ now: () => ++now })
  const first = saved.save(SERVER, 'echo', { name: ' One ', args: { a: 1 } })
  saved.save(SERVER, 'echo', { name: '', args: {}, meta: { policy: {} } })
  expect(saved.list(SERVER, 'echo')).toMatchObject([
    { name: 'Untitled', meta: { policy: {} } },
    { name: 'One' },
  ])
  saved.save(SERVER, 'echo', { id: first?.id ?? '', name: 'One', args: { a: 2 } })
  expect(createSavedInputs().list(SERVER, 'echo')).toMatchObject([{ args: { a: 2 } }, {}])
  expect(saved.list(SERVER, 'other')).toEqual([])
  expect(saved.list('https://two.example/mcp', 'echo')).toEqual([])
  for (const { id } of saved.list(SERVER, 'echo')) saved.remove(SERVER, 'echo', id)
  expect(localStorage).toHaveLength(0)
})

it('is bounded', () => {
  const saved = createSavedInputs()
  for (let count = 0; count < 60; count++)
    saved.save(SERVER, 'echo', { name: `${count}`, args: {} })
  expect(saved.list(SERVER, 'echo')).toHaveLength(50)
  expect(saved.save(SERVER, 'echo', { name: 'large', args: { text: 'x'.repeat(300_000) } })).toBe(
    null,
  )
})

it.each(['nonsense', '{"a":1}', '[1,{"id":2}]'])('ignores the invalid stored value %s', (text) => {
  const saved = createSavedInputs()
  saved.save(SERVER, 'echo', { name: 'one', args: {} })
  localStorage.setItem(localStorage.key(0) ?? '', text)
  expect(saved.list(SERVER, 'echo')).toEqual([])
})

it('lasts as long as the page if nothing can be stored', () => {
  const saved = createSavedInputs({ storage: null })
  saved.save(SERVER, 'echo', { name: 'one', args: {} })
  expect(saved.list(SERVER, 'echo')).toHaveLength(1)
})
