/**
 * What an agent causes on a page where the person decides moves no button, and a second click of a double click
 * decides nothing else.
 */

import type { Locator, Page } from 'playwright'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { putFile, sees, setConfig, settles, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

const JSON_TYPE = { 'content-type': 'application/json' }

beforeEach(() => setConfig(server.url, { roots: [{ path: '/docs' }], approval: 'confirm' }))
afterEach(() => setConfig(server.url, {}))

async function linkOf(label: string): Promise<string> {
  const body = JSON.stringify({ label, ttl_seconds: 600 })
  const made = await fetch(`${server.url}/sessions`, { method: 'POST', headers: JSON_TYPE, body })
  return String(Reflect.get(Object(await made.json()), 'url'))
}

async function call(link: string, name: string, args: object): Promise<void> {
  const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream' }
  const params = { name, arguments: args }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await (await fetch(link, { method: 'POST', headers, body })).text()
}

const write = (link: string, path: string) => call(link, 'write_file', { path, content: 'x' })

const approve = (page: Page, path: string) =>
  page.getByRole('button', { name: `Approve this change : Write to ${path}` })

const isReady = (button: Locator) => expect.poll(() => button.isEnabled()).toBe(true)

async function openDraft(): Promise<Page> {
  const page = await visit(browser.open, server.url, '#/waiting')
  await page.getByRole('list', { name: 'Drafts' }).getByRole('link').first().click()
  await page
    .getByRole('button', { name: /^Approve this change/ })
    .first()
    .waitFor()
  return page
}

const filesOf = async (path: string) => (await fetch(`${server.url}/files${path}`)).ok

it('keeps the buttons of a draft where they are when the agent adds to it', async () => {
  const link = await linkOf('Mover')
  await write(link, '/docs/deploy.sh')
  await write(link, '/docs/readme.txt')
  const page = await openDraft()
  const second = approve(page, '/docs/readme.txt')
  await isReady(second)
  const before = await second.boundingBox()
  await write(link, '/docs/third.txt')
  await sees(page, 'The agent has added changes since.')
  expect(await second.boundingBox()).toEqual(before)
  await second.click()
  await sees(page, '1 change approved and applied.')
  expect(await filesOf('/docs/readme.txt')).toBe(true)
  expect(await filesOf('/docs/deploy.sh')).toBe(false)
  await page.context().close()
})

it('keeps access requests where they are when drafts and requests come', async () => {
  const link = await linkOf('Reader')
  await call(link, 'read_file', { path: '/secret/key' })
  const page = await visit(browser.open, server.url, '#/waiting')
  const refuse = page.getByRole('button', { name: 'Refuse' }).last()
  await isReady(refuse)
  const [before, shown] = [await refuse.boundingBox(), await page.locator('.drafts li').count()]
  for (const label of ['One', 'Two']) await write(await linkOf(label), `/docs/${label}.txt`)
  await call(link, 'read_file', { path: '/other/a' })
  await page.getByRole('button', { name: 'Show 3 new' }).waitFor()
  expect(await refuse.boundingBox()).toEqual(before)
  await page.getByRole('button', { name: 'Show 3 new' }).click()
  await expect.poll(() => page.locator('.drafts li').count()).toBe(shown + 2)
  await page.context().close()
})

it('takes a double click as one decision, and keeps the height of what was decided', async () => {
  const link = await linkOf('Asker')
  for (let file = 0; file < 8; file++) await putFile(server.url, `/f${file}/a`, 'x')
  await call(link, 'read_file', { paths: [...Array(8).keys()].map((file) => `/f${file}/a`) })
  await call(link, 'read_file', { path: '/secret/key' })
  const page = await visit(browser.open, server.url, '#/waiting')
  const cards = page.locator('.request')
  const first = cards.first().getByRole('button', { name: 'Allow once' })
  await first.scrollIntoViewIfNeeded()
  await isReady(first)
  const [before, next] = [await cards.first().boundingBox(), await cards.last().boundingBox()]
  await first.dblclick({ delay: 20 })
  await sees(page, 'Allowed once.')
  await page.waitForTimeout(600)
  expect((await cards.first().boundingBox())?.height).toBe(before?.height)
  expect((await cards.last().boundingBox())?.y).toBe(next?.y)
  await page.context().close()
})

it('takes no key that is held since something else had the focus', async () => {
  const link = await linkOf('Holder')
  await write(link, '/docs/held.txt')
  const page = await openDraft()
  await isReady(approve(page, '/docs/held.txt'))
  await page.locator('h1').focus()
  await page.keyboard.down('Enter')
  await approve(page, '/docs/held.txt').focus()
  await settles(page)
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.waitForTimeout(300)
  expect(await filesOf('/docs/held.txt')).toBe(false)
  await page.keyboard.press('Enter')
  await sees(page, '1 change approved and applied.')
  await page.context().close()
})
