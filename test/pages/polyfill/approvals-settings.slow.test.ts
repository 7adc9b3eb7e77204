/**
 * What a visitor sets in `<webmcp-approvals>`: trust in the site for a day, and the level of tools that pay, send or
 * delete. Who else could set it, and what it never covers.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { answer, noticeIn, question, questionNow } from '../../support/pages/approval-dialog.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, ways } from '../../support/pages/chromium.ts'
import { NATIVES } from '../../support/pages/natives.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const SHOTS = process.env['SHOTS']

const LIST = `<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;margin:24px}</style><webmcp-approvals></webmcp-approvals>`

const framing = (host: string) =>
  pageWith(
    `<script>document.write(\`<iframe width="700" height="500" src="http://${host}:\${location.port}/list"></iframe>\`)</script>`,
  )

const site = useApprovalSite({
  '/list': pageWith(LIST),
  '/strict': pageWith(LIST, 'data-sensitive="confirm"'),
  '/forgets': pageWith(LIST, 'data-remember-days="0"'),
  '/around': framing('localhost'),
  '/foreign': framing('127.0.0.1'),
})

const run = (page: Page | Frame, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

const TRUST = 'Trust this site for a day'
const END = 'Ask again on this site'
const ALL = 'All tools of this site'
const LEVEL = 'Tools that pay, send or delete'

const hint = (level: string) => `annotations: { humanInTheLoopHint: '${level}' }`

const control = (page: Page | Frame, name: string) =>
  page.getByRole('button', { name, exact: true })

/** The element has been drawn. */
const listed = (page: Page | Frame) => page.getByRole('status').waitFor()

/** Asserts that a call asks, and denies it. */
async function expectAsked(page: Page, name: string): Promise<void> {
  await run(page, `void call('${name}')`)
  await question(page)
  await answer(page, 'Deny')
  await page.waitForFunction(`outcome.startsWith('NotAllowedError')`)
}

/** Asserts that a call runs with a notice. */
async function expectNotice(page: Page, name: string): Promise<void> {
  await run(page, `ran.length = 0; await call('${name}')`)
  expect(await questionNow(page)).toBeNull()
  expect(await run(page, 'return ran.length')).toBe(1)
  expect(await noticeIn(page)).toContain(name)
}

/** Registers a tool for each case of trust. */
const TOOLS = `
  await tool({ name: 'edit', ${hint('review')} })
  await tool({ name: 'draft', ${hint('review')} })
  await tool({ name: 'send', ${hint('review')} })
  await tool({ name: 'format', ${hint('confirm')} })
  await tool({ name: 'unknown' })`

/** Writes into the storage of approvals, as any script of the origin can. */
const forge = (page: Page, key: string, value: string) =>
  run(
    page,
    `await new Promise((resolve) => {
       const request = indexedDB.open('edgewise-webmcp')
       request.onupgradeneeded = () => request.result.createObjectStore('approvals')
       request.onsuccess = () => {
         const change = request.result.transaction('approvals', 'readwrite')
         change.objectStore('approvals').put(${value}, '${key}')
         change.oncomplete = () => { request.result.close(); resolve() }
       }
     })`,
  )

const FORGED = `[{ id: '1', origin: location.origin, tool: '*', definition: '*', at: 0, until: Infinity }]`

describe.each(ways(NATIVES))('trust in the site, $way', ({ args, init }) => {
  const browser = useBrowser(args)
  const open = async (path: string) =>
    browser.open(`${site.origin}${path}`, { init: await init?.() })

  it('lets tools at review run with a notice, and no others, until the visitor ends it', async () => {
    const page = await open('/list')
    await run(page, TOOLS)
    await expectAsked(page, 'edit')
    await control(page, TRUST).click()
    await control(page, END).waitFor()
    await expectNotice(page, 'edit')
    await expectNotice(page, 'draft')
    for (const name of ['send', 'format', 'unknown']) await expectAsked(page, name)
    await run(page, `await tool({ name: 'later', ${hint('review')} })`)
    await expectNotice(page, 'later')
    await control(page, `Ask again: ${ALL}`).click()
    await control(page, TRUST).waitFor()
    await expectAsked(page, 'edit')
    await page.context().close()
  })

  it('that a script has written covers no more, and nothing where nothing is remembered', async () => {
    const page = await open('/list')
    await run(page, TOOLS)
    await forge(page, 'decisions', FORGED)
    await expectNotice(page, 'edit')
    for (const name of ['send', 'format', 'unknown']) await expectAsked(page, name)
    await page.goto(`${site.origin}/forgets`)
    await run(page, TOOLS)
    await expectAsked(page, 'edit')
    await page.context().close()
  })

  it('does not follow a lower level for sensitive tools that a script has written', async () => {
    const page = await open('/strict')
    await forge(page, 'sensitive', `['none']`)
    await run(page, `await tool({ name: 'pay', ${hint('none')} })`)
    await expectAsked(page, 'pay')
    await page.goto(`${site.origin}/list`)
    await run(page, `await tool({ name: 'pay', ${hint('none')} })`)
    await expectNotice(page, 'pay')
    expect(await page.getByLabel(LEVEL).inputValue()).toBe('notify')
    await page.context().close()
  })
})

