/** Activity: what was only previewed, and what was refused and why, beside what was done. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import {
  goTo,
  putFile,
  sees,
  setConfig,
  toolLink,
  visit,
} from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

beforeAll(async () => {
  await putFile(server.url, '/docs/guide.md', 'one\n')
  await setConfig(server.url, { roots: [{ path: '/docs', immutable: ['*.lock'] }] })
})

it('shows the outcome of each call, and the reason', async () => {
  const page = await visit(
    browser.open,
    server.url,
    toolLink('write_file', { path: '/docs/a.lock', content: 'x' }),
  )
  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, /Cannot change \/docs\/a\.lock/)
  await goTo(page, toolLink('delete_file', { path: '/docs/guide.md' }))
  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, WORDS.previewed)

  await goTo(page, '#/activity')
  const list = page.getByRole('listitem').filter({ has: page.locator('.by') })
  await expect.poll(() => list.allTextContents()).toEqual([expect.stringContaining('Upload')])

  await page.getByRole('radio', { name: 'Refused' }).check()
  // There is one entry before, too.
  await expect.poll(() => list.allTextContents()).toEqual([expect.stringContaining('/docs/a.lock')])
  const refused = await list.first().textContent()
  expect(refused).toContain('/docs/a.lock')
  expect(refused).toContain('The path is immutable. Decided by the rules of the workspace.')

  await page.getByRole('radio', { name: 'Previewed' }).check()
  await expect
    .poll(() => list.allTextContents())
    .toEqual([expect.stringMatching(/guide\.md.*allowed by the rules of the workspace/)])

  await page.getByRole('radio', { name: 'All', exact: true }).check()
  await expect.poll(() => list.count()).toBe(4)
  await page.getByLabel('File or folder').fill('/docs/a.lock')
  await page.getByLabel('File or folder').press('Enter')
  await expect.poll(() => list.count()).toBe(1)
  await page.getByRole('button', { name: WORDS.clearFilters }).click()
  await expect.poll(() => list.count()).toBe(4)
  await list.getByRole('link', { name: 'Upload /docs/guide.md' }).click()
  await sees(page, 'you, by hand')
  await page.context().close()
})

it('lays no outcome over a text in a narrow window', async () => {
  const page = await visit(browser.open, server.url, '#/activity?outcome=all', {
    viewport: { width: 400, height: 800 },
  })
  const entries = page.locator('.changes > li')
  await entries.first().waitFor()
  const overlaps = await entries.evaluateAll((all) =>
    all.flatMap((entry) => {
      const badge = entry.querySelector(':scope > .badge')?.getBoundingClientRect()
      return Array.from(entry.querySelectorAll(':scope > :not(.badge)'), (part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return Array.from(range.getClientRects()).some(
          ({ right, top, bottom }) =>
            badge && right > badge.left && top < badge.bottom - 2 && bottom > badge.top + 2,
        )
      })
    }),
  )
  expect(overlaps).not.toContain(true)
  await page.context().close()
})

it('shows the integrity of the audit log, and exports it', async () => {
  const page = await visit(browser.open, server.url, '#/activity')
  await sees(page, 'The audit log is intact: 4 entries, each with the hash of the one before it.')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export the audit log' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('audit.jsonl')
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map((line) => Reflect.get(Object(JSON.parse(line)), 'outcome'))).toEqual([
    'applied',
    'applied',
    'refused',
    'previewed',
  ])
  await page.context().close()
})

it('says how many entries were deleted', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  await page.route('**/audit/check', (route) =>
    route.fulfill({ json: { entries: 1200, dropped: 34_000, broken: null } }),
  )
  await goTo(page, '#/activity')
  await sees(page, '34,000 older entries were deleted to make room.')
  await page.context().close()
})

it('says that the audit log was altered', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  await page.route('**/audit/check', (route) =>
    route.fulfill({ json: { entries: 1200, dropped: 0, broken: 17 } }),
  )
  await goTo(page, '#/activity')
  await sees(page, 'The audit log was altered: entry 17 is not as written.')
  await page.context().close()
})

it('asks for no sign-in without an owner, and says that it is open to this machine', async () => {
  const page = await visit(browser.open, server.url)
  await page.getByText(WORDS.openToMachine).first().waitFor()
  expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
  await page.context().close()
})

it('names the change that an undo is about by its sentence', async () => {
  await putFile(server.url, '/docs/undone.md', 'one\n')
  const page = await visit(browser.open, server.url, '#/activity')
  await page.getByRole('button', { name: 'Undo: Upload /docs/undone.md' }).click()
  await expect.poll(() => page.getByRole('button', { name: WORDS.undo }).isEnabled()).toBe(true)
  await page.keyboard.press('Escape')
  await goTo(page, '#/activity?outcome=all')
  await sees(page, 'Undo: Upload /docs/undone.md')
  expect(await page.getByText('Undo the change').count()).toBe(0)
  await page.context().close()
})

it('names the client of a call as it names itself, with hidden characters by name', async () => {
  const name = 'Wri\u202eter'
  const agent = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  await agent.callTool({ name: 'write_file', arguments: { path: '/docs/a.txt', content: 'a' } })
  await agent.close()

  const page = await visit(browser.open, server.url, '#/activity?outcome=all')
  await sees(page, 'client WriRLOter')
  await page.getByRole('link', { name: 'Write to /docs/a.txt' }).click()
  await sees(page, 'WriRLOter, as it names itself')
  await page.context().close()
})
