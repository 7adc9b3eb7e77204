/**
 * Pages of other origins against a person's browser: no forged request changes anything or signs out, and
 * they can read nothing. The same requests from our own page take effect.
 */

import type { BrowserContextOptions } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { Person, SECRET } from '../../support/e2e/person.ts'
import { useServer, type Server } from '../../support/e2e/server.ts'
import { startSite, use } from '../../support/pages/app-servers.ts'
import {
  onForeignHost,
  ownersBrowser,
  FOREIGN_HOSTS_FLAG,
} from '../../support/pages/attack-client.ts'
import {
  forgedRequestsFor,
  forge,
  forgery,
  READ_PATHS,
  submitForm,
} from '../../support/pages/forged-requests.ts'
import { useBrowser } from '../../support/pages/browser.ts'

const browser = useBrowser([FOREIGN_HOSTS_FLAG])

const site = use(() =>
  startSite((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end('<!doctype html><title>A page</title><body></body>')
  }),
)

const HEADERS = { 'x-edgewise-console': '1', 'content-type': 'application/json' }

/** A fetch with full access. */
type Visitor = (path: string, init?: RequestInit) => Promise<Response>

/** All state that a forged request could change, and the audit log. */
async function stateOf(visit: Visitor): Promise<string> {
  const paths = ['/files/', '/files/kept.txt', '/config', '/audit', '/w/other/files/']
  const texts = await Promise.all(paths.map(async (path) => (await visit(path)).text()))
  return [...texts, ...(await sessionsOf(visit))].join('\n')
}

async function sessionsOf(visit: Visitor): Promise<string[]> {
  const listed: unknown = await (await visit('/sessions')).json()
  const sessions: unknown = Reflect.get(Object(listed), 'sessions')
  return Array.isArray(sessions)
    ? sessions.map((one) => String(Reflect.get(Object(one), 'id')))
    : []
}

/** Something to lose; answers the id of a session. */
async function prepare(visit: Visitor): Promise<string> {
  const put = { method: 'PUT', body: 'kept', headers: HEADERS }
  expect((await visit('/files/kept.txt', put)).ok).toBe(true)
  const body = JSON.stringify({ label: 'Kept', ttl_seconds: 3600 })
  expect((await visit('/sessions', { method: 'POST', body, headers: HEADERS })).ok).toBe(true)
  const [session = ''] = await sessionsOf(visit)
  expect(session).not.toBe('')
  return session
}

interface Product {
  readonly server: Server
  readonly visit: Visitor
  /** The browser of the person. */
  readonly person: () => Promise<BrowserContextOptions>
}

/** The name of an attacking page, and its URL once it is started. */
type Origin = readonly [name: string, url: () => string]

function attacks({ server, visit, person }: Product, origins: readonly Origin[]): void {
  let session = ''
  let before = ''
  beforeAll(async () => {
    session = await prepare(visit)
    before = await stateOf(visit)
  })

  it.each(origins)('sends requests by script, from %s', async (_, origin) => {
    const page = await browser.open(origin(), await person())
    let sent = 0
    page.on('request', (request) => {
      if (request.url().startsWith(server.url)) sent++
    })
    expect(await page.evaluate(forge, forgery(server.url, session))).toEqual([])
    expect(sent).toBeGreaterThan(200)
    expect(await stateOf(visit)).toBe(before)
    await page.context().close()
  })

  it.each(origins)('navigates and submits forms, from %s', async (_, origin) => {
    const page = await browser.open(origin(), await person())
    for (const { method, path, body = '' } of forgedRequestsFor(session)) {
      if (method !== 'POST') continue
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        await page.goto(origin())
        const arriving = page.waitForResponse((answer) => answer.url() === server.url + path)
        await page.evaluate(submitForm, [server.url + path, body, type] as const)
        expect((await arriving).status(), `${path} ${type}`).toBeGreaterThanOrEqual(400)
        await page.waitForURL(server.url + path)
      }
    }
    for (const path of READ_PATHS) {
      const url = server.url + path
      const arriving = page.context().waitForEvent('response', (answer) => answer.url() === url)
      await page.goto(origin())
      await page.evaluate((to) => void window.open(to, '_blank', 'noopener'), url)
      await arriving
    }
    expect(await stateOf(visit)).toBe(before)
    await page.goto(`${server.url}/#/sessions`)
    await page.getByRole('article', { name: 'Kept' }).waitFor()
    await page.context().close()
  })

  it('takes effect from the console itself', async () => {
    const page = await browser.open(server.url, await person())
    const put = (headers: Record<string, string>) =>
      page.evaluate(async (init) => (await fetch('/files/own.txt', init)).status, {
        method: 'PUT',
        body: 'own',
        headers,
      })
    expect(await put({ 'x-edgewise-console': '1' })).toBe(201)
    expect(await stateOf(visit)).not.toBe(before)
    await page.context().close()
  })
}

const FOREIGN_SITE: Origin = ['another site', () => onForeignHost(site().url)]
const NEIGHBOUR: Origin = ['another port', () => site().url]
const TWIN: Origin = ['another name of this machine', () => onForeignHost(site().url, '127.0.0.1')]

describe('a product on this machine', () => {
  const server = useServer()
  const visit: Visitor = (path, init) => fetch(server.url + path, init)
  attacks({ server, visit, person: async () => ({}) }, [FOREIGN_SITE, NEIGHBOUR, TWIN])
})

describe('an owner who is signed in', () => {
  const server = useServer({ EDGEWISE_OWNER_SECRET: SECRET })
  const owner = new Person()
  beforeAll(async () => void (await owner.signIn(server.url)))
  const visit: Visitor = (path, init) => owner.visit(server.url + path, init)
  attacks({ server, visit, person: () => ownersBrowser(server.url) }, [
    FOREIGN_SITE,
    NEIGHBOUR,
    TWIN,
  ])
})
