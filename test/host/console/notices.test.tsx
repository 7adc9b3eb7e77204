/** Applied changes that are listed until they were seen: a press marks those that were shown, and no others. */

import { Notices } from '#host/console/drafts/notices.tsx'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'

const changeOf = (version: number) => ({
  ...{ id: `c${version}`, version, tool: 'write_file', intent: `Write /${version}` },
  ...{ at: new Date(0).toISOString(), actor: 'helper', principal: 'owner', session: 's' },
  ...{ label: null, files: 1, paths: [`/${version}`], approval: null },
})

const root = document.createElement('main')
let sent: unknown[]

beforeEach(() => {
  document.body.append(root)
  sent = []
  const answer = { count: 60, dropped: 202, changes: [changeOf(9), changeOf(7)] }
  vi.stubGlobal('fetch', (_: string, { method, body }: RequestInit = {}) => {
    if (method === 'POST') sent.push(typeof body === 'string' ? JSON.parse(body) : null)
    return Promise.resolve(Response.json(sent.length > 0 ? { count: 0, changes: [] } : answer))
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

it('marks what was shown, and says how much was not', async () => {
  render(<Notices />, root)
  await expect.poll(() => root.textContent).toContain('58 earlier changes')
  expect(root.textContent).toContain('202 more changes')
  const seen = page.getByRole('button', { name: 'Mark these as seen' })
  await expect.poll(() => seen.query()?.getAttribute('aria-disabled')).toBe('false')
  await seen.click()
  await expect.poll(() => sent).toEqual([{ versions: [9, 7], dropped: 202 }])
})
