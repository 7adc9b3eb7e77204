/**
 * Every page of the console with answers that are slow, wrong or missing: it says what could not be
 * done and what to do, keeps what was typed, and goes on when the server does.
 */

import type { Page, Route } from 'playwright'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { goTo, putFile, sees, toolLink, visit } from './console-visit.ts'

const server = useServer()
const browser = useBrowser()

beforeAll(async () => {
  await putFile(server.url, '/docs/guide.md', '# Guide\n')
})

/** What the console asks the server for, beside scripts and styles. */
const ASKED = /\/(?:mcp|status|config|sessions|audit|files)(?:[/?]|$)/

const STREAM = /subscriptions\/listen/

/** Has every question answered in another way from now on, but for the stream that is open. */
const answering = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route(ASKED, (route) =>
    STREAM.test(route.request().postData() ?? '') ? route.continue() : answer(route),
  )

const failing = (status: number, message: string) => (route: Route) =>
  route.fulfill({ status, json: { code: 'TROUBLE', message } })

const broken = (route: Route) =>
  route.fulfill({ status: 200, contentType: 'application/json', body: '{"a":' })

const PAGES = [
  ['#/', 'The files could not be counted.'],
  ['#/', 'The changes could not be read.'],
  ['#/', 'The rules could not be read.'],
  ['#/activity', 'The record could not be checked.'],
  ['#/apps', 'The applications could not be listed.'],
  ['#/sessions', 'The sessions could not be read.'],
  ['#/rules', 'The rules could not be read.'],
  ['#/activity/write_file/00000000-0000-4000-8000-000000000000', 'This change could not be read.'],
] as const

const KINDS = [
  ['500', failing(500, 'It broke'), 'It broke. Try again in a moment.'],
  ['429', failing(429, 'Too many. Try again in 20 seconds'), 'Try again in 20 seconds.'],
  ['broken JSON', broken, ''],
] as const

it.each(KINDS)(
  'says on every page what failed and what to do: %s',
  async (_name, answer, words) => {
    const page = await visit(browser.open, server.url, '#/log')
    await answering(page, answer)
    for (const [hash, what] of PAGES) {
      await goTo(page, hash)
      const fault = page.getByRole('alert').filter({ hasText: what }).first()
      await fault.waitFor()
      expect(await fault.textContent()).toContain(words)
      expect(await fault.getByRole('button', { name: 'Try again' }).count()).toBe(1)
    }
    await goTo(page, '#/sessions')
    await sees(page, 'The sessions could not be read.')
    await page.unrouteAll()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await sees(page, 'No sessions')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  },
)

it('claims nothing that it does not know', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  await answering(page, failing(500, 'It broke'))
  await goTo(page, '#/')
  await sees(page, 'The sessions could not be read.')
  expect(await page.getByText('No open sessions').count()).toBe(0)
  expect(await page.getByText('It is empty').count()).toBe(0)
  await goTo(page, '#/activity?outcome=all')
  await sees(page, 'It broke')
  expect(await page.getByText('Nothing matches').count()).toBe(0)
  await page.context().close()
})

it('stands where it will stand while the answers are on their way, without a flash', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  const gate = Promise.withResolvers<void>()
  await answering(page, (route) => gate.promise.then(() => route.continue()))
  await goTo(page, '#/')
  const waiting = page.getByText('Loading…').first()
  await waiting.waitFor({ state: 'attached' })
  expect(await waiting.evaluate((each) => getComputedStyle(each).animationDelay)).toBe('0.4s')
  await waiting.waitFor()
  const place = () => page.getByRole('heading', { name: 'What agents may do' }).boundingBox()
  const before = await place()
  gate.resolve()
  await sees(page, 'Read and change files anywhere in this workspace.')
  expect(await place()).toEqual(before)
  await page.context().close()
})

it('keeps what was typed when a link cannot be made, or a tool not called', async () => {
  const page = await visit(browser.open, server.url, '#/sessions?do=new')
  await page.getByLabel('Who is it for').fill('Helper')
  await answering(page, failing(503, 'Away'))
  await page.getByRole('button', { name: 'Make the link' }).click()
  await sees(page, 'No link was made.')
  expect(await page.getByLabel('Who is it for').inputValue()).toBe('Helper')
  await page.keyboard.press('Escape')

  await goTo(page, toolLink('read_file', { path: '/docs/guide.md' }))
  await page.getByRole('button', { name: 'Run' }).click()
  await sees(page, 'It did not work')
  expect(await page.getByLabel('Path').inputValue()).toBe('/docs/guide.md')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('heading', { name: 'Result' }).waitFor()
  await page.context().close()
})

it('says once that it is cut off, and reads everything again when it is back', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  await answering(page, (route) => route.abort('internetdisconnected'))
  await goTo(page, '#/')
  await sees(page, 'The connection is interrupted.')
  await sees(page, 'This comes when the connection is back.')
  expect(await page.locator('main').textContent()).not.toMatch(/Failed to fetch|\.\./)
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try now' }).click()
  await sees(page, 'Read and change files anywhere in this workspace.')
  await expect.poll(() => page.getByText('This comes when').count()).toBe(0)
  await page.context().close()
})

it('says once that nobody is signed in', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  await answering(page, failing(401, 'Sign in first'))
  await goTo(page, '#/sessions')
  await sees(page, 'Sign in first to see this.')
  expect(await page.getByRole('alert').count()).toBe(1)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await sees(page, 'No sessions')
  expect(await page.getByText('You are no longer signed in.').count()).toBe(0)
  await page.context().close()
})

it('waits a minute for a silent server, and says so', async () => {
  const page = await visit(browser.open, server.url, toolLink('list_roots', {}))
  await page.clock.install()
  await answering(page, () => new Promise(() => {}))
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  await page.clock.fastForward(61_000)
  await sees(page, 'The server did not answer in time.')
  await page.context().close()
})

it('logs no error on a first visit, and asks for nothing that is not there', async () => {
  const page = await browser.open('about:blank')
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`)
  })
  await page.goto(server.url)
  await sees(page, 'Open to this machine alone')
  await sees(page, 'Read and change files anywhere in this workspace.')
  for (const { 0: hash } of PAGES.slice(0, -1)) await goTo(page, hash)
  expect(complaints).toEqual([])
  await page.context().close()
})
