/**
 * The example pages, opened the way their first lines say, and their dialogs answered.
 */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { inProject } from '../../../scripts/settings.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE } from '../../support/pages/chromium.ts'
import { answer, question, questionNow } from '../../support/pages/approval-dialog.ts'
import { useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const NAMES = ['shop.html', 'form.html', 'agent.html', 'files.html', 'page.css']
const read = (name: string) => readFileSync(inProject('examples/pages', name), 'utf8')
const site = useApprovalSite(Object.fromEntries(NAMES.map((name) => [`/${name}`, read(name)])))
const server = useServer(() => ({ EDGEWISE_ORIGINS: site.origin }))
const browser = useBrowser(NATIVE)

/** Opens an example; what it expects of the usual port comes from the product under test. */
async function open(name: string, { isRefused = false } = {}): Promise<Page> {
  const page = await browser.open('about:blank')
  await page.route(/^http:\/\/(?:localhost|127\.0\.0\.1):8787\//, (route, request) => {
    const url = new URL(request.url())
    if (isRefused && url.pathname === '/mcp') return route.abort()
    url.port = new URL(url.pathname.startsWith('/webmcp') ? site.origin : server.url).port
    // A stream of notifications has no end before that of the page, after which it cannot be answered.
    return route.fetch({ url: url.href }).then(
      (response) => route.fulfill({ response }),
      () => route.abort().catch(() => {}),
    )
  })
  await page.goto(`${site.origin}/${name}`)
  return page
}

const call = (name: string, input: object) =>
  `(async () => {
    const tool = (await document.modelContext.getTools()).find((one) => one.name === '${name}')
    globalThis.answer = undefined
    globalThis.answer = await document.modelContext.executeTool(tool, ${JSON.stringify(input)}).catch((error) => error.name)
  })()`

describe('shop.html', () => {
  it('has tools at all four levels', async () => {
    const page = await open('shop.html')
    await page.locator('html[data-ready]').waitFor()
    await page.evaluate(call('find_teas', { max_price: 9 }))
    expect(await page.evaluate('JSON.parse(answer).map(({ id }) => id)')).toEqual([
      'assam',
      'sencha',
    ])
    await page.evaluate(call('set_theme', { theme: 'dark' }))
    expect(await questionNow(page)).toBeNull()

    const changing = page.evaluate(call('change_cart', { tea: 'oolong', count: 2 }))
    expect((await question(page)).text).toContain('+2 × Oolong')
    await answer(page, 'Allow once')
    await changing
    await page.getByText('Total: 28 EUR').waitFor()

    const refused = page.evaluate(call('pay', { method: 'card' }))
    expect((await question(page)).buttons).toEqual(['Deny', 'Allow once'])
    await answer(page, 'Deny')
    await refused
    expect(await page.evaluate('answer')).toBe('NotAllowedError')
    const paying = page.evaluate(call('pay', { method: 'card' }))
    await answer(page, 'Allow once')
    await paying
    await page.getByText('Paid 28 EUR by card.').waitFor()
    await page.context().close()
  })

  it('returns an error of the preview at once', async () => {
    const page = await open('shop.html')
    await page.locator('html[data-ready]').waitFor()
    await page.evaluate(call('change_cart', { tea: 'coffee', count: 1 }))
    expect(await page.evaluate('answer')).toContain('No tea coffee')
    await page.context().close()
  })
})

describe('form.html', () => {
  it('is submitted by an agent after approval', async () => {
    const page = await open('form.html')
    const count = 'document.modelContext.getTools().then(({ length }) => length)'
    await expect.poll(() => page.evaluate(count)).toBe(1)
    const booking = page.evaluate(call('book_table', { name: 'Ada', people: 4 }))
    expect(await question(page)).toMatchObject({ marks: ['4', 'Ada'] })
    expect(await page.locator('#booked').textContent()).toBe('')
    await answer(page, 'Allow once')
    await page.getByText('A table for 4 is booked, Ada.').waitFor()
    await booking
    expect(await page.evaluate('answer')).toBe('A table for 4 is booked, Ada.')
    await page.context().close()
  })
})

describe('agent.html', () => {
  it('buys after approval', async () => {
    const page = await open('agent.html')
    const shop = page.frameLocator('iframe')
    await shop.locator('html[data-ready]').waitFor()
    await page.getByRole('button').click()
    await answerInFrame(page, 'Allow once')
    await shop.getByText('Total: 12 EUR').waitFor()
    await answerInFrame(page, 'Allow once')
    await page.getByText('Done.').waitFor()
    expect(await shop.locator('#paid').textContent()).toBe('Paid 12 EUR by card.')
    await page.context().close()
  })

  it('handles a denial', async () => {
    const page = await open('agent.html')
    await page.frameLocator('iframe').locator('html[data-ready]').waitFor()
    await page.getByRole('button').click()
    await answerInFrame(page, 'Deny')
    await page.getByText('The user denied the call.').waitFor()
    await page.context().close()
  })

  /** A frame of the same origin is part of the page's own tree. */
  async function answerInFrame(page: Page, label: string): Promise<void> {
    await answer(page, label)
  }
})

describe('files.html', () => {
  it('says what is missing where the server refuses the origin', async () => {
    const page = await open('files.html', { isRefused: true })
    await page.getByText('EDGEWISE_ORIGINS').waitFor()
    await page.context().close()
  })

  it('registers the file tools, and shows their previews', async () => {
    const page = await open('files.html')
    await page.getByText('files.write_file: ').waitFor()
    expect(await page.getByText('EDGEWISE_ORIGINS').isVisible()).toBe(false)
    await page.getByRole('button').click()
    await question(page)
    await answer(page, 'Allow once')
    await page.getByText('note.md').last().waitFor()
    const stored = await fetch(`${server.url}/files/note.md`)
    expect(await stored.text()).toBe('# A note\n\nWritten by a page.\n')
    await page.context().close()
  })
})
