/** What a person has to see before a decision: the access of a link, every kind of file, and a page that stays. */

import type { Page } from 'playwright'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { arriveAt } from '../../support/pages/console-pages.ts'
import {
  appears,
  goTo,
  inApp,
  putFile,
  sees,
  settles,
  visit,
} from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

const PHONE = { viewport: { width: 400, height: 800 } }

/** Each kind of file, its bytes, and what the browser of files shows of it. */
const FILES: readonly (readonly [
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  shown: RegExp,
])[] = [
  ['text.txt', 'Plain words\n', /Plain words/],
  ['page.md', '# A title\n', /# A title/],
  ['code.ts', 'export const one = 1\n', /export const one/],
  ['data.json', '{"a":1}', /"a"/],
  ['table.csv', 'a,b\n1,2\n', /a,b/],
  ['page.html', '<h1>Hello</h1>', /<h1>Hello/],
  ['minified.js', 'var a=1;'.repeat(5_000), /var a=1/],
  ['bytes.bin', new Uint8Array([0, 255, 1, 0]), /not text and cannot be shown/],
  ['document.pdf', '%PDF-1.4\n\0', /Cannot read the text of .*document\.pdf: it is damaged/],
  ['empty.txt', '', /empty/i],
]

beforeAll(async () => {
  for (const [name, body] of FILES)
    await (await fetch(`${server.url}/files/kinds/${name}`, { method: 'PUT', body })).text()
  for (let at = 0; at < 9; at++) await putFile(server.url, `/folder-${at}/a.txt`, 'one\n')
})

it.each([
  ['light', {}],
  ['dark', PHONE],
] as const)('says what a link opens before it is made, in %s', async (colorScheme, options) => {
  const page = await visit(browser.open, server.url, '#/sessions?do=new', {
    ...options,
    colorScheme,
  })
  const form = page.getByRole('dialog')
  await sees(page, 'All files: read and change.')
  await form.getByRole('checkbox', { name: 'Read-only' }).check()
  await sees(page, 'All files: read.')
  await form.getByRole('checkbox', { name: 'Read-only' }).uncheck()
  const folder = form.getByLabel('Folder or file; empty for every file')
  await folder.fill('/docs')
  await folder.press('Enter')
  await expect.poll(() => form.getByText('All files:').count()).toBe(0)
  await form.getByText('Change', { exact: true }).click()
  await folder.fill('/')
  await folder.press('Enter')
  await sees(page, 'All files: change.')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
    await page.evaluate(() => innerWidth),
  )
  await page.context().close()
})

it('shows every kind of file on a phone', async () => {
  const page = await visit(browser.open, server.url, '#/files/browser', PHONE)
  for (const [name, , shown] of FILES) {
    await goTo(page, `#/files/browser?path=/kinds/${name}`)
    const text = inApp(page).getByText(shown).filter({ visible: true }).first()
    await appears(text)
    const box = await text.boundingBox()
    expect(box && box.x >= 0 && box.x < 400 && box.y > 0 && box.y < 740, name).toBe(true)
  }
  await page.context().close()
})

it.each(['#/rules', '#/sessions', '#/waiting', '#/activity'])(
  'does not move what can be pressed after it was shown: %s',
  async (hash) => {
    const page = await visit(browser.open, server.url, hash, { init: WATCH_SHIFTS })
    await arriveAt(page, hash)
    await settles(page)
    expect(await shiftsOf(page)).toEqual([])
    await page.context().close()
  },
)

/** Notes what moves by more than a line, as the browser measures it for people who wait. */
const WATCH_SHIFTS = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { sources, hadRecentInput } of list.getEntries())
      for (const { node, previousRect: a, currentRect: b } of sources)
        if (!hadRecentInput && a.height > 0 && b.height > 0 && Math.abs(a.y - b.y) > 40)
          window.shifts.push(node?.className + ' ' + a.y + ' to ' + b.y)
  }).observe({ type: 'layout-shift', buffered: true })`

const shiftsOf = (page: Page) => page.evaluate((): unknown => Reflect.get(window, 'shifts'))

it('shows buttons, badges and the focus in forced colours', async () => {
  const page = await visit(browser.open, server.url, '#/sessions?do=new', {
    forcedColors: 'active',
  })
  await page.getByRole('dialog').waitFor()
  const bare = await page
    .locator('.button:not(.quiet):visible, .badge:visible')
    .evaluateAll((all) =>
      all.flatMap((one) => {
        const { borderTopWidth, borderTopStyle } = getComputedStyle(one)
        return borderTopStyle === 'none' || borderTopWidth === '0px' ? [one.textContent] : []
      }),
    )
  expect(bare).toEqual([])
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(
      document.activeElement ?? document.body,
    )
    return { outlineStyle, outlineWidth, boxShadow }
  })
  expect(outline.outlineStyle).not.toBe('none')
  await page.context().close()
})
