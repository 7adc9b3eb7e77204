/** The history of changes in the console: what it requests of the server, how often, and what it shows of it. */

import { HistoryByDay } from '#host/console/activity/by-day.tsx'
import { listApplied, MAX_EMPTY_PAGES } from '#host/console/activity/changes.ts'
import type { History } from '#host/console/activity/history.ts'
import type { JsonRecord } from '#core/json.ts'
import { parseCallResult } from '#host/mcp/parse.ts'
import { render } from 'preact'
import { afterEach, expect, it } from 'vitest'

/** A server that gives these pages, one for each call; the last one again and again. */
function serverWith(...pages: readonly JsonRecord[]) {
  const requested: JsonRecord[] = []
  const call = async (_tool: string, query: JsonRecord) => {
    const page = pages[Math.min(requested.push(query), pages.length) - 1]
    return parseCallResult({ content: [], structuredContent: page ?? {} })
  }
  return { requested, connection: { call } }
}

const CHANGE = { id: 'a', at: '2026-11-26T10:00:00Z', tool: 'write_file', version: 7 }

it('requests only changes that do not wait, in one call', async () => {
  const { requested, connection } = serverWith({ changes: [CHANGE], next: 7 })
  const page = await listApplied(connection, { limit: 50 })
  expect(page).toMatchObject({ changes: [{ id: 'a' }], next: 7 })
  expect(requested).toEqual([{ limit: 50, applied: true }])
})

it('passes over a few pages in which the caller may see nothing', async () => {
  const { requested, connection } = serverWith(
    { changes: [], next: 9 },
    { changes: [CHANGE], next: null },
  )
  expect(await listApplied(connection, {})).toMatchObject({ changes: [{ id: 'a' }], next: null })
  expect(requested).toEqual([{ applied: true }, { applied: true, before: 9 }])
})

it('leaves further pages to the person', async () => {
  const { requested, connection } = serverWith({ changes: [], next: 9 })
  expect(await listApplied(connection, {})).toEqual({ changes: [], next: 9 })
  expect(requested).toHaveLength(MAX_EMPTY_PAGES)
})

const root = document.createElement('main')
afterEach(() => render(null, root))

const show = (more: History<{ at: number }>['more']) => {
  const loaded = { isRead: true, isLoading: false, error: null, reload: () => {} }
  render(
    <HistoryByDay
      history={{ ...loaded, items: [], more }}
      nouns={['change', 'changes']}
      nothing={<p>No changes</p>}
      list={() => null}
    />,
    root,
  )
  return root.innerText
}

it('says that there may be older changes where the first pages have none', () => {
  document.body.append(root)
  expect(show(async () => {})).toMatch(/None of the newest changes is visible\.\s+Older changes/)
  expect(show(null)).toContain('No changes')
  root.remove()
})