describe('the visitor', () => {
  const browser = useBrowser(NATIVE)

  it('trusts the site and ends that with the keyboard, by one button', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await listed(page)
    await control(page, TRUST).focus()
    await expect.poll(() => control(page, TRUST).getAttribute('aria-disabled')).toBe('false')
    await page.keyboard.press('Enter')
    await page.getByText(ALL, { exact: true }).waitFor()
    await expect.poll(() => control(page, END).getAttribute('aria-disabled')).toBe('false')
    await page.keyboard.press('Enter')
    await control(page, TRUST).waitFor()
    expect(await page.getByText(ALL, { exact: true }).count()).toBe(0)
    await page.context().close()
  })

  it('sets the level of tools that pay, send or delete, for later visits as well', async () => {
    const page = await browser.open(`${site.origin}/list`)
    const level = page.getByLabel(LEVEL)
    await listed(page)
    expect(await level.inputValue()).toBe('notify')
    await run(page, `await tool({ name: 'pay', ${hint('none')} })`)
    await expectNotice(page, 'pay')
    await expect.poll(() => level.getAttribute('aria-disabled')).toBe('false')
    await level.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => stored(page)).toEqual(['review'])
    await page.reload()
    await listed(page)
    expect(await level.inputValue()).toBe('review')
    await run(page, `await tool({ name: 'pay', ${hint('none')} }); void call('pay')`)
    expect((await question(page)).buttons).toContain('Allow on this visit')
    await answer(page, 'Deny')
    await expect.poll(() => level.getAttribute('aria-disabled')).toBe('false')
    await level.focus()
    await page.keyboard.press('End')
    await expect.poll(async () => stored(page)).toEqual(['confirm'])
    await run(page, `void call('pay')`)
    expect((await question(page)).buttons).toEqual(['Deny', 'Allow once'])
    await page.context().close()
  })

  it('is offered no trust where the page remembers nothing', async () => {
    const page = await browser.open(`${site.origin}/forgets`)
    await page.getByLabel(LEVEL).waitFor()
    expect(await control(page, TRUST).count()).toBe(0)
    await page.context().close()
  })

  it('can set it in a frame of this origin, and not in one of another', async () => {
    const own = await browser.open(`${site.origin}/around`)
    const inner = own.frameLocator('iframe')
    await inner.getByRole('button', { name: TRUST }).waitFor()
    await own.context().close()
    const foreign = await browser.open(`${site.origin}/foreign`)
    const other = foreign.frameLocator('iframe')
    await other.getByRole('status').waitFor()
    expect(await other.getByRole('button').count()).toBe(0)
    expect(await other.getByLabel(LEVEL).count()).toBe(0)
    await foreign.context().close()
  })
})

/** The level in the storage. */
const stored = (page: Page) =>
  run(
    page,
    `return new Promise((resolve) => {
       const request = indexedDB.open('edgewise-webmcp')
       request.onsuccess = () => {
         const found = request.result.transaction('approvals').objectStore('approvals').get('sensitive')
         found.onsuccess = () => { request.result.close(); resolve(found.result ?? null) }
       }
     })`,
  )

describe('nothing is set', () => {
  const browser = useBrowser(NATIVE)

  it('by a script that presses', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await expect.poll(() => control(page, TRUST).getAttribute('aria-disabled')).toBe('false')
    await run(
      page,
      `const root = document.querySelector('webmcp-approvals').shadowRoot
       const [button, level] = ['section button', 'select'].map((one) => root.querySelector(one))
       button.click()
       button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
       level.value = 'confirm'
       level.dispatchEvent(new Event('change'))
       globalThis.left = level.value`,
    )
    expect(await run(page, 'return left')).toBe('notify')
    await run(page, TOOLS)
    await expectAsked(page, 'edit')
    expect(await stored(page)).toBeNull()
    await page.context().close()
  })

  it('by a press that was aimed at what was there before', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await listed(page)
    // The window receives the focus all the time, as when others are opened and closed over it.
    await run(
      page,
      `globalThis.timer = setInterval(() => dispatchEvent(new Event('focus')), 20); await new Promise((done) => setTimeout(done, 50))`,
    )
    const box = await control(page, TRUST).boundingBox()
    if (!box) throw new Error('There is no button')
    for (let press = 0; press < 5; press++)
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await run(page, `${TOOLS}`)
    await expectAsked(page, 'edit')
    await run(page, 'clearInterval(timer)')
    await control(page, TRUST).click()
    await control(page, END).waitFor()
    await page.context().close()
  })
})

const pictures = useBrowser(NATIVE)

it.runIf(SHOTS)('looks right', async () => {
  const page = await pictures.open(`${site.origin}/list`, {
    viewport: { width: 700, height: 560 },
  })
  await listed(page)
  await control(page, TRUST).click()
  await control(page, END).waitFor()
  await expect.poll(() => control(page, END).getAttribute('aria-disabled')).toBe('false')
  await page.screenshot({ path: `${SHOTS}/settings-light.png` })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: `${SHOTS}/settings-dark.png` })
  await page.setViewportSize({ width: 400, height: 640 })
  await page.screenshot({ path: `${SHOTS}/settings-dark-400.png` })
  await page.emulateMedia({ colorScheme: 'light' })
  await control(page, `Ask again: ${ALL}`).click()
  await control(page, TRUST).waitFor()
  await page.screenshot({ path: `${SHOTS}/settings-light-400.png` })
  await page.context().close()
})
