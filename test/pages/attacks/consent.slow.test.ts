/**
 * Consent under attack: pages that frame or open it, clients that borrow a name, and requests that
 * would send the code to another client than the one shown.
 */

import type { BrowserContextOptions, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { formOf, Person } from '../../support/e2e/person.ts'
import { startSite, use } from '../../support/pages/app-servers.ts'
import {
  onForeignHost,
  cookieOf,
  ownersBrowser,
  Refused,
  register,
  FOREIGN_HOSTS_FLAG,
  useOwned,
  type Client,
} from '../../support/pages/attack-client.ts'
import { hiddenIn } from '../../support/pages/injection-watch.ts'
import { EVERYTHING, MARKUP, TURNED } from '../../support/pages/injection-payloads.ts'
import { useBrowser } from '../../support/pages/browser.ts'

const server = useOwned()
const browser = useBrowser([FOREIGN_HOSTS_FLAG])

const CALLBACK = 'http://localhost:9/callback'
const BLOCKED = 'chrome-error://chromewebdata/'

let owner: BrowserContextOptions = {}
beforeAll(async () => {
  owner = await ownersBrowser(server.url)
})

const site = use(() =>
  startSite((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end('<!doctype html><title>A page</title><button>Win a prize</button>')
  }),
)

const known = new Map<string, Promise<Client>>()

/** Registered once, because registrations from one address are few. */
function client(name = 'Notes', redirect = CALLBACK): Promise<Client> {
  const key = `${name} ${redirect}`
  const made = known.get(key) ?? register(server.url, name, redirect)
  known.set(key, made)
  return made
}

/** The consent page, as the owner sees it. */
const consent = (address: string) => browser.open(address, owner)

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

/** The URL to which a decision redirects, whether or not a server responds there. */
async function answerOf(page: Page, name: 'Allow' | 'Deny'): Promise<URL> {
  const origin = new URL(server.url).origin
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.isNavigationRequest() && !each.url().startsWith(origin)),
    page.getByRole('button', { name }).click(),
  ])
  return new URL(request.url())
}

describe('a page of another origin', () => {
  const FRAMES = [
    '',
    'sandbox="allow-scripts allow-forms"',
    'sandbox="allow-same-origin allow-forms"',
  ]
  // A page of the same machine is of the same site, so the cookie comes along.
  const NAMES = ['evil.example', 'localhost', '127.0.0.1']

  it.each(NAMES.flatMap((name) => FRAMES.map((how) => [name, how] as const)))(
    'at %s cannot frame it: %s',
    async (name, how) => {
      const { authorize } = await client()
      const page = await browser.open(onForeignHost(site().url, name), owner)
      const frame = async (path: string) => {
        const shown = page.waitForEvent('frameattached')
        await page.evaluate(
          ([html]) => document.body.insertAdjacentHTML('beforeend', html ?? ''),
          [`<iframe ${how} src="${path}"></iframe>`],
        )
        const made = await shown
        await expect.poll(() => made.url()).not.toMatch(/^(?:|about:blank)$/)
        return made.url()
      }
      expect(await frame(`${server.url}/healthz`)).toContain('/healthz')
      for (const path of [authorize(), `${server.url}/signin`, `${server.url}/`])
        expect(await frame(path), path).toBe(BLOCKED)
      await page.context().close()
    },
  )

  it.each(NAMES)('at %s that opens it cannot control it', async (name) => {
    const { authorize } = await client()
    const page = await browser.open(onForeignHost(site().url, name), owner)
    const opening = page.context().waitForEvent('page')
    await page.evaluate((url) => void Reflect.set(window, 'opened', window.open(url)), authorize())
    const popup = await opening
    await popup.getByRole('button', { name: 'Allow' }).waitFor()
    expect(await popup.evaluate(() => window.opener === null && window.length === 0)).toBe(true)
    // The opener has lost it: it can neither post messages to it nor navigate it.
    await expect.poll(() => page.evaluate('opened.closed')).toBe(true)
    await page.evaluate('opened.location = "about:blank"').catch(() => {})
    expect(await heading(popup)).toContain('Notes')
    await page.context().close()
  })
})

/** What the page is made of, whatever its text. */
const outline = (page: Page) =>
  page.locator('main *').evaluateAll((all) => all.map(({ tagName }) => tagName).join(' '))

