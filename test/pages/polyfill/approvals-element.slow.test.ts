/**
 * `<webmcp-approvals>`: what a visitor sees of the approvals that are remembered, and how they end.
 *
 * @module
 */

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { answer, question, questionNow } from '../../support/pages/approval-dialog.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE } from '../../support/pages/chromium.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const SHOTS = process.env['SHOTS']

const LIST = '<webmcp-approvals></webmcp-approvals>'

const site = useApprovalSite({
  '/list': pageWith(
    `<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;margin:24px}</style><h2>Approvals</h2>${LIST}`,
  ),
  '/below': pageWith(`<div style="height:4000px">A tall page</div>${LIST}`),
  '/closed': {
    html: pageWith(LIST).replaceAll('<script', '<script nonce="n"'),
    headers: {
      'content-security-policy':
        "default-src 'none'; script-src 'nonce-n' 'unsafe-eval' 'strict-dynamic'; require-trusted-types-for 'script'",
    },
  },
  '/own': pageWith(LIST).replace(
    '<script src',
    `<script>customElements.define('webmcp-approvals', class Own extends HTMLElement {})</script><script src`,
  ),
  '/bare': `<!doctype html><title>Bare</title>${LIST}`,
})
const browser = useBrowser(NATIVE)

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

const REVIEW = `annotations: { humanInTheLoopHint: 'review' }`
const EMPTY = 'No approval is remembered.'

/** What the element shows, as text. */
const shownIn = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelector('webmcp-approvals').shadowRoot?.querySelectorAll('p, b') ?? []].map((one) => one.textContent).join('\\n')`,
  )

/** Calls a tool and answers the question. */
async function allow(page: Page, tool: string, choice: string): Promise<void> {
  await run(
    page,
    `await tool({ name: '${tool}', ${REVIEW} }).catch(() => {}); void call('${tool}')`,
  )
  await answer(page, choice)
  await page.waitForFunction(`outcome !== 'waiting'`)
}

/** Writes the stored approvals, as any script of the origin can. */
const store = (page: Page, approvals: string) =>
  run(
    page,
    `await new Promise((resolve) => {
       const request = indexedDB.open('edgewise-webmcp')
       request.onupgradeneeded = () => request.result.createObjectStore('approvals')
       request.onsuccess = () => {
         const change = request.result.transaction('approvals', 'readwrite')
         change.objectStore('approvals').put(${approvals}, 'decisions')
         change.oncomplete = () => { request.result.close(); resolve() }
       }
     })`,
  )

const entry = (tool: string, more = '') =>
  `{ id: '1', origin: location.origin, tool: ${JSON.stringify(tool)}, definition: 'x', at: 0, until: Date.now() + 1e9, ${more} }`

/** Asserts that a call of a tool asks. */
async function expectAsked(page: Page, tool: string): Promise<void> {
  await run(page, `void call('${tool}')`)
  await question(page)
  await answer(page, 'Deny')
  await page.waitForFunction(`outcome.startsWith('NotAllowedError')`)
}

describe('the list', () => {
  it('is empty at first, then has what the visitor allowed, and ends each of it', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/list-empty.png` })
    await allow(page, 'once', 'Allow once')
    await allow(page, 'visit', 'Allow on this visit')
    await allow(page, 'days', 'Allow for 30 days')
    await expect.poll(() => shownIn(page)).toContain('days')
    const text = await shownIn(page)
    expect(text).not.toMatch(/^once$/m)
    expect(text).toMatch(/visit\nSince .+, until this page closes/)
    expect(text).toMatch(/days\nSince .+, until .+\d/)
    expect(text).not.toContain(EMPTY)

    for (const tool of ['visit', 'days']) {
      await page.getByRole('button', { name: `Ask again: ${tool}` }).click()
      await expect.poll(() => shownIn(page)).not.toMatch(new RegExp(`^${tool}$`, 'm'))
      await expectAsked(page, tool)
    }
    expect(await shownIn(page)).toContain(EMPTY)
    await page.context().close()
  })

  it('ends all at once', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await allow(page, 'visit', 'Allow on this visit')
    await allow(page, 'days', 'Allow for 30 days')
    await page.getByRole('button', { name: 'Ask again for all' }).click()
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    await expectAsked(page, 'visit')
    await expectAsked(page, 'days')
    await page.context().close()
  })

  it('follows changes that another tab makes', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    const other = await page.context().newPage()
    await other.goto(`${site.origin}/list`)
    await allow(other, 'a', 'Allow for 30 days')
    await page.bringToFront()
    await expect.poll(() => shownIn(page)).toMatch(/^a$/m)
    await other.bringToFront()
    await other.getByRole('button', { name: 'Ask again: a' }).click()
    await page.bringToFront()
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    await page.context().close()
  })

  it('is up to date when it is scrolled into view, and when it is put into the page again', async () => {
    const page = await browser.open(`${site.origin}/below`)
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    await store(page, `[${entry('a')}]`)
    await run(page, `document.querySelector('webmcp-approvals').scrollIntoView()`)
    await expect.poll(() => shownIn(page)).toMatch(/^a$/m)
    await run(
      page,
      `scrollTo(0, 0); globalThis.kept = document.querySelector('webmcp-approvals'); kept.remove()`,
    )
    await store(page, `[${entry('b')}]`)
    await run(page, 'document.body.append(kept)')
    await expect.poll(() => shownIn(page)).toMatch(/^b$/m)
    await page.context().close()
  })

  it('shows what is stored as text, bounded, with hidden characters visible', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await store(
      page,
      `[${entry('<img src=x onerror="ran.push(1)">\u202e\u200b')}, ${entry('long'.repeat(100))},
        ${entry('no times', `at: 'x', until: Infinity`)}, null, 7,
        ...Array.from({ length: 600 }, (_, at) => ({ ...${entry('')}, tool: 'tool' + at }))]`,
    )
    await expect
      .poll(() => shownIn(page))
      .toContain('<img src=x onerror="ran.push(1)">U+202EU+200B')
    const text = await shownIn(page)
    expect(text).toContain('272 more characters')
    expect(text).toContain('no times\nSince an unknown time, until an unknown time')
    expect(text).toContain('103 more tools are not shown.')
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('says when the stored approvals cannot be read, and still has those of the visit', async () => {
    const page = await browser.open(`${site.origin}/`)
    await run(page, `IDBFactory.prototype.open = () => { throw new Error('no storage') }`)
    await allow(page, 'a', 'Allow on this visit')
    await run(page, `document.body.innerHTML = '${LIST}'`)
    await expect.poll(() => shownIn(page)).toMatch(/cannot be read\.[^]*\na\n/)
    await page.context().close()
  })
})

