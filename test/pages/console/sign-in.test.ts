/** The console of a product that has an owner: everything in it works with the cookie, and only with it. */

import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { Person, SECRET } from '../../support/e2e/person.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser, type PageOptions } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { goTo, sees, toolLink } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer({ EDGEWISE_OWNER_SECRET: SECRET })
const browser = useBrowser()

/** Fills in the form that is shown. */
async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Secret').fill(SECRET)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.dot.ready').first().waitFor({ state: 'attached' })
}

async function visit(options: PageOptions = {}): Promise<Page> {
  const page = await browser.open(`${server.url}/`, options)
  expect(new URL(page.url()).pathname).toBe('/signin')
  await signIn(page)
  return page
}

/** Reads a path with the cookie of the browser, if it has one. */
async function read(page: Page, path: string) {
  const answer = await page.context().request.get(server.url + path)
  return { status: answer.status(), text: await answer.text() }
}

const signedIn = (page: Page) => page.getByText('Signed in as the owner').first()

it('signs in by the form, edits by tools, and signs out', async () => {
  const page = await visit()
  expect(new URL(page.url()).pathname).toBe('/')
  await signedIn(page).waitFor()
  await goTo(page, toolLink('write_file', { path: '/plan.md', content: 'one\n' }))
  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, WORDS.previewed)
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, WORDS.applied)
  expect(await read(page, '/files/plan.md')).toEqual({ status: 200, text: 'one\n' })

  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByRole('heading', { name: 'Sign in to your workspace' }).waitFor()
  expect((await read(page, '/files/plan.md')).status).toBe(401)
  await page.context().close()
})

it('imports, exports, saves rules and makes links', async () => {
  const page = await visit()
  await goTo(page, '#/?do=import')
  const files = [{ name: 'in.txt', mimeType: 'text/plain', buffer: Buffer.from('in\n') }]
  await page.getByLabel('Choose files or an archive').setInputFiles(files)
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await sees(page, /1 file imported/)
  await page.getByRole('button', { name: 'Done' }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe('workspace.tar')

  await goTo(page, '#/rules')
  await page.getByLabel('Approval', { exact: true }).selectOption({ label: 'confirm' })
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await sees(page, /The rules were saved/)
  expect(JSON.parse((await read(page, '/config')).text)).toMatchObject({ approval: 'confirm' })

  await goTo(page, '#/sessions?do=new')
  await page.getByLabel(WORDS.agentName).fill('Helper')
  await page.getByRole('button', { name: WORDS.makeLink }).click()
  await sees(page, WORDS.linkShownOnce)
  await page.getByRole('button', { name: WORDS.copiedLink }).click()
  await page.getByRole('article', { name: 'Helper' }).getByText('link', { exact: true }).waitFor()

  await goTo(page, '#/files/browser')
  const app = page.locator('mcp-view').frameLocator('iframe').frameLocator('iframe')
  await app.getByText('in.txt').first().waitFor()
  await page.context().close()
})

it('reports a missing cookie, and returns to the previous page', async () => {
  const page = await visit()
  await goTo(page, '#/activity?outcome=all')
  await sees(page, /The audit log is intact/)
  await page.context().clearCookies()
  await goTo(page, toolLink('list_roots', {}))
  await page.getByRole('button', { name: 'Run' }).click()
  await sees(page, WORDS.signedOut)
  expect(await signedIn(page).count()).toBe(0)

  await goTo(page, '#/sessions')
  await sees(page, WORDS.signInToSee)
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await signIn(page)
  await signedIn(page).waitFor()
  expect(new URL(page.url()).hash).toBe('#/sessions')
  expect(await page.getByText(WORDS.signedOut).count()).toBe(0)
  await page.context().close()
})

it.each(['light', 'dark'] as const)('is accessible signed in and out, in %s', async (scheme) => {
  const page = await visit({ colorScheme: scheme })
  await goTo(page, '#/sessions')
  await signedIn(page).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.context().clearCookies()
  await goTo(page, '#/rules')
  await sees(page, WORDS.signedOut)
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 400, height: 800 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(400)
  await page.context().close()
})

it('continues after signing in again in another tab', async () => {
  const page = await visit()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Sessions', exact: true }).first().click()
  await sees(page, WORDS.signedOut)
  const other = await page.context().newPage()
  await other.goto(server.url)
  await signIn(other)
  const isSignedIn = () => expect.poll(() => page.getByText(WORDS.signedOut).count()).toBe(0)
  // The page may look again by itself before the button is pressed.
  await Promise.any([page.getByRole('button', { name: 'Try again' }).click(), isSignedIn()])
  await isSignedIn()
  await goTo(page, toolLink('list_roots', {}))
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('tabpanel').first().waitFor()
  await page.context().close()
})

it('shows sign-ins, and revokes them', async () => {
  const token = await clientSignsIn('Notes helper')
  const call = () =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(INITIALIZE),
    }).then(({ status }) => status)
  expect(await call()).toBe(200)

  const page = await visit()
  await goTo(page, '#/sessions')
  const session = page.getByRole('article', { name: 'Notes helper' }).first()
  await session.getByText('signed in', { exact: true }).waitFor()
  await session.getByText('May read /notes.').waitFor()
  await session.getByRole('button', { name: 'Revoke' }).click()
  const question = page.getByRole('alertdialog')
  expect(await question.textContent()).toContain('until you let it sign in again')
  await question.getByRole('button', { name: 'Revoke' }).click()
  await sees(page, '“Notes helper” was revoked')
  expect(await call()).toBe(401)
  await page.context().close()
})

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'notes', version: '1' },
  },
}

const CALLBACK = 'http://localhost:9/callback'

/** A client's OAuth flow, step by step: registration, consent, token. */
async function clientSignsIn(name: string): Promise<string> {
  const ask = async (path: string, headers: Record<string, string>, body: string) =>
    Object(await (await fetch(server.url + path, { method: 'POST', headers, body })).json())
  const json = { 'content-type': 'application/json' }
  const wish = { client_name: name, redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
  const { client_id: client } = await ask('/oauth/register', json, JSON.stringify(wish))
  const verifier = randomBytes(32).toString('base64url')
  const shared = { client_id: String(client), redirect_uri: CALLBACK }
  const authorize = new URLSearchParams({
    ...shared,
    response_type: 'code',
    state: 'here',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const back = await new Person().consent(new URL(`${server.url}/authorize?${authorize}`), {
    allow: true,
    actions: ['read'],
    folder: '/notes',
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const grant = new URLSearchParams({
    ...shared,
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
  })
  const { access_token: token } = await ask('/oauth/token', form, grant.toString())
  return String(token)
}