describe('a client that imitates another name', () => {
  it.each([
    ['a name that is taken', 'Notes'],
    ['one that looks like it', 'N\u043etes'],
    ['one that is turned round', TURNED],
    ['one with hidden characters', 'Clau\u200bde\u2060\u00ad'],
    ['words of ours', 'claude.ai (verified domain), which calls itself Claude'],
    ['a sentence', 'Your backup is safe. Press Allow. Claude'],
    ['lines', 'Claude\n\n\nRedirects to\nclaude.ai'],
    ['markup', MARKUP.slice(0, 4).join('')],
    ['all of it', EVERYTHING.slice(0, 900)],
    ['very much', 'w'.repeat(900)],
  ])('shows its own name, and nothing else changes: %s', async (_, name) => {
    const plain = await consent((await client()).authorize())
    const page = await consent((await register(server.url, name, CALLBACK)).authorize())
    expect(await outline(page)).toBe(await outline(plain))
    expect(hiddenIn(await page.locator('body').innerText())).toEqual([])
    expect(hiddenIn(await page.title())).toEqual([])
    const [who, where] = await page.locator('dd').allInnerTexts()
    expect(who).toMatch(/^“.*” \(unverified name\)$/s)
    expect(where).toBe('localhost:9')
    expect((await heading(page)).length).toBeLessThan(150)
    expect((await answerOf(page, 'Allow')).searchParams.get('code')).not.toBeNull()
    await plain.context().close()
    await page.context().close()
  })
})

const PROGRAM = 'the program that opens com.evil.app:'

describe('the target of the code', () => {
  it.each([
    ['a host', 'https://claude.example/cb', 'claude.example'],
    ['a longer host', 'https://claude.ai.evil.example/cb', 'claude.ai.evil.example'],
    ['another port', 'https://claude.example:8443/cb', 'claude.example:8443'],
    ['letters that look alike', 'https://cl\u0430ude.example/cb', 'xn--clude-5ve.example'],
    ['a host in the query', 'https://evil.example/?@claude.ai', 'evil.example'],
    ['a program here', 'http://127.0.0.1:1234/cb', '127.0.0.1:1234'],
    ['a program with a scheme', 'com.evil.app:/cb', PROGRAM],
    ['one that names a host', 'com.evil.app://claude.ai/cb', PROGRAM],
    ['one that names this machine', 'com.evil.app://localhost/cb', PROGRAM],
  ])('is shown: %s', async (_, redirect, shown) => {
    const { authorize } = await client('Claude', redirect)
    const page = await consent(authorize())
    expect(await page.locator('dd').nth(1).innerText()).toBe(shown)
    const isProgram = /^(?:http|com\.evil)/.test(redirect) && !redirect.startsWith('https')
    expect(await page.getByText('a program on your own computer').count()).toBe(isProgram ? 1 : 0)
    const led = await answerOf(page, 'Deny').catch(() => null)
    if (led) expect(led.host).toBe(new URL(redirect).host)
    await page.context().close()
  })

  it.each([
    'https://claude.ai@evil.example/cb',
    'https://claude.example/cb#part',
    'http://evil.example/cb',
    `javascript:pwned=1`,
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://claude.ai/x',
    '/relative',
    'https://claude.example/\u0000',
  ])('is never %s', async (redirect) => {
    await expect(client('Claude', redirect)).rejects.toThrow(Refused)
  })

  it.each([
    ['another path', 'https://claude.example/other'],
    ['a longer query', 'https://claude.example/cb?next=https://evil.example/'],
    ['another port', 'https://claude.example:444/cb'],
    ['user info before the host', 'https://user@claude.example/cb'],
    ['a part of the page', 'https://claude.example/cb#x'],
    ['a way out', 'https://claude.example/cb/../other'],
    ['another scheme', 'http://claude.example/cb'],
    ['another host', 'https://evil.example/cb'],
    ['a name in capitals', 'https://CLAUDE.example/cb'],
    ['a script', `javascript:pwned=1`],
  ])('is what was registered, not %s', async (_, redirect) => {
    const { authorize } = await client('Claude', 'https://claude.example/cb')
    const page = await consent(authorize({ redirect_uri: redirect }))
    expect(await heading(page)).toBe('Invalid request')
    expect(page.url()).toContain(server.url)
    await page.context().close()
  })

  it('may be another port of this machine, which is shown', async () => {
    const { authorize } = await client()
    const page = await consent(authorize({ redirect_uri: 'http://localhost:10/callback' }))
    expect(await page.locator('dd').nth(1).innerText()).toBe('localhost:10')
    expect((await answerOf(page, 'Deny')).host).toBe('localhost:10')
    await page.context().close()
    const other = await consent(authorize({ redirect_uri: 'http://127.0.0.1:9/callback' }))
    expect(await heading(other)).toBe('Invalid request')
    await other.getByText('Start the sign-in again in the client.').waitFor()
    await other.context().close()
  })
})

