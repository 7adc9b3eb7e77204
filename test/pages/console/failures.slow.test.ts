/**
 * Every page of the console with answers that are slow, wrong or missing: it reports what
 * failed and what to do, keeps the input, and continues when the server does.
 */

import type { Page, Route } from 'playwright'
import { beforeAll, expect, it } from 'vitest'
import { PAGES, type PageName } from '#host/console/shell/pages.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { ADDRESSES } from '../../support/pages/console-pages.ts'
import { goTo, putFile, sees, toolLink, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

beforeAll(async () => {
  await putFile(server.url, '/docs/guide.md', '# Guide\n')
})

/** What the console asks the server for, beside scripts and styles. */
const ASKED = /\/(?:mcp|status|config|sessions|audit|files|drafts|skills|notifications)(?:[/?]|$)/

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

/** The error of each page, for each request that it makes by itself. */
const FAULTS: Readonly<Record<PageName, readonly string[]>> = {
  waiting: ['Cannot read what waits'],
  '': ['Cannot count the files', 'Cannot read the changes', WORDS.cannotReadRules],
  files: ['Cannot read the files'],
  activity: ['Cannot check the audit log'],
  tools: [],
  apps: ['Cannot list the apps'],
  skills: ['Cannot read the skills'],
  explorer: ['Cannot list the resources'],
  agents: [],
  sessions: [WORDS.cannotReadSessions],
  rules: [WORDS.cannotReadRules],
  notifications: ['Cannot read how you are notified'],
  log: [],
  connect: [],
}

const CHANGE = '#/activity/write_file/00000000-0000-4000-8000-000000000000'

const READING = [
  ...PAGES.flatMap(({ name }) => FAULTS[name].map((fault) => [`#/${name}`, fault] as const)),
  [CHANGE, 'Cannot read this change'],
] as const

const KINDS = [
  ['500', failing(500, 'It broke'), 'It broke. Try again in a moment.'],
  ['429', failing(429, 'Too many. Try again in 20 seconds'), 'Try again in 20 seconds.'],
  ['broken JSON', broken, ''],
] as const

it.each(KINDS)(
  'shows on every page what failed and what to do: %s',
  async (_name, answer, words) => {
    const page = await visit(browser.open, server.url, '#/log')
    await answering(page, answer)
    for (const [hash, what] of READING) {
      await goTo(page, hash)
      const fault = page.getByRole('alert').filter({ hasText: what }).first()
      await fault.waitFor()
      expect(await fault.textContent()).toContain(words)
      expect(await fault.getByRole('button', { name: 'Try again' }).count()).toBe(1)
    }
    await goTo(page, '#/sessions')
    await sees(page, WORDS.cannotReadSessions)
    await page.unrouteAll()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await sees(page, 'No sessions')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  },
)

it('shows no state that it has not read', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  await answering(page, failing(500, 'It broke'))
  await goTo(page, '#/')
  await sees(page, WORDS.cannotReadSessions)
  expect(await page.getByText('No open sessions').count()).toBe(0)
  expect(await page.getByText('No files').count()).toBe(0)
  await goTo(page, '#/activity?outcome=all')
  await sees(page, 'It broke')
  expect(await page.getByText('Nothing matches').count()).toBe(0)
  await page.context().close()
})

it('moves nothing when the answers arrive, and does not flash', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  const gate = Promise.withResolvers<void>()
  await answering(page, (route) => gate.promise.then(() => route.continue()))
  await goTo(page, '#/')
  const waiting = page.getByText('Loading…').first()
  await waiting.waitFor({ state: 'attached' })
  expect(await waiting.evaluate((each) => getComputedStyle(each).animationDelay)).toBe('0.4s')
  await waiting.waitFor()
  const place = () => page.getByRole('heading', { name: 'Permissions' }).boundingBox()
  const before = await place()
  gate.resolve()
  await sees(page, 'Read and change files anywhere in this workspace.')
  expect(await place()).toEqual(before)
  await page.context().close()
})

it('keeps the input when a link cannot be made, or a tool not called', async () => {
  const page = await visit(browser.open, server.url, '#/sessions?do=new')
  await page.getByLabel(WORDS.agentName).fill('Helper')
  await answering(page, failing(503, 'Away'))
  await page.getByRole('button', { name: WORDS.makeLink }).click()
  await sees(page, 'Cannot make the link')
  expect(await page.getByLabel(WORDS.agentName).inputValue()).toBe('Helper')
  await page.keyboard.press('Escape')

  await goTo(page, toolLink('read_file', { path: '/docs/guide.md' }))
  await page.getByRole('button', { name: 'Run' }).click()
  await sees(page, WORDS.callFailed)
  expect(await page.getByLabel('Path').inputValue()).toBe('/docs/guide.md')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('heading', { name: 'Result' }).waitFor()
  await page.context().close()
})

it('tells an undo that was not previewed from one that may have been applied', async () => {
  const page = await visit(browser.open, server.url, '#/activity')
  await page.getByRole('link', { name: 'Upload /docs/guide.md' }).first().click()
  await page.getByRole('heading', { name: 'Upload /docs/guide.md', level: 1 }).waitFor()
  await answering(page, failing(500, 'It broke'))
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: WORDS.undoQuestion })
  await dialog.getByText('Cannot preview the undo').waitFor()
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  const undo = dialog.getByRole('button', { name: WORDS.undo })
  await expect.poll(() => undo.isEnabled()).toBe(true)
  await answering(page, failing(500, 'It broke'))
  await undo.click()
  await dialog.getByText('Cannot confirm the undo').waitFor()
  await page.context().close()
})

it('reports once that it is offline, and reloads when it is back', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  await answering(page, (route) => route.abort('internetdisconnected'))
  await goTo(page, '#/')
  await sees(page, 'The connection is interrupted.')
  await sees(page, WORDS.whenBack)
  expect(await page.locator('main').textContent()).not.toMatch(/Failed to fetch|\.\./)
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reconnect now' }).click()
  await sees(page, 'Read and change files anywhere in this workspace.')
  await expect.poll(() => page.getByText('Available when').count()).toBe(0)
  await page.context().close()
})

it('says once that the user is signed out', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  let isPressed = false
  await page.exposeFunction('pressed', () => (isPressed = true))
  const refused = failing(401, 'Sign in first')
  await answering(page, (route) => (isPressed ? route.continue() : refused(route)))
  await goTo(page, '#/sessions')
  await sees(page, WORDS.signInToSee)
  expect(await page.getByRole('alert').count()).toBe(1)
  // The page also tries again by itself, so it is answered otherwise from the press on.
  await page.evaluate(() => addEventListener('click', () => Reflect.get(window, 'pressed')(), true))
  await page.getByRole('button', { name: 'Try again' }).click()
  await sees(page, 'No sessions')
  expect(await page.getByText(WORDS.signedOut).count()).toBe(0)
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

it('logs no error on a first visit, and requests no missing file', async () => {
  const page = await browser.open('about:blank')
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`)
  })
  await page.goto(server.url)
  await sees(page, WORDS.openToMachine)
  await sees(page, 'Read and change files anywhere in this workspace.')
  for (const [, hash] of ADDRESSES) await goTo(page, hash)
  expect(complaints).toEqual([])
  await page.context().close()
})
