/**
 * The console without a pointer, without motion, with the colours of the system and at twice the size:
 * the focus can be seen wherever it is, and an action never loses it.
 */

import type { Page } from 'playwright'
import { beforeAll, expect, it } from 'vitest'
import { PAGES } from '#host/console/shell/pages.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { ADDRESSES, arriveAt } from '../../support/pages/console-pages.ts'
import {
  goTo,
  inApp,
  putFile,
  sees,
  setConfig,
  settles,
  visit,
} from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

async function makeSession(label: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ label, scopes: ['read'], ttl_seconds: 600 })
  await fetch(`${server.url}/sessions`, { method: 'POST', headers, body })
}

beforeAll(async () => {
  await putFile(server.url, '/docs/guide.md', '# Guide\n')
  for (const label of ['First', 'Second', 'Third']) await makeSession(label)
})

/** Where the focus is, and whether that can be seen. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    const style = at && getComputedStyle(at)
    const name = at?.getAttribute('aria-label') ?? at?.textContent ?? ''
    const isOutlined = style?.outlineStyle !== 'none' && style?.outlineWidth !== '0px'
    // A field may show it by its border or its shadow, a hidden radio by its label.
    const near = at?.parentElement?.closest('label, .search')
    const around = near && getComputedStyle(near)
    return {
      tag: at?.localName ?? '',
      name: name.trim(),
      isSeen:
        isOutlined ||
        style?.boxShadow !== 'none' ||
        (!!around && (around.outlineStyle !== 'none' || around.boxShadow !== 'none')) ||
        !!at?.matches('input:is([type=radio], [type=checkbox])'),
    }
  })

it.each(ADDRESSES)('shows the focus at every step of %s', async (_name, hash) => {
  const page = await visit(browser.open, server.url, hash)
  await arriveAt(page, hash)
  const unseen: string[] = []
  for (let step = 0; step < 25; step++) {
    await page.keyboard.press('Tab')
    const { tag, name: what, isSeen } = await focused(page)
    // A frame shows the focus by itself.
    if (!isSeen && !['body', 'iframe', 'mcp-view'].includes(tag)) unseen.push(`${tag} ${what}`)
  }
  expect(unseen).toEqual([])
  await page.context().close()
})

/** What has the focus, if it is in the page and a bar lies over all of it; null otherwise. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at?.closest('main') || at.matches('main, mcp-view')) return null
    const shown = at.matches('[type=radio], [type=checkbox]') ? (at.closest('label') ?? at) : at
    const { left, top, bottom, width } = shown.getBoundingClientRect()
    const x = left + Math.min(width / 2, 20)
    const isSeen = [top + 3, (top + bottom) / 2, bottom - 3].some((y) => {
      const found = document.elementFromPoint(x, y)
      return found !== null && (shown.contains(found) || found.contains(shown))
    })
    return isSeen ? null : (at.getAttribute('aria-label') ?? at.textContent)
  })

it.each([
  { width: 400, height: 800 },
  { width: 640, height: 450 },
  { width: 1280, height: 700 },
])('has the focus in no place that a bar lies over, at $width × $height', async (viewport) => {
  await setConfig(server.url, { approval: 'confirm' })
  for (const path of ['/a.md', '/b.md', '/c.md', '/d.md', '/e.md']) await propose(path)
  const { drafts } = Object(await (await fetch(`${server.url}/drafts`)).json())
  const page = await visit(browser.open, server.url, '#/log', { viewport })
  const places = [`#/waiting/${drafts[0].id}`, '#/rules', '#/activity', '#/tools/edit_file']
  const hidden: string[] = []
  for (const hash of places) {
    await goTo(page, hash)
    await arriveAt(page, hash)
    await page.locator('main').focus()
    for (let step = 0; step < 50; step++) {
      await page.keyboard.press('Tab')
      const name = await covered(page)
      if (name !== null) hidden.push(`${hash}: ${name}`)
    }
  }
  expect(hidden).toEqual([])
  await setConfig(server.url, {})
  await page.context().close()
})

/** Writes a file as an agent. */
async function propose(path: string): Promise<void> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  const params = { name: 'write_file', arguments: { path, content: 'new' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await (await fetch(`${server.url}/mcp`, { method: 'POST', headers, body })).text()
}

it('goes to every page by the keyboard alone, and begins at its heading', async () => {
  const page = await visit(browser.open, server.url)
  for (const { title } of PAGES.filter(({ name }) => name !== '')) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: WORDS.palette }).fill(title)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toMatchObject({ tag: 'h1', name: title })
  }
  await page.context().close()
})

