/**
 * The review of 30 changes in two drafts, among them a rewrite, a deletion, a file of secrets and a name that looks like
 * another: on a phone, by keyboard alone, and as a screen reader reads it. Every change was on the screen before it was
 * decided, and no press came too early because the page moved.
 *
 * Screenshots are written to the folder that `SCREENSHOTS` names.
 */

import type { Locator, Page } from 'playwright'
import { beforeEach, expect, it } from 'vitest'
import type { PageOptions } from '../../support/pages/browser.ts'
import { goTo, readAll, readText, sees, visit } from '../../support/pages/console-actions.ts'
import { ARTICLES, PATHS, proposeThirty, putBefore } from '../../support/pages/thirty-changes.ts'
import { button, PHONE, useWaitingDrafts } from '../../support/pages/waiting-drafts.ts'

const { server, browser, connectAgent } = useWaitingDrafts()

beforeEach(() => putBefore(server.url))

const propose = () => proposeThirty(connectAgent)

/**
 * Notes which files had a changed line on the screen, above the bar; each place in which the button that approves was;
 * and how many presses came too early.
 */
const WATCH = `
  window.seen = new Set()
  window.places = new Set()
  window.early = 0
  const look = () => {
    const approve = document.querySelector('[data-approve]')
    const end = document.querySelector('.decisionbar')?.getBoundingClientRect().top ?? innerHeight
    if (approve) places.add(approve.getBoundingClientRect().top)
    for (const row of document.querySelectorAll('.draftfiles tr:is(.i, .d)')) {
      const { top, bottom, height } = row.getBoundingClientRect()
      if (height > 0 && top >= 0 && bottom <= end) seen.add(row.closest('li').dataset.path)
    }
    requestAnimationFrame(look)
  }
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver((all) => {
      for (const { addedNodes } of all)
        for (const node of addedNodes) if (node.textContent.includes('came too soon')) early++
    }).observe(document.body, { childList: true, subtree: true })
    look()
  })`

const seenOn = (page: Page) => page.evaluate((): string[] => [...Reflect.get(window, 'seen')])
const earlyOn = (page: Page) => page.evaluate((): number => Reflect.get(window, 'early'))
/** Pixels by which the button was ever elsewhere. */
const movesOn = (page: Page) =>
  page.evaluate((): number => {
    const places: number[] = [...Reflect.get(window, 'places')]
    return Math.max(...places) - Math.min(...places)
  })

const DRAFTS = [
  ['Writer', 24],
  ['Keeper', 6],
] as const

/** Opens the list of drafts. Each difference takes a while, as over a mobile network. */
async function openDrafts(options: PageOptions): Promise<Page> {
  const page = await visit(browser.open, server.url, '#/waiting', { ...options, init: WATCH })
  await page.route(/\/drafts\/[^/]+\/diff/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    await route.continue()
  })
  return page
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

it('is read and decided on a phone, with a few taps', async () => {
  await propose()
  const page = await openDrafts(PHONE)
  let [taps, swipes] = [0, 0]
  const tap = async (one: Locator) => {
    taps++
    await one.tap()
  }
  const begun = performance.now()
  for (const [name, count] of DRAFTS) {
    await goTo(page, '#/waiting')
    await tap(page.getByRole('link', { name }).first())
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.locator('.difflines tr').first().waitFor()
    await takeScreenshot(page, `phone-${name}-opened`)
    swipes += await readAll(page)
    await takeScreenshot(page, `phone-${name}-end`)
    await tap(button(page, 'Approve all'))
    await sees(page, `${count} changes approved and applied.`)
  }
  const seconds = (performance.now() - begun) / 1_000
  console.log(`${taps} taps and ${swipes} swipes in ${seconds.toFixed(1)} seconds`)
  expect(new Set(await seenOn(page))).toEqual(new Set(PATHS))
  expect(taps).toBe(4)
  expect(await earlyOn(page)).toBe(0)
  expect(await movesOn(page)).toBeLessThan(1)
  expect(await readText(server.url, '/docs/gone.md')).toBeNull()
  await page.context().close()
})

it('is read and decided by keyboard alone', async () => {
  await propose()
  const page = await openDrafts({ viewport: { width: 1280, height: 800 } })
  let keys = 0
  const press = async (key: string) => {
    keys++
    await page.keyboard.press(key)
  }
  for (const [name, count] of DRAFTS) {
    await goTo(page, '#/waiting')
    await page.getByRole('link', { name }).first().focus()
    await press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    for (let file = 0; file < count; file++) {
      await press('j')
      const isDrawn = page.locator('.draftfiles > li:focus-within tr:is(.i, .d)').first()
      await isDrawn.waitFor()
      await press('n')
    }
    await press('a')
    await page.locator('[data-approve]:focus').waitFor()
    // A press by key counts once the button has had the focus for half a second.
    await page.waitForTimeout(600)
    await press('Enter')
    await sees(page, `${count} changes approved and applied.`)
  }
  console.log(`${keys} keys`)
  expect(new Set(await seenOn(page))).toEqual(new Set(PATHS))
  expect(await earlyOn(page)).toBe(0)
  await page.context().close()
})

it('is read in order: each file, its risk and its lines, and then the buttons', async () => {
  await propose()
  const page = await openDrafts({ viewport: { width: 1280, height: 800 } })
  await page.getByRole('link', { name: 'Writer' }).first().click()
  await button(page, 'Approve all').waitFor()
  await expect.poll(() => button(page, 'Approve all').getAttribute('aria-disabled')).toBe('false')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await takeScreenshot(page, `wide-${colorScheme}`)
  }
  // A window of 1280 pixels at 200 % has the room of 640.
  await page.setViewportSize({ width: 640, height: 400 })
  await takeScreenshot(page, 'zoomed')
  await page.setViewportSize({ width: 1280, height: 800 })
  const tree = await page.getByRole('main').ariaSnapshot()
  const order = [
    ...['heading "Writer', '24 files', '4 files to look at first'],
    ...['list "Changed files"', 'region "Decision"', 'Turn down all', 'Approve all 24 not viewed'],
  ]
  const places = order.map((part) => tree.indexOf(part))
  expect(places, tree).not.toContain(-1)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  const list = await page.getByRole('list', { name: 'Changed files' }).ariaSnapshot()
  const items = list.split(/\n {2}- listitem/).slice(1)
  expect(items).toHaveLength(24)
  const itemOf = (path: string) => items.find((item) => item.includes(`"${path}"`)) ?? ''
  expect(itemOf('/docs/guide.md')).toMatch(/rewritten[^]*50 lines added[^]*60 lines removed/)
  expect(itemOf('/docs/gone.md')).toMatch(/deleted[^]*12 lines removed/)
  expect(itemOf('/.env')).toMatch(/may hold secrets[^]*1 line added/)
  expect(items.some((item) => /look-alike name[^]*1 line added/.test(item))).toBe(true)
  for (const path of ARTICLES) expect(itemOf(path)).toMatch(/2 lines added[^]*1 line removed/)
  await page.context().close()
})
