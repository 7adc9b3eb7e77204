/**
 * What waits, and a server that fails or no longer knows the person: the page says nothing that it has not read, goes
 * on by itself when the server does, and keeps what was written.
 */

import type { Page, Route } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, sees } from '../../support/pages/console-actions.ts'
import { button } from '../../support/pages/waiting-drafts.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

const JSON_TYPE = { 'content-type': 'application/json' }

let workspaces = 0

/** Opens the list of a new workspace, in which everything waits. */
async function openWorkspace() {
  const name = `/w/failing${workspaces++}`
  const base = server.url + name
  const body = JSON.stringify({ approval: 'review' })
  await (await fetch(`${base}/config`, { method: 'PUT', headers: JSON_TYPE, body })).text()
  await propose(base, '/a.md')
  const page = await browser.open(`${server.url}/?at=${name}/mcp#/waiting`)
  page.setDefaultTimeout(10_000)
  await sees(page, '1 change')
  return { base, page }
}

/** Writes a file as an agent without a session. */
async function propose(base: string, path: string): Promise<void> {
  const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream' }
  const params = { name: 'write_file', arguments: { path, content: 'new' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const answer = await fetch(`${base}/mcp`, { method: 'POST', headers, body })
  expect(await answer.text()).toContain('waits for approval')
}

const DRAFTS = /\/drafts(?:[/?]|$)/
const OWN_ROUTES = /\/(?:drafts|requests|apps|skills|notices|passkeys|status)(?:[/?]|$)/

const failing = (status: number) => (route: Route) =>
  route.fulfill({ status, json: { code: 'TROUBLE', message: 'It broke' } })

/** Lets routes fail; returns what ends it. They stay routed: a request that is under way while they end can hang. */
async function breakRoutes(page: Page, routes: RegExp, status: number): Promise<() => void> {
  let isBroken = true
  const fail = failing(status)
  await page.route(routes, (route) => (isBroken ? fail(route) : route.continue()))
  return () => (isBroken = false)
}

async function openDraft(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Drafts' }).getByRole('link').first().click()
  await button(page, 'Approve all').waitFor()
}

it('looks again by itself after it could not read what waits', async () => {
  const { base, page } = await openWorkspace()
  // Other pages do not look for changes of the workspace, so the list alone has to.
  await goTo(page, '#/tools')
  await page.clock.install()
  const refused = page.waitForResponse((answer) => answer.status() === 503)
  const mend = await breakRoutes(page, DRAFTS, 503)
  await page.clock.runFor(5_000)
  await refused
  mend()
  await propose(base, '/b.md')
  await page.clock.runFor(61_000)
  await expect.poll(() => page.title()).toBe('(2) Tools · Edgewise')
})

it('says of a draft only that the person is signed out, not that it was decided', async () => {
  const { page } = await openWorkspace()
  await openDraft(page)
  const mend = await breakRoutes(page, OWN_ROUTES, 401)
  await sees(page, WORDS.signedOut)
  expect(await page.getByText('This draft no longer waits').filter({ visible: true }).count()).toBe(
    0,
  )
  await goTo(page, '#/waiting')
  await sees(page, WORDS.signInToSee)
  expect(await page.locator('main .waiting').count()).toBe(0)
  mend()
  // The page may look again by itself before the button is pressed.
  await Promise.any([button(page, 'Try again').click(), sees(page, '1 change')])
  await sees(page, '1 change')
})

it('keeps the note to the agent until it was sent', async () => {
  const { page } = await openWorkspace()
  await openDraft(page)
  const turnDown = async (note?: string) => {
    await button(page, 'Turn down all…').click()
    if (note !== undefined) await page.getByLabel('Note to the agent').fill(note)
    await button(page, 'Turn down').click()
  }
  await expect
    .poll(() => button(page, 'Turn down all…').getAttribute('aria-disabled'))
    .toBe('false')
  const mend = await breakRoutes(page, /\/turn-down$/, 503)
  await turnDown('Use the other folder, please.')
  await sees(page, 'It broke. It is unknown whether')
  mend()
  const decision = page.getByRole('region', { name: 'Decision' })
  await decision.getByRole('button', { name: 'Show the current state' }).click()
  const sent = page.waitForRequest(/\/turn-down$/)
  await turnDown()
  expect((await sent).postData()).toContain('Use the other folder, please.')
  await sees(page, 'Nothing waits')
})

it('says of nothing that there is none, if the response has no list', async () => {
  const { page } = await openWorkspace()
  await page.route(OWN_ROUTES, (route) => route.fulfill({ status: 200, json: {} }))
  await page.reload()
  const faults = page.getByRole('alert')
  for (const what of [
    'what waits',
    'the passkeys',
    'the access requests',
    'the apps',
    'the skills',
  ])
    await faults.filter({ hasText: `Cannot read ${what}: The server returned` }).waitFor()
  await faults.filter({ hasText: 'Cannot read the applied changes' }).waitFor()
  expect(await page.getByText('Nothing waits').count()).toBe(0)
  await goTo(page, '#/rules')
  await sees(page, 'Cannot read the passkeys')
  expect(await page.getByText('There is no passkey').count()).toBe(0)
})

it('does not say that nothing waits beside a list that it could not read again', async () => {
  const { page } = await openWorkspace()
  await page.route(DRAFTS, (route) =>
    route.fulfill({ json: { waiting: 0, requests: 0, apps: 0, skills: 0, drafts: [] } }),
  )
  await sees(page, 'Nothing waits')
  await page.route(OWN_ROUTES, failing(503))
  await sees(page, 'Cannot read what waits')
  expect(await page.getByText('Nothing waits').count()).toBe(0)
})
