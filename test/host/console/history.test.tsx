/** A paginated history: pages in order, each requested once, and none of a query that was replaced. */

import { useHistory, type History, type HistoryPage } from '#host/console/activity/history.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'

interface Asked {
  readonly of: string
  readonly before: number | null
  readonly signal: AbortSignal
  readonly answer: (part: HistoryPage<string>) => void
  readonly fail: (error: Error) => void
}

let asked: Asked[]
let shown: History<string>
const root = document.createElement('main')

beforeEach(() => {
  asked = []
})

afterEach(() => render(null, root))

function Held({ of, often }: { readonly of: string; readonly often: number }) {
  shown = useHistory<string>(
    (before, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<HistoryPage<string>>()
      asked.push({ of, before, signal, answer: resolve, fail: reject })
      return promise
    },
    [of],
    often,
  )
  return null
}

const show = (of: string, often = 0) => render(<Held of={of} often={often} />, root)

/** The questions so far, as soon as there are that many. */
async function questions(count: number): Promise<Asked> {
  await expect.poll(() => asked.length).toBe(count)
  const last = asked.at(-1)
  if (!last) throw new Error('Nothing was asked')
  return last
}

const settled = (items: readonly string[]) => expect.poll(() => shown.items).toEqual(items)

async function first(items: readonly string[], next: number | null): Promise<void> {
  show('a')
  const newest = await questions(1)
  expect(shown).toMatchObject({ items: [], isRead: false, isLoading: true, more: null })
  newest.answer({ items, next })
  await settled(items)
}

it('loads the newest page, then older ones until there are none', async () => {
  await first(['5', '4'], 4)
  void shown.more?.()
  const older = await questions(2)
  expect(older.before).toBe(4)
  older.answer({ items: ['3'], next: 3 })
  await settled(['5', '4', '3'])
  void shown.more?.()
  const oldest = await questions(3)
  expect(oldest.before).toBe(3)
  oldest.answer({ items: ['2'], next: null })
  await settled(['5', '4', '3', '2'])
  expect(shown).toMatchObject({ more: null, isRead: true, isLoading: false, error: null })
})

it('requests a page once, even if the button is pressed again', async () => {
  await first(['5'], 5)
  void shown.more?.()
  const older = await questions(2)
  await expect.poll(() => shown.isLoading).toBe(true)
  void shown.more?.()
  older.answer({ items: ['4'], next: null })
  await settled(['5', '4'])
  expect(asked).toHaveLength(2)
})

it('discards an older page that arrives after the query has changed', async () => {
  await first(['5'], 5)
  void shown.more?.()
  const late = await questions(2)
  show('b')
  const newest = await questions(3)
  expect(late.signal.aborted).toBe(true)
  newest.answer({ items: ['9'], next: null })
  await settled(['9'])
  late.answer({ items: ['4'], next: 4 })
  show('b', 1)
  const again = await questions(4)
  expect(again).toMatchObject({ of: 'b', before: null })
  again.answer({ items: ['9'], next: null })
  await expect.poll(() => shown.isLoading).toBe(false)
  expect(shown).toMatchObject({ items: ['9'], more: null })
})

it('shows why an older page failed, and requests it again', async () => {
  await first(['5'], 5)
  void shown.more?.()
  const failed = await questions(2)
  failed.fail(new Error('gone'))
  await expect.poll(() => shown.error).toEqual(new Error('gone'))
  expect(shown.items).toEqual(['5'])
  shown.reload()
  const again = await questions(3)
  expect(again.before).toBe(5)
  again.answer({ items: ['4'], next: null })
  await settled(['5', '4'])
  expect(shown.error).toBe(null)
})

it('reloads the newest page while it is the only one', async () => {
  await first(['5'], 5)
  show('a', 1)
  const again = await questions(2)
  again.answer({ items: ['6', '5'], next: 5 })
  await settled(['6', '5'])
  void shown.more?.()
  const older = await questions(3)
  older.answer({ items: ['4'], next: 4 })
  await settled(['6', '5', '4'])
  show('a', 2)
  void shown.more?.()
  expect(await questions(4)).toMatchObject({ before: 4 })
})