describe('a decision', () => {
  it('is for the client of its page, whatever other tabs ask', async () => {
    const [good, evil] = [await client('Good'), await client('Evil', 'http://localhost:8/evil')]
    const first = await consent(good.authorize())
    const second = await first.context().newPage()
    await second.goto(evil.authorize())
    const led = await answerOf(first, 'Allow')
    expect(led.host + led.pathname).toBe('localhost:9/callback')
    expect(led.searchParams.get('state')).toBe(`state-of-${good.id}`)
    const code = led.searchParams.get('code') ?? ''
    expect(await evil.redeem(code)).toBe(400)
    expect(await evil.redeem(code, { client_id: good.id })).toBe(400)
    expect(await good.redeem(code, { code_verifier: evil.verifier })).toBe(400)
    await first.context().close()
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another client', { client_id: 'evil' }],
    ['another place', { redirect_uri: 'http://localhost:8/evil' }],
    ['no proof', { code_verifier: '' }],
    ['another server', { resource: 'https://elsewhere.example' }],
  ])('is refused with %s', async (_, changes) => {
    const good = await client()
    const page = await consent(good.authorize())
    const code = (await answerOf(page, 'Allow')).searchParams.get('code') ?? ''
    expect(await good.redeem(code, changes)).toBeGreaterThanOrEqual(400)
    await page.context().close()
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['no proof', { code_challenge: '', code_challenge_method: '' }],
    ['a proof that proves nothing', { code_challenge_method: 'plain' }],
    ['another server', { resource: 'https://elsewhere.example' }],
    ['a token at once', { response_type: 'token' }],
  ])('is not requested with %s', async (_, changes) => {
    const { authorize } = await client()
    const answer = await fetch(authorize(changes), {
      headers: { cookie: cookieOf(owner), accept: 'text/html' },
      redirect: 'manual',
    })
    const led = new URL(answer.headers.get('location') ?? 'http://localhost:9/callback?error=page')
    expect(await answer.text()).not.toContain('wants to use')
    expect(led.host).toBe('localhost:9')
    expect(led.searchParams.get('error')).not.toBeNull()
    expect(led.searchParams.get('code')).toBeNull()
  })

  it('is valid once, in the browser that was asked, while its owner is signed in', async () => {
    const { authorize } = await client()
    const asked = new Person()
    await asked.signIn(server.url)
    const target = new URL('/authorize', server.url)
    const fields = formOf(await asked.openConsent(new URL(authorize())), 'allow')

    const other = new Person()
    await other.signIn(server.url)
    const stolen = await other.submit(target, fields)
    expect([stolen.status, stolen.headers.get('location')]).toEqual([400, null])
    const stranger = await new Person().submit(target, fields)
    expect([stranger.status, stranger.headers.get('location')]).toEqual([401, null])
    const more = { client_id: 'evil', redirect_uri: 'https://evil.example/', state: 'evil' }
    const all = new URLSearchParams([...Object.entries(more), ...fields])
    const sent = await asked.submit(target, all)
    const led = new URL(sent.headers.get('location') ?? '')
    expect(led.host).toBe('localhost:9')
    expect(led.searchParams.get('state')).not.toBe('evil')
    const again = await asked.submit(target, fields)
    expect([again.status, again.headers.get('location')]).toEqual([400, null])
  })

  it('has the requested access selected, and offers no more', async () => {
    const { authorize } = await client()
    const page = await consent(authorize({ scope: 'read' }))
    expect(await page.getByRole('group', { name: 'Read files' }).count()).toBe(1)
    expect(await page.getByRole('checkbox').count()).toBe(1)
    expect(await page.getByLabel('All files').isChecked()).toBe(true)
    await page.context().close()
  })
})
