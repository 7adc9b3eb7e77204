/** The console with a slow server: nothing is sent twice, and nothing is claimed before it was read. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { appears, goTo, inApp, putFile, sees, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

/** Opens a page whose requests to some routes wait; answers how many have come, and lets them go on. */
async function openHeld(hash: string, held: { readonly path: RegExp; readonly method: string }) {
  const page = await visit(browser.open, server.url, hash)
  page.setDefaultTimeout(10_000)
  const gate = Promise.withResolvers<void>()
  let count = 0
  await page.route(held.path, async (route) => {
    if (route.request().method() !== held.method) return route.continue()
    count++
    await gate.promise
    await route.continue()
  })
  return { page, count: () => count, release: gate.resolve }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('makes one link, and shows it, however often the button is pressed', async () => {
  const held = { path: /\/sessions$/, method: 'POST' }
  const { page, count, release } = await openHeld('#/sessions?do=new', held)
  await page.getByLabel(WORDS.agentName).fill('Helper')
  await button(page, WORDS.makeLink).dblclick()
  await button(page, 'Making the link…').press('Enter')
  await page.keyboard.press('Escape')
  release()
  await sees(page, WORDS.linkShownOnce)
  expect(count()).toBe(1)
  await page.context().close()
})

it('creates one checkpoint, however often Enter is pressed', async () => {
  const held = { path: /\/checkpoints$/, method: 'POST' }
  const { page, count, release } = await openHeld('#/activity', held)
  const name = page.getByLabel('Name of a new checkpoint')
  await name.fill('Before')
  await name.press('Enter')
  await name.press('Enter')
  release()
  await sees(page, 'Created the checkpoint “Before”')
  expect(count()).toBe(1)
  await page.context().close()
})

it('shows the field of a new passkey only where it stays when the rules arrive', async () => {
  const held = { path: /\/config$/, method: 'GET' }
  const { page, count, release } = await openHeld('#/rules', held)
  await page.reload()
  await expect.poll(count).toBeGreaterThan(0)
  await page.locator('main .waiting').first().waitFor({ state: 'attached' })
  const name = page.getByLabel('Name of the new passkey')
  const isEarly = await name.waitFor({ timeout: 1_000 }).then(
    () => true,
    () => false,
  )
  if (isEarly) await name.fill('Phone')
  release()
  await page.getByRole('form', { name: 'Rules' }).waitFor()
  if (!isEarly) await name.fill('Phone')
  expect(await name.inputValue()).toBe('Phone')
  await page.context().close()
})

/** The role, name and state of an element, as Chromium gives them to a screen reader. */
async function readAccessible(page: Page, selector: string) {
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', {
    expression: `document.querySelector(${JSON.stringify(selector)})`,
  })
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })
  const { role, name, properties = [] } = nodes[0] ?? {}
  const states = properties.map((each) => [each.name, each.value.value])
  return { role: role?.value, name: name?.value, ...Object.fromEntries(states) }
}

it('has a screen reader announce the title of a change that arrives after its heading has the focus', async () => {
  await putFile(server.url, '/docs/late.md', 'late')
  const { page, count, release } = await openHeld('#/activity', { path: /\/mcp$/, method: 'POST' })
  await page.getByRole('link', { name: 'Upload /docs/late.md' }).first().press('Enter')
  await expect.poll(count).toBeGreaterThan(0)
  const heading = () => readAccessible(page, 'main h1')
  const announced = { role: 'heading', focused: true, live: 'polite', atomic: true }
  await expect.poll(heading).toMatchObject({ ...announced, name: 'Change' })
  release()
  await expect.poll(heading).toMatchObject({ ...announced, name: 'Upload /docs/late.md' })
  await page.context().close()
})

it.each(['#/activity', '#/activity?outcome=all'])(
  'shows nothing of %s under a filter that was not answered',
  async (hash) => {
    await putFile(server.url, '/docs/a.md', 'a')
    const page = await visit(browser.open, server.url, hash)
    const entries = page.getByRole('link', { name: 'Upload /docs/a.md' })
    await entries.first().waitFor()
    await page.route(/\/(?:mcp|audit)(?:\?|$)/, (route) =>
      route.fulfill({ status: 500, json: { code: 'TROUBLE', message: 'It broke' } }),
    )
    const filter = page.getByLabel('File or folder')
    await filter.fill('/other')
    await filter.press('Enter')
    await sees(page, /Cannot read the (changes|entries)/)
    expect(await entries.count()).toBe(0)
    await page.context().close()
  },
)

it('says of a new app only what was checked, and checks it again', async () => {
  const page = await visit(browser.open, server.url, '#/apps')
  let count = 0
  const gate = Promise.withResolvers<void>()
  await page.route(/\/apps\/[^/]+\/preview$/, async (route) => {
    if (count++ > 0) return route.continue()
    await gate.promise
    await route.fulfill({ status: 503, json: { code: 'TROUBLE', message: 'It broke' } })
  })
  await goTo(page, '#/apps/new')
  const pane = page.getByRole('region', { name: 'Preview' })
  await pane.getByText('Loading…').waitFor({ state: 'attached' })
  expect(await pane.getByText('It changes nothing').count()).toBe(0)
  gate.resolve()
  await pane.getByText('Cannot check the settings').waitFor()
  expect(await pane.getByText('It changes nothing').count()).toBe(0)
  await pane.getByRole('button', { name: 'Try again' }).click()
  await pane.getByText(/^With .*\. It changes nothing\.$/).waitFor()
  await page.context().close()
})

it('reads the files of a preview again after it could not', async () => {
  await putFile(server.url, '/tasks/paint.md', '---\nstatus: todo\n---\n# Paint the fence\n')
  const page = await visit(browser.open, server.url, '#/apps')
  await page.route(/\/mcp$/, (route) => route.fulfill({ status: 503, json: { message: 'Away' } }))
  await goTo(page, '#/apps/new?data=/tasks/*.md')
  await appears(inApp(page).getByText('Away').first())
  await page.unrouteAll()
  await page.getByLabel('Title').fill('Another title')
  await appears(inApp(page).getByText('Paint the fence').first())
  await page.context().close()
})
