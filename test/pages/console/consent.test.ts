/**
 * The consent page in a browser: every row can be read in full and looks like no other one, and a press that was meant
 * for another page allows nothing.
 */

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

it('adds a folder with Enter, and Allow grants what is selected', async () => {
  const workspace = 'selected'
  const scopes = ['read:file:/', 'write:file:/notes']
  const page = await open(scopes, workspace)
  const field = page.getByRole('group', { name: 'Read files' }).getByLabel('Add a folder')
  await field.fill('/docs/../plans')
  await field.press('Enter')
  await page.getByRole('status').waitFor()
  expect(await page.getByLabel('All files').isChecked()).toBe(false)
  expect(await page.getByLabel('/plans').isChecked()).toBe(true)

  await page.getByRole('group', { name: 'Change files' }).getByLabel('Add a folder').fill('/plans')
  await allow(page).click()
  await page.getByText('Cannot add this folder').waitFor()
  const refused = page.getByRole('textbox', { description: /Cannot add/ })
  expect(await refused.inputValue()).toBe('/plans')
  expect(await grantedIn(page, workspace)).toBeUndefined()

  await refused.fill('')
  await page.getByLabel('/plans').uncheck()
  const leaving = page.waitForRequest(LED)
  await allow(page).click()
  expect(new URL((await leaving).url()).searchParams.has('code')).toBe(true)
  expect(await grantedIn(page, workspace)).toEqual(['write:file:/notes'])
  await page.context().close()
})

it('adds a folder and denies without scripts, and keeps Allow off and says why', async () => {
  const page = await open(['read:file:/'], 'without-scripts', { javaScriptEnabled: false })
  const field = page.getByLabel('Add a folder')
  await field.fill('/plans')
  await field.press('Enter')
  await page.getByRole('status').waitFor()
  expect(await page.getByLabel('/plans').isChecked()).toBe(true)
  expect(await page.locator('noscript p').innerText()).toMatch(
    /^Cannot allow access: JavaScript is off/,
  )
  expect(await allow(page).isDisabled()).toBe(true)
  const leaving = page.waitForRequest(LED)
  await page.getByRole('button', { name: 'Deny' }).click()
  expect(new URL((await leaving).url()).searchParams.get('error')).toBe('access_denied')
  await page.context().close()
})

const LED = /^http:\/\/localhost:9\//

const allow = (page: Page) => page.getByRole('button', { name: 'Allow' })

const giveFocus = "window.isInFront = true; dispatchEvent(new Event('focus'));"
const takeFocus = "window.isInFront = false; dispatchEvent(new Event('blur'));"

/** Makes a page believe that its window gets the focus with the first press. */
const BEHIND = `document.hasFocus = () => window.isInFront === true
  addEventListener('pointerdown', () => { ${giveFocus} }, { capture: true, once: true })`

const whenOn = (page: Page) => page.locator('button[value=allow][aria-disabled=false]').waitFor()

/** Opens the page, and moves the pointer to Allow. */
async function openBehind(workspace: string) {
  const page = await open(['read:file:/'], workspace, { init: BEHIND })
  await allow(page).hover({ force: true })
  return page
}

/** The page is left as soon as an answer is sent, so one that is here in the end has sent none. */
async function expectNothingSent(page: Page, workspace: string) {
  expect(new URL(page.url()).pathname).toBe('/authorize')
  expect(await grantedIn(page, workspace)).toBeUndefined()
  await page.evaluate(giveFocus)
  await whenOn(page)
  expect(new URL(page.url()).pathname).toBe('/authorize')
  const leaving = page.waitForRequest(LED)
  await allow(page).click()
  await leaving
  await page.context().close()
}

it('allows nothing by the second press of a double click whose first closed a window in front', async () => {
  const page = await openBehind('behind')
  // As long as another window is in front, no time makes a press count.
  await page.evaluate(HALF_A_SECOND)
  await page.mouse.down()
  await page.mouse.up()
  await expectNothingSent(page, 'behind')
})

/** Ends after every timer of half a second that was started before. */
const HALF_A_SECOND = 'new Promise((done) => setTimeout(done, 500))'

it('allows nothing by a press that begins too early and is held', async () => {
  const page = await openBehind('held')
  await page.mouse.down()
  await whenOn(page)
  await page.mouse.up()
  await expectNothingSent(page, 'held')
})

it('allows nothing after the window was left, until it has had the focus again', async () => {
  const page = await openBehind('left')
  await page.mouse.down()
  await page.mouse.up()
  await whenOn(page)
  await page.evaluate(takeFocus)
  await page.mouse.down()
  await page.mouse.up()
  await page.evaluate(HALF_A_SECOND)
  await page.mouse.down()
  await page.mouse.up()
  await expectNothingSent(page, 'left')
})

it('is answered by keyboard, by a key that was not held down before', async () => {
  const page = await open(['read:file:/'], 'by-key')
  await page.getByRole('button', { name: 'Deny' }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => allow(page).evaluate((one) => one === document.activeElement)).toBe(true)
  await whenOn(page)
  await allow(page).evaluate((one) => {
    const held = { key: 'Enter', repeat: true, bubbles: true }
    one.dispatchEvent(new KeyboardEvent('keydown', held))
    if (one instanceof HTMLButtonElement) one.form?.requestSubmit(one)
  })
  expect(await grantedIn(page, 'by-key')).toBeUndefined()
  const leaving = page.waitForRequest(LED)
  await page.keyboard.press('Enter')
  expect(new URL((await leaving).url()).searchParams.has('code')).toBe(true)
  await page.context().close()
})
