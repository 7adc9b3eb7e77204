/** Signing in, in real pages: in a popup, by leaving and coming back, and for more scopes. */

import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { startGateway, type Gateway } from './gateway.ts'
import { scriptOf, visit } from './visit.ts'

const server = useServer()
const browser = useBrowser()
let gateway: Gateway
let page: Page
let context: BrowserContext

beforeAll(async () => {
  gateway = await startGateway(server.url)
  const script = await scriptOf('test/host/connection-drive.ts')
  page = await browser.open('about:blank', { bypassCSP: true })
  context = page.context()
  // Every page of the console knows what to do when somebody comes back, popups too.
  await context.addInitScript(`${script}; globalThis.landing = visits.landed()`)
  await page.goto(server.url)
})

afterAll(() => gateway.stop())

const go = (name: string, argument?: unknown) => visit(page, name, argument)

it('says that it has to be signed in to', async () => {
  expect(await go('problem', { url: gateway.url })).toMatchObject({ kind: 'unauthorized' })
})

it('signs in in a popup, which then closes', async () => {
  const popup = context.waitForEvent('page')
  expect(await go('signIn', { url: gateway.url, mode: 'popup' })).toBeGreaterThan(5)
  const opened = await popup
  if (!opened.isClosed()) await opened.waitForEvent('close')
  expect(await go('signedIn', gateway.url)).toBe(true)
  expect(gateway.log).toEqual(['register', 'authorize read', 'token authorization_code'])
})

it('keeps no token where it would outlive the tab', async () => {
  const kept = String(await go('kept'))
  for (const token of gateway.tokens) expect(kept).not.toContain(token)
})

it('asks for more when a call needs more, and makes it then', async () => {
  gateway.log.length = 0
  const args = { path: 'signed.txt', content: 'in' }
  expect(await go('call', { name: 'write_file', args })).toMatchObject({ isError: false })
  expect(gateway.log).toEqual(['authorize read write', 'token authorization_code'])
})

it('uses what it has, and signs out', async () => {
  gateway.log.length = 0
  expect(await go('signIn', { url: gateway.url, mode: 'popup' })).toBeGreaterThan(5)
  expect(gateway.log).toEqual([])
  expect(await go('signOut', gateway.url)).toBe(false)
})

it('leaves the page and comes back signed in', async () => {
  const left = go('signIn', { url: gateway.url, mode: 'redirect' }).catch(() => 'left')
  expect(await left).toBe('left')
  const landing = () => page.evaluate('landing').catch(() => null)
  await expect.poll(landing).toEqual({ server: gateway.url, ok: true })
  expect(new URL(page.url()).search).toBe('')
  expect(await go('signIn', { url: gateway.url, mode: 'redirect' })).toBeGreaterThan(5)
})

it('says when the person was refused', async () => {
  await go('signOut', gateway.url)
  gateway.refuse = true
  expect(
    await page.evaluate(
      `visits.signIn(${JSON.stringify({ url: gateway.url, mode: 'popup' })}).catch((error) => error.problem.kind)`,
    ),
  ).toBe('unauthorized')
})
