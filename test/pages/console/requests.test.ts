/** Access requests on the real page: a person allows, refuses and takes back, by mouse and by keyboard. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Page } from 'playwright'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser, type PageOptions } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import {
  goTo,
  putFile,
  sees,
  setConfig,
  settles,
  visit,
} from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

beforeEach(async () => {
  await setConfig(server.url, { roots: [{ path: '/docs' }] })
  for (const path of ['/other/a.md', '/other/b.md', '/secret/key'])
    await putFile(server.url, path, 'text')
})
afterEach(async () => {
  const { requests } = await listed()
  for (const { id } of requests) await decide(id)
  await setConfig(server.url, {})
})

const JSON_TYPE = { 'content-type': 'application/json' }

interface Listed {
  readonly requests: readonly { readonly id: string; readonly intent: string }[]
  readonly allowed: readonly { readonly id: string }[]
}

const listed = async () => (await (await fetch(`${server.url}/requests`)).json()) as Listed

const decide = (id: string) =>
  fetch(`${server.url}/requests/${id}/refuse`, {
    method: 'POST',
    headers: { ...JSON_TYPE, origin: server.url, 'sec-fetch-site': 'same-origin' },
    body: '{}',
  })

/** Makes a session link; answers its URL. */
async function linkOf(label: string): Promise<string> {
  const body = JSON.stringify({ label, ttl_seconds: 600 })
  const made = await fetch(`${server.url}/sessions`, { method: 'POST', headers: JSON_TYPE, body })
  return String(Reflect.get(Object(await made.json()), 'url'))
}

/** Calls a tool as an agent; answers its text. */
async function call(link: string, name: string, args: object): Promise<string> {
  const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream' }
  const params = { name, arguments: args }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return (await fetch(link, { method: 'POST', headers, body })).text()
}

const read = (link: string, path = '/other/a.md') => call(link, 'read_file', { path })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const open = (options: PageOptions = {}) => visit(browser.open, server.url, '#/waiting', options)

describe('an access request', () => {
  it('is allowed once, keeps its place, and is used up by the call', async () => {
    const link = await linkOf('Reader')
    await read(link)
    const page = await open()
    await sees(page, 'read everything in /other')
    await button(page, 'Allow once').click()
    await sees(page, 'Allowed once.')
    await sees(page, 'Allowed, and not used yet')
    expect(await read(link)).toContain('1: text')
    expect(await read(link)).toContain('PATH_OUTSIDE_ROOT')
  })

  it('is allowed for the session, and taken back under Sessions without ending it', async () => {
    const link = await linkOf('Session reader')
    await read(link)
    const page = await open()
    await button(page, 'Allow for this session').click()
    await sees(page, 'Allowed for its session.')
    expect(await read(link, '/other/b.md')).toContain('1: text')
    await goTo(page, '#/sessions')
    const card = page.getByRole('article', { name: 'Session reader' })
    await card.getByText('You also allowed it to').waitFor()
    await card.getByRole('button', { name: 'Take back read:file:/other' }).click()
    await card.getByText('You also allowed it to').waitFor({ state: 'detached' })
    expect(await read(link, '/other/b.md')).toContain('PATH_OUTSIDE_ROOT')
    await putFile(server.url, '/docs/mine.md', 'mine')
    expect(await read(link, '/docs/mine.md')).toContain('1: mine')
  })

  it('is allowed in the rules, after the page has shown what is added', async () => {
    const link = await linkOf('Rule reader')
    await read(link)
    const page = await open()
    await button(page, 'Allow in the rules…').click()
    await sees(page, '{"path":"/other","immutable":["**"]}')
    expect(await read(link)).toContain('PATH_OUTSIDE_ROOT')
    await button(page, 'Add to the rules').click()
    await sees(page, 'Added to the rules.')
    expect(await read(link)).toContain('1: text')
    const config: unknown = await (await fetch(`${server.url}/config`)).json()
    expect(config).toMatchObject({ roots: [{ path: '/docs' }, { path: '/other' }] })
  })

  it('says once that it cannot be decided, if another window has decided', async () => {
    const link = await linkOf('Twice asked')
    await read(link)
    const page = await open()
    await button(page, 'Allow once').waitFor()
    const { requests } = await listed()
    // Just before the decision arrives, because the page looks for changes by itself, too.
    await page.route(/\/allow$/, async (route) => {
      await decide(requests[0]?.id ?? '')
      await route.continue()
    })
    await button(page, 'Allow once').click()
    await sees(page, 'It no longer waits.')
    const fault = await page.getByRole('alert').textContent()
    expect(fault?.match(/Cannot decide/g)).toHaveLength(1)
  })

  it('is refused by keyboard alone, with a note that the agent reads', async () => {
    const link = await linkOf('Keyboard reader')
    await read(link)
    const page = await open({ viewport: { width: 400, height: 800 } })
    await page.getByText('Add a note to a refusal').press('Enter')
    await page.getByLabel('Note to the agent').fill('Use /docs.')
    await expect.poll(() => button(page, 'Refuse').isEnabled()).toBe(true)
    await button(page, 'Refuse').focus()
    await settles(page)
    await page.keyboard.press('Enter')
    await sees(page, 'Refused.')
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('outcome')
    expect(await call(link, 'draft_status', {})).toContain('Use /docs.')
  })

  it('does not move under the pointer when another one comes', async () => {
    const link = await linkOf('Hasty reader')
    await read(link)
    const page = await open()
    const first = button(page, 'Allow once').first()
    await first.waitFor()
    const before = await first.boundingBox()
    await read(link, '/secret/key')
    await button(page, 'Show 1 new').waitFor()
    expect(await page.getByRole('heading', { name: 'Read /secret/key' }).count()).toBe(0)
    expect(await first.boundingBox()).toEqual(before)
    await button(page, 'Show 1 new').click()
    await page.getByRole('heading', { name: 'Read /secret/key' }).waitFor()
    await expect.poll(() => first.isEnabled()).toBe(true)
    await first.dblclick()
    await sees(page, 'Allowed once.')
    const { requests, allowed } = await listed()
    expect([requests.length, allowed.length]).toEqual([1, 1])
    expect(requests[0]?.intent).toContain('/secret/key')
  })

  it('has no faults that axe finds', async () => {
    const link = await linkOf('Reader')
    await read(link)
    await call(link, 'write_file', { path: '/secret/key', content: 'x' })
    const page = await open()
    await button(page, 'Refuse').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    await button(page, 'Allow in the rules…').first().click()
    await button(page, 'Add to the rules').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
})
