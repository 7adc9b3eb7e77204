/** The consent page in a browser: every row can be read in full and looks like no other one, also without scripts. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import {
  ownersBrowser,
  register,
  useOwned,
  type Client,
} from '../../support/pages/attack-client.ts'
import { useBrowser, type PageOptions } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'

const server = useOwned()
const browser = useBrowser()

let known: Promise<Client> | undefined

/** Opens the page of a client that requests these scopes in a workspace. */
async function open(scopes: readonly string[], workspace: string, options: PageOptions = {}) {
  known ??= register(server.url, 'Notes', 'http://localhost:9/callback')
  const resource = `${server.url}/w/${workspace}/mcp`
  const address = (await known).authorize({ scope: scopes.join(' '), resource })
  return browser.open(address, { ...(await ownersBrowser(server.url)), ...options })
}

async function grantedIn(page: Page, workspace: string): Promise<unknown> {
  const answer = await page.context().request.get(`${server.url}/w/${workspace}/sessions`)
  return Object(await answer.json()).sessions[0]?.scopes
}

const HOSTILE = [
  'read:file:/shared/notes/2026/weekly-meetings-and-minutes-of-the-team,/',
  'read:file:/team/notes/../..',
  'read:file:/t/\u05d01',
  'read:file:/t/1\u05d0',
  'read:file:/t/a\u202etxt.exe',
  'read:file:/\u0645\u0631/\u062d\u0628/2026',
  `write:file:/${'x'.repeat(600)}`,
  'write:file:/<b>bold</b>',
  ...Array.from({ length: 30 }, (_, at) => `write:file:/projects/${at}/documents`),
]

it.each(['light', 'dark'] as const)('shows every row in full, in %s', async (colorScheme) => {
  const viewport = { width: 400, height: 800 }
  const page = await open(HOSTILE, 'hostile', { colorScheme, viewport })
  expect(await faultsOf(page)).toEqual([])
  expect(await page.getByRole('checkbox').count()).toBe(HOSTILE.length)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400)
  const [main, ...rows] = await Promise.all(
    [page.locator('main'), ...(await page.locator('.filepath').all())].map((one) =>
      one.boundingBox(),
    ),
  )
  for (const row of rows) {
    expect(row?.x).toBeGreaterThan(main?.x ?? Infinity)
    expect((row?.x ?? 0) + (row?.width ?? 0)).toBeLessThan((main?.x ?? 0) + (main?.width ?? 0))
  }
  await page.context().close()
})

it('draws the characters of a path in their order, whatever their direction', async () => {
  const page = await open(HOSTILE, 'hostile', { viewport: { width: 1000, height: 800 } })
  /** The left edge of each of these characters in the row that has them in this order. */
  const edges = (row: string, chars: string) =>
    page.locator('.filepath', { hasText: row }).evaluate((path, wanted) => {
      const walker = document.createTreeWalker(path, NodeFilter.SHOW_TEXT)
      const found: number[] = []
      while (walker.nextNode()) {
        const text = walker.currentNode.textContent ?? ''
        for (let at = 0; at < text.length; at++) {
          if (text[at] !== wanted[found.length]) continue
          const range = document.createRange()
          range.setStart(walker.currentNode, at)
          range.setEnd(walker.currentNode, at + 1)
          found.push(range.getBoundingClientRect().left)
        }
      }
      return found
    }, chars)
  for (const [row, chars] of [
    ['/t/\u05d01', '\u05d01'],
    ['/t/1\u05d0', '1\u05d0'],
    ['\u062d', '/\u0645/\u062d/2'],
  ] as const) {
    const lefts = await edges(row, chars)
    expect(lefts).toHaveLength(chars.length)
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
  }
  await page.context().close()
})

it('draws the name of a client in a box of its own, which it cannot close', async () => {
  const name = '“Claude” wants to read one file. Verified by Edgewise. “Claude'
  const client = await register(server.url, name, 'http://localhost:9/named')
  const address = client.authorize({ scope: 'read:file:/', resource: `${server.url}/w/named/mcp` })
  const page = await browser.open(address, await ownersBrowser(server.url))
  expect(await faultsOf(page)).toEqual([])
  const boxes = page.locator('.claimed')
  expect(await boxes.count()).toBe(2)
  for (const box of await boxes.all()) {
    expect((await box.innerText()).match(/[“”]/g)).toEqual(['“', '”'])
    expect(await box.evaluate((one) => getComputedStyle(one).borderTopWidth)).toBe('1px')
    expect(await box.evaluate((one) => getComputedStyle(one).boxDecorationBreak)).toBe('clone')
  }
  const words = page.locator('h1').evaluate((one) => one.lastChild?.textContent)
  expect(await words).toBe(' wants to use your workspace')
  await page.context().close()
})

it('works without scripts: Enter adds a folder, and Allow grants what is selected', async () => {
  const workspace = 'without-scripts'
  const scopes = ['read:file:/', 'write:file:/notes']
  const page = await open(scopes, workspace, { javaScriptEnabled: false })
  const field = page.getByRole('group', { name: 'Read files' }).getByLabel('Add a folder')
  await field.fill('/docs/../plans')
  await field.press('Enter')
  await page.getByRole('status').waitFor()
  expect(await page.getByLabel('All files').isChecked()).toBe(false)
  expect(await page.getByLabel('/plans').isChecked()).toBe(true)

  await page.getByRole('group', { name: 'Change files' }).getByLabel('Add a folder').fill('/plans')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Cannot add this folder').waitFor()
  const refused = page.getByRole('textbox', { description: /Cannot add/ })
  expect(await refused.inputValue()).toBe('/plans')
  expect(await grantedIn(page, workspace)).toBeUndefined()

  await refused.fill('')
  await page.getByLabel('/plans').uncheck()
  const leaving = page.waitForRequest(/^http:\/\/localhost:9\//)
  await page.getByRole('button', { name: 'Allow' }).click()
  expect(new URL((await leaving).url()).searchParams.has('code')).toBe(true)
  expect(await grantedIn(page, workspace)).toEqual(['write:file:/notes'])
  await page.context().close()
})