it.each([
  ['#/tools', 'List roots', 'Tools'],
  ['#/activity', 'Upload /docs/', 'Activity'],
  ['#/apps', 'New app', 'Apps'],
])('begins at the heading of a page below %s, and of that again', async (hash, name, title) => {
  const page = await visit(browser.open, server.url, hash)
  await page.locator('main').getByRole('link', { name }).first().press('Enter')
  await page.locator('.crumb').waitFor()
  // The heading has the focus before the page has read what it is called.
  await expect
    .poll(() => focused(page))
    .toMatchObject({ tag: 'h1', name: expect.stringContaining(name) })
  await page.locator('.crumb a').press('Enter')
  await expect.poll(() => focused(page)).toMatchObject({ tag: 'h1', name: title })
  await page.context().close()
})

it('returns the focus when a dialog closes, and moves it to the next item after a removal', async () => {
  const page = await visit(browser.open, server.url, '#/sessions')
  const revoke = page.getByRole('button', { name: 'Revoke Second' })
  await revoke.focus()
  await settles(page)
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await focused(page)).name).toBe('Revoke Second')

  await settles(page)
  await page.keyboard.press('Enter')
  const yes = page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' })
  await expect.poll(() => yes.isEnabled()).toBe(true)
  await yes.focus()
  await settles(page)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('article', { name: 'Second' }).count()).toBe(0)
  await expect.poll(async () => (await focused(page)).name).toMatch(/^Revoke (First|Third)$/)
  await page.context().close()
})

it('moves nothing where the user prefers no motion', async () => {
  const page = await visit(browser.open, server.url, '#/', { reducedMotion: 'reduce' })
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].flatMap((each) => {
        const { animationDuration, transitionDuration } = getComputedStyle(each)
        return `${animationDuration},${transitionDuration}`.split(',').map(parseFloat)
      }),
    ),
  )
  expect(longest).toBeLessThan(0.001)
  await page.context().close()
})

it('shows selection and focus in forced colours', async () => {
  const page = await visit(browser.open, server.url, '#/tools', { forcedColors: 'active' })
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tools' })
  const edge = await link.evaluate((each) => getComputedStyle(each).outlineStyle)
  expect(edge).not.toBe('none')
  const theme = page.locator('.themes label:has(:checked)').first()
  expect(await theme.evaluate((each) => getComputedStyle(each).borderTopStyle)).toBe('solid')
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Tab')
  expect((await focused(page)).isSeen).toBe(true)
  await page.context().close()
})

it('shows in forced colours what is chosen in the file browser', async () => {
  const page = await visit(browser.open, server.url, '#/files/browser', { forcedColors: 'active' })
  const edge = (name: string) =>
    inApp(page)
      .getByRole('button', { name, exact: true })
      .evaluate((each) => getComputedStyle(each).outlineStyle)
  expect(await edge('Names')).toBe('solid')
  expect(await edge('Contents')).toBe('none')
  await page.context().close()
})

it('fits at twice the size', async () => {
  // A window of 1280 pixels at 200 % has the room of 640.
  const page = await visit(browser.open, server.url, '#/', {
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
  })
  for (const [name, hash] of ADDRESSES) {
    await goTo(page, hash)
    await arriveAt(page, hash)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, name).toBeLessThanOrEqual(640)
  }
  await goTo(page, '#/sessions?do=new')
  await sees(page, WORDS.makeLink)
  const button = await page.getByRole('button', { name: WORDS.makeLink }).boundingBox()
  expect((button?.y ?? 999) + (button?.height ?? 0)).toBeLessThanOrEqual(400)
  await page.context().close()
})
