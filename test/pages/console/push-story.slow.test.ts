/**
 * From an agent to a decision on a phone with the console closed: the device is turned on, three changes wait, the message that
 * the server sends to a push service is decrypted and delivered, and the press on its notification leads to the draft.
 *
 * The push service is `test/support/e2e/push-service.ts`; `test/support/pages/push.ts` says what the browser lacks. Screenshots
 * are written to the folder that `SCREENSHOTS` names.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { recordOf } from '#core/json.ts'
import type { Locator, Page } from 'playwright'
import { afterAll, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { Person, SECRET } from '../../support/e2e/person.ts'
import { startHere } from '../../support/e2e/product.ts'
import { createPushService, type Subscription } from '../../support/e2e/push-service.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, readAll, readText, sees, visit } from '../../support/pages/console-actions.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import {
  deliver,
  listShown,
  PERMITTED,
  prepareWorker,
  pressNotice,
  readBadge,
  subscribing,
} from '../../support/pages/push.ts'
import { button, PHONE, write } from '../../support/pages/waiting-drafts.ts'

const browser = useBrowser()
const cleanups: (() => unknown)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

/** A product in which every change waits, whose internet is a push service with one device. */
async function start(secret = '') {
  const service = createPushService()
  const data = temporaryFolder()
  cleanups.push(() => removeFolder(data))
  const variables = { EDGEWISE_CONFIG: '{"approval":"review"}', EDGEWISE_OWNER_SECRET: secret }
  const { url, stop } = await startHere(data, variables, service.serve)
  cleanups.push(stop)
  const person = new Person(secret)
  if (secret !== '') await person.signIn(url)
  const settings = async () => recordOf(await (await person.visit(`${url}/notifications`)).json())
  const device = service.subscribe(String((await settings())['key']))
  return { url, device, settings }
}

async function connectAgent(url: string, label: string): Promise<Client> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ label, ttl_seconds: 600 })
  const made = await fetch(`${url}/sessions`, { method: 'POST', headers, body })
  const link = recordOf(await made.json())
  const agent = new Client({ name: label, version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await agent.connect(new StreamableHTTPClientTransport(new URL(String(link['url']))))
  cleanups.push(() => agent.close())
  return agent
}

const lastMessage = ({ received }: Subscription) => received.at(-1)?.text ?? ''

async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

it('leads from a push to the draft, and from there to the decision', async () => {
  const { url, device } = await start()
  let taps = 0
  const tap = async (one: Locator) => {
    taps++
    await one.tap()
  }
  const init = PERMITTED + subscribing(device)
  const page = await visit(browser.open, url, '#/notifications', { ...PHONE, init })
  const here = page.getByRole('region', { name: 'This device' })
  await here.getByText('Off', { exact: true }).waitFor()
  await takeScreenshot(page, 'push-off')
  await here.getByRole('button', { name: 'Turn on' }).click()
  await here.getByText('On', { exact: true }).waitFor()
  await prepareWorker(page)
  await here.getByRole('button', { name: 'Send a test' }).tap()
  await here.getByText(/^Sent\./).waitFor()
  await deliver(page, lastMessage(device))
  await expect.poll(() => listShown(page)).toMatchObject([{ tag: 'test', url: '/' }])
  expect(await faultsOf(page)).toEqual([])
  await takeScreenshot(page, 'push-on')

  // The person closes the console, and an agent works.
  await page.goto(`${url}/icons/192.png`)
  const agent = await connectAgent(url, 'Writer')
  for (const name of ['one', 'two', 'three']) await write(agent, `/${name}.txt`, `${name}\n`)
  const proposed = performance.now()
  await expect.poll(() => device.received.length, { timeout: 60_000 }).toBe(2)
  const arrived = performance.now()
  await deliver(page, lastMessage(device))
  await expect.poll(() => listShown(page)).toHaveLength(2)
  const [, shown] = await listShown(page)
  expect(shown).toMatchObject({ tag: 'default', title: '3 changes wait for you' })
  expect(shown?.body).toContain('Writer')
  expect(shown?.url).toMatch(/^\/#\/waiting\/[\w-]+$/)
  expect(JSON.stringify(shown)).not.toMatch(/one|two|three|\.txt/)
  expect(await readBadge(page)).toBe(3)

  const begun = performance.now()
  taps = 1
  await page.goto(url + (await pressNotice(page, 'default')))
  await page.getByRole('heading', { name: 'Writer', level: 1 }).waitFor()
  await page.locator('.difflines tr').first().waitFor()
  await takeScreenshot(page, 'push-opened')
  await readAll(page)
  await tap(button(page, 'Approve all'))
  await sees(page, '3 changes approved and applied.')
  const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1)
  console.log(
    `${seconds(proposed, arrived)} seconds from the last change to the push; ` +
      `${taps} taps and ${seconds(begun, performance.now())} seconds from the push to the decision`,
  )
  expect(taps).toBe(2)
  expect(await readText(url, '/three.txt')).toBe('three\n')
  // The test stays, because it is about no workspace.
  await expect.poll(async () => (await listShown(page)).map(({ tag }) => tag)).toEqual(['test'])
  await page.context().close()
})

it('ends for a device on which the person signs out', async () => {
  const { url, device, settings } = await start(SECRET)
  const init = PERMITTED + subscribing(device)
  const page = await browser.open(`${url}/#/notifications`, { init })
  await page.getByLabel('Secret').fill(SECRET)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const here = page.getByRole('region', { name: 'This device' })
  await here.getByRole('button', { name: 'Turn on' }).click()
  await here.getByText('On', { exact: true }).waitFor()
  await prepareWorker(page)
  expect(await settings()).toMatchObject({ devices: [{ label: 'Chrome on Linux' }] })
  await goTo(page, '#/waiting')
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByRole('heading', { name: 'Sign in to your workspace' }).waitFor()
  expect(await settings()).toMatchObject({ devices: [] })
  const facts = await page.evaluate(async () => ({
    subscribed: localStorage.getItem('subscribed'),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }))
  expect(facts).toEqual({ subscribed: null, workers: 0 })
  await page.context().close()
})