describe('a visitor with a keyboard or a screen reader', () => {
  it('reaches every button by its name, and keeps the place in the list', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await store(page, `[${entry('a')}, ${entry('b')}, ${entry('c')}]`)
    await expect.poll(() => shownIn(page)).toMatch(/^c$/m)
    const focused = () =>
      page.evaluate(
        `(({ activeElement: at }) => at?.ariaLabel ?? at?.innerText)(document.querySelector('webmcp-approvals').shadowRoot)`,
      )
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Ask again: b')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Ask again: c')
    await page.waitForTimeout(2_500) // a look for changes moves no focus
    expect(await focused()).toBe('Ask again: c')
    await page.keyboard.press('Space')
    await expect.poll(focused).toBe('Ask again: a')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toContain(EMPTY)
    await page.context().close()
  })

  it('is informed of the new state, in a list with labels', async () => {
    const page = await browser.open(`${site.origin}/list`)
    await store(page, `[${entry('a')}, ${entry('b')}]`)
    await expect.poll(() => shownIn(page)).toMatch(/^b$/m)
    const state = page.locator('webmcp-approvals')
    await expect
      .poll(() => state.getByRole('status').innerText())
      .toContain('A notice shows each call')
    expect(await state.getByRole('listitem').count()).toBe(2)
    expect(await state.getByRole('button', { name: 'Ask again: a', exact: true }).count()).toBe(1)
    await page.context().close()
  })
})

describe('the element', () => {
  it('loads nothing before it is in the page', async () => {
    const page = await browser.open(`${site.origin}/`)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.reload()
    await page.waitForTimeout(300)
    expect(loaded).toContain('/webmcp-dialog.mjs')
    expect(loaded).not.toContain('/webmcp-approvals.mjs')
    await run(page, `document.body.innerHTML = '${LIST}'`)
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    expect(loaded).toContain('/webmcp-approvals.mjs')
    await page.context().close()
  })

  it('is defined by apply() as well, once, and not over one of the page', async () => {
    const page = await browser.open(`${site.origin}/bare`)
    await run(
      page,
      `const { apply } = await import('/webmcp.mjs')
       const undo = apply()
       undo()
       apply()`,
    )
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    await page.context().close()
    const own = await browser.open(`${site.origin}/own`)
    expect(await run(own, `return customElements.get('webmcp-approvals').name`)).toBe('Own')
    await allow(own, 'a', 'Allow on this visit')
    await own.context().close()
  })

  it('is shown under a policy that allows no style', async () => {
    const page = await browser.open(`${site.origin}/closed`)
    await expect.poll(() => shownIn(page)).toContain(EMPTY)
    await page.context().close()
  })

  it('gives a module that the page puts in its place no way to allow a call', async () => {
    const page = await browser.open(`${site.origin}/`)
    await allow(page, 'a', 'Allow on this visit')
    await run(
      page,
      `const own = URL.createObjectURL(new Blob(['export const showApprovals = (_, visit) => { globalThis.visit = visit }'], { type: 'text/javascript' }))
       const map = document.createElement('script')
       map.type = 'importmap'
       map.textContent = JSON.stringify({ imports: { [location.origin + '/webmcp-approvals.mjs']: own } })
       document.head.append(map)
       document.body.innerHTML = '${LIST}'`,
    )
    await page.waitForFunction('globalThis.visit')
    await run(
      page,
      `const [one] = visit.list()
       const definition = one.definition.replace('"a"', '"b"')
       Object.assign(one, { tool: 'b', definition })
       Object.assign(visit, { list: () => [one], forget: () => true, [definition]: one })
       await tool({ name: 'b', ${REVIEW} })`,
    )
    await expectAsked(page, 'b')
    expect(await questionNow(page)).toBeNull()
    await page.context().close()
  })
})

it.runIf(SHOTS)('looks right', async () => {
  const page = await browser.open(`${site.origin}/list`, { viewport: { width: 700, height: 520 } })
  await store(
    page,
    `[${entry('change_cart', 'at: Date.now()')}, ${entry('files.edit_a_rather_long_name_of_a_tool_that_wraps', 'at: Date.now()')}, ${entry('odd\u202e', 'until: Infinity')}]`,
  )
  await allow(page, 'set_theme', 'Allow on this visit')
  await expect.poll(() => shownIn(page)).toContain('set_theme')
  await page.screenshot({ path: `${SHOTS}/list-light.png` })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: `${SHOTS}/list-dark.png` })
  await page.setViewportSize({ width: 400, height: 640 })
  await page.keyboard.press('Tab')
  await page.screenshot({ path: `${SHOTS}/list-dark-400.png` })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.screenshot({ path: `${SHOTS}/list-light-400.png` })
  await page.context().close()
})
