/** A link out of our pages sends no Referer: no path, no query, no secret. */

import { beforeAll, describe, expect, it } from 'vitest'
import type { BrowserContextOptions, Page } from 'playwright'
import { startSite, use } from '../../support/pages/app-servers.ts'
import { cookieOf, ownersBrowser, register, useOwned } from '../../support/pages/attack-client.ts'
import { startHostileServer, type Foreign } from '../../support/pages/hostile-server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, toolLink } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useOwned()
const browser = useBrowser()

/** The Referer of each request, by its path. */
const referers = new Map<string, string | undefined>()

const recorder = use(() =>
  startSite(({ url = '', headers }, response) => {
    referers.set(new URL(url, 'http://recorder').pathname, headers.referer)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>Thank you')
  }),
)

const careless = use(() =>
  startSite((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': 'unsafe-url' })
    response.end('<!doctype html>A page')
  }),
)

let owner: BrowserContextOptions = {}
beforeAll(async () => {
  owner = await ownersBrowser(server.url)
  const headers = {
    'x-edgewise-console': '1',
    'content-type': 'application/json',
    cookie: cookieOf(owner),
  }
  const put = { method: 'PUT', body: '{}', headers }
  expect((await fetch(`${server.url}/files/secret-name.json`, put)).ok).toBe(true)
})

/** Leaves a page as a link in it would; returns the Referer that the target received. */
async function leave(page: Page, name: string): Promise<string | undefined> {
  const target = `${recorder().url}/${name}`
  await page.evaluate((url) => void (location.href = url), target)
  await expect.poll(() => referers.has(`/${name}`)).toBe(true)
  return referers.get(`/${name}`)
}

it('is recorded from a page that sends it', async () => {
  const page = await browser.open(`${careless().url}/secret?token=1`)
  expect(await leave(page, 'careless')).toBe(`${careless().url}/secret?token=1`)
  await page.context().close()
})

describe('no page sends a Referer', () => {
  it.each([
    ['console', '/?server=secret#/tools'],
    ['sign-in', '/signin?to=%2F%3Fsecret'],
    ['refusal', '/authorize?client_id=secret'],
  ])('%s', async (name, path) => {
    const page = await browser.open(server.url + path, name === 'sign-in' ? {} : owner)
    expect(await leave(page, name)).toBeUndefined()
    await page.context().close()
  })

  it('consent, before and after the answer', async () => {
    const { authorize } = await register(server.url, 'Notes', `${recorder().url}/callback`)
    const page = await browser.open(authorize({ state: 'secret' }), owner)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Thank you').waitFor()
    expect(new URL(page.url()).searchParams.get('code')).not.toBeNull()
    expect([...referers]).toContainEqual(['/callback', undefined])
    await page.goto(authorize({ state: 'secret' }))
    expect(await leave(page, 'consent')).toBeUndefined()
    await page.context().close()
  })
})

it('a stored file sends only its origin as Referer', async () => {
  const page = await browser.open(`${server.url}/files/secret-name.json`, owner)
  expect([undefined, `${server.url}/`]).toContain(await leave(page, 'file'))
  await page.context().close()
})

describe('a page that the console opens', () => {
  let foreign: Foreign | undefined
  beforeAll(async () => {
    foreign = await startHostileServer(`${recorder().url}/opened`)
    return () => foreign?.close()
  })

  it('gets no Referer and no opener', async () => {
    const page = await browser.open(`${server.url}/#/connect`, owner)
    await page.getByLabel('Address').fill(foreign?.url ?? '')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('link', { name: 'Tools', exact: true }).first().waitFor()
    await goTo(page, toolLink('open_good', {}))
    await page.getByRole('button', { name: 'Run…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: WORDS.runAnyway }).click()
    const opening = page.context().waitForEvent('page')
    await page.getByRole('button', { name: WORDS.openPage }).click()
    const opened = await opening
    await opened.getByText('Thank you').waitFor()
    expect([...referers]).toContainEqual(['/opened', undefined])
    expect(await opened.evaluate(() => window.opener)).toBeNull()
    await page.context().close()
  })
})
