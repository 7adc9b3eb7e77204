/** Signing in, in real pages: in a popup, by leaving and coming back, and for more scopes. */

import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { startOAuthGateway, type OAuthGateway } from '../../support/pages/oauth-gateway.ts'
import { bundleScript, visit } from '../../support/pages/host-modules.ts'

const server = useServer()
const browser = useBrowser()
let gateway: OAuthGateway
let page: Page
let context: BrowserContext

beforeAll(async () => {
  gateway = await startOAuthGateway(server.url)
  const script = await bundleScript('test/support/host/connection-driver.ts')
  page = await browser.open('about:blank', { bypassCSP: true })
  context = page.context()
  // Every page of the console completes a sign-in on return, popups too.
  await context.addInitScript(`${script}; globalThis.landing = visits.landed()`)
  await page.goto(server.url)
})

afterAll(() => gateway.stop())

const go = (name: string, argument?: unknown) => visit(page, name, argument)

it('reports that the server requires signing in', async () => {
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

it('stores no token where it would outlive the tab', async () => {
  const kept = String(await go('kept'))
  for (const token of gateway.tokens) expect(kept).not.toContain(token)
})

it('requests more scopes if a call needs them, and repeats the call', async () => {
  gateway.log.length = 0
  const args = { path: 'signed.txt', content: 'in' }
  expect(await go('call', { name: 'write_file', args })).toMatchObject({ isError: false })
  expect(gateway.log).toEqual(['authorize read write', 'token authorization_code'])
})

it('signs in once for requests that need it at the same time', async () => {
  await go('signOut', gateway.url)
  await go('signIn', { url: gateway.url, mode: 'popup' })
  gateway.log.length = 0
  const write = (path: string) => go('call', { name: 'write_file', args: { path, content: 'in' } })
  const results = await Promise.all(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(write))
  for (const result of results) expect(result).toMatchObject({ isError: false })
  expect(gateway.log).toEqual(['authorize read write', 'token authorization_code'])
})

it('uses the stored token, and signs out', async () => {
  gateway.log.length = 0
  expect(await go('signIn', { url: gateway.url, mode: 'popup' })).toBeGreaterThan(5)
  expect(gateway.log).toEqual([])
  expect(await go('signOut', gateway.url)).toBe(false)
})

it('leaves the page and returns signed in', async () => {
  const left = go('signIn', { url: gateway.url, mode: 'redirect' }).catch(() => 'left')
  expect(await left).toBe('left')
  const landing = () => page.evaluate('landing').catch(() => null)
  await expect.poll(landing).toEqual({ server: gateway.url, ok: true })
  expect(new URL(page.url()).search).toBe('')
  expect(await go('signIn', { url: gateway.url, mode: 'redirect' })).toBeGreaterThan(5)
})

it('reports that the sign-in was refused', async () => {
  await go('signOut', gateway.url)
  gateway.refuse = true
  expect(
    await page.evaluate(
      `visits.signIn(${JSON.stringify({ url: gateway.url, mode: 'popup' })}).catch((error) => error.problem.kind)`,
    ),
  ).toBe('unauthorized')
})
