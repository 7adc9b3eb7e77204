/** What an app of a server may read in the console: asked once, with what it may see, until the app is closed. */

import type { Frame, Page } from 'playwright'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { startReadingServer, APP, REACHES } from '../../support/pages/reading-server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { goTo, readQuestion, settles, visit } from '../../support/pages/console-actions.ts'
import { frameWith, requestIn } from '../../support/pages/spy-app.ts'

const server = useServer()
const browser = useBrowser()
const reader = use(startReadingServer)

let page: Page
let app: Frame

beforeAll(async () => {
  page = await visit(browser.open, server.url, '#/connect', {
    viewport: { width: 400, height: 800 },
  })
  await page.getByLabel('Address').fill(reader().url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /Reader/ }).waitFor()
})

// Each test opens the app again, which ends the answers of the one before.
beforeEach(async () => {
  await goTo(page, '#/connect')
  await page.locator('mcp-view').waitFor({ state: 'detached' })
  await goTo(page, `#/apps?uri=${APP}`)
  app = await frameWith(page, 'Spy')
})

const call = (app: Frame, name = 'poll', args: object = {}) =>
  requestIn(app, 'tools/call', { name, arguments: args })

const question = (page: Page) => page.getByRole('alertdialog')
const answer = (page: Page, name: string) =>
  question(page).getByRole('button', { name, exact: true }).click()

it('asks an app that polls once, by keyboard, and shows what it may see', async () => {
  const before = reader().calls.length
  const polls = Array.from({ length: 20 }, (_, count) => call(app, 'poll', { count }))
  await readQuestion(page).waitFor()
  const shown = await readQuestion(page).innerText()
  for (const part of ['System stats', 'poll', 'Reader', 'readOnlyHint', REACHES, 'count'])
    expect(shown).toContain(part)
  expect(shown).toContain('Returns the load and the memory of this machine.')
  expect(await faultsOf(page)).toEqual([])
  expect(reader().calls).toHaveLength(before)
  await settles(page)
  await page.keyboard.press('Tab')
  await settles(page)
  await page.keyboard.press('Enter')
  for (const poll of await Promise.all(polls)) expect(poll).toContain('call')
  for (let count = 0; count < 20; count++) expect(await call(app)).toContain('call')
  expect(reader().calls).toHaveLength(before + 40)
  expect(await question(page).count()).toBe(0)
})

it('asks again about a tool whose definition changes, and as for a change if it claims less', async () => {
  const first = call(app)
  await readQuestion(page).waitFor()
  await answer(page, 'Allow')
  await first
  await change(page, { description: 'Returns the files of this machine.' })
  const second = call(app)
  await readQuestion(page).getByText('Returns the files of this machine.').first().waitFor()
  await answer(page, 'Allow')
  await second

  await change(page, { description: 'Asked meanwhile.' })
  const third = call(app)
  await readQuestion(page).getByText('Asked meanwhile.').first().waitFor()
  const before = reader().calls.length
  await change(page, { description: 'Deletes files.', annotations: {} })
  await answer(page, 'Allow')
  await page.getByRole('alertdialog', { name: 'Allow “System stats”?' }).waitFor()
  expect(reader().calls).toHaveLength(before)
  await answer(page, 'Deny')
  expect(await third).toContain('DENIED_BY_PERSON')
  expect(reader().calls).toHaveLength(before)
  await change(page, {})
})

/** Changes the definition of the tool, and waits until the console has it. */
async function change(page: Page, members: object): Promise<void> {
  const listed = page.waitForResponse(
    (response) => response.request().postData()?.includes('"tools/list"') === true,
  )
  reader().change(members)
  await (await listed).finished()
  // The list is parsed in a later task of the page.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
}

it('asks as for a change, each time, about a tool that does not claim to only read', async () => {
  for (const expected of ['call', 'call']) {
    const made = call(app, 'stats')
    await page.getByRole('alertdialog', { name: 'Allow “More stats”?' }).waitFor()
    await answer(page, 'Allow')
    expect(await made).toContain(expected)
  }
})

it('asks again once the app is closed and opened, and not after a reload of the same page', async () => {
  const first = call(app)
  await answer(page, 'Allow')
  await first
  const reload = async () => {
    const frame = page.frames().at(-1)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => frame?.isDetached()).toBe(true)
    return frameWith(page, 'Spy')
  }
  expect(await call(await reload())).toContain('call')

  reader().changePage('another')
  const changed = call(await reload())
  await readQuestion(page).waitFor()
  await answer(page, 'Deny')
  expect(await changed).toContain('DENIED_BY_PERSON')

  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('button', { name: /Monitor.*ui:/s }).click()
  const opened = call(await frameWith(page, 'Spy'))
  await readQuestion(page).waitFor()
  await answer(page, 'Allow')
  expect(await opened).toContain('call')
})

it('remembers a No, and shows what was answered with a way to be asked again', async () => {
  const before = reader().calls.length
  const polls = Array.from({ length: 20 }, () => call(app))
  await answer(page, 'Deny')
  for (const poll of await Promise.all(polls)) expect(poll).toContain('DENIED_BY_PERSON')
  expect(await call(app)).toContain('DENIED_BY_PERSON')
  expect(reader().calls).toHaveLength(before)
  expect(await question(page).count()).toBe(0)

  const kept = page.getByTestId('kept-reads')
  await kept.getByText('What this app may read (1)').click()
  await kept.getByText('denied').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await kept.getByRole('button', { name: 'Ask again about System stats' }).click()
  await kept.getByText('What this app may read (0)').waitFor()
  const asked = call(app)
  await answer(page, 'Allow')
  expect(await asked).toContain('call')
})

it('asks each time if the person wants that, and once again when they do not', async () => {
  const first = call(app)
  const each = readQuestion(page).getByLabel('Ask each time this app reads')
  await each.check()
  await answer(page, 'Allow')
  await first
  for (const name of ['Allow', 'Deny', 'Allow']) {
    const made = call(app)
    await readQuestion(page).waitFor()
    expect(await each.isChecked()).toBe(true)
    await answer(page, name)
    expect(await made).toContain(name === 'Allow' ? 'call' : 'DENIED_BY_PERSON')
  }
  await page.getByTestId('kept-reads').getByLabel('Ask each time this app reads').uncheck()
  const last = call(app)
  await answer(page, 'Allow')
  await last
  expect(await call(app)).toContain('call')
})

it('asks once about resources too, which show the same as tools', async () => {
  const read = (uri: string) => requestIn(app, 'resources/read', { uri })
  expect(await read(APP)).toContain('Spy')
  const first = read('file:///secret.md')
  await readQuestion(page).getByText('file:///secret.md').first().waitFor()
  await answer(page, 'Allow')
  expect(await first).toContain('result')
  expect(await read('file:///other.md')).toContain('result')
  const prompts = requestIn(app, 'prompts/list', {})
  await answer(page, 'Deny')
  expect(await prompts).toContain('DENIED_BY_PERSON')
  expect(await question(page).count()).toBe(0)
})

it('takes no answer that a script gives', async () => {
  const before = reader().calls.length
  const made = call(app)
  await readQuestion(page).waitFor()
  await settles(page)
  await readQuestion(page)
    .getByRole('button', { name: 'Allow' })
    .evaluate((one) => one instanceof HTMLElement && one.click())
  expect(await readQuestion(page).count()).toBe(1)
  expect(reader().calls).toHaveLength(before)
  await page.keyboard.press('Escape')
  expect(await made).toContain('DENIED_BY_PERSON')
})
