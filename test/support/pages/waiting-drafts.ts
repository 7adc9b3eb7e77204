/**
 * Agents whose changes wait for a person, and the pages on which a person decides.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright'
import { afterEach, beforeEach, expect } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { useBrowser, type PageOptions } from './browser.ts'
import { setConfig, visit } from './console-actions.ts'

/** The window of a phone. */
export const PHONE = { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true }

/** Calls a tool, which may not fail; returns its content as JSON. */
export async function call(
  agent: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const result = await agent.callTool({ name, arguments: args })
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy()
  return JSON.stringify(result.content)
}

/** Proposes a file. */
export const write = (agent: Client, path: string, content: string) =>
  call(agent, 'write_file', { path, content })

/** The box that selects the changes of a file. */
export const select = (page: Page, path: string) =>
  page.getByRole('checkbox', { name: `Select ${path}` })

/** A button by its whole name; that of an approval also says how many files were not viewed. */
export const button = (page: Page, name: string) =>
  name.startsWith('Approve')
    ? page.getByRole('button', { name: new RegExp(`^${name}( [\\d,]+ not viewed)?$`) })
    : page.getByRole('button', { name, exact: true })

/** The lines of differences. */
export const lines = (page: Page) => page.locator('.difflines')

/** The region with the buttons that decide. */
export const decision = (page: Page) => page.getByRole('region', { name: 'Decision' })

/** Whether a button is inactive; it keeps the focus then, so it is not disabled. */
export const isOff = async (page: Page, name: string) =>
  (await button(page, name).getAttribute('aria-disabled')) === 'true'

/** Presses Tab until the focus is on an element of a selector. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    if (await page.evaluate((one) => document.activeElement?.matches(one), selector)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${selector}`)
}

/** Turns down what waits. */
async function turnDownAll(url: string): Promise<void> {
  const list: unknown = await (await fetch(`${url}/drafts`)).json()
  const drafts: unknown = Reflect.get(Object(list), 'drafts')
  for (const draft of Array.isArray(drafts) ? drafts : []) {
    const at = `${url}/drafts/${String(Reflect.get(Object(draft), 'id'))}`
    const shown: unknown = await (await fetch(at)).json()
    const revision: unknown = Reflect.get(Object(shown), 'revision')
    const headers = {
      'content-type': 'application/json',
      'x-edgewise-console': '1',
      origin: url,
      'sec-fetch-site': 'same-origin',
    }
    const body = JSON.stringify({ revision })
    const answer = await fetch(`${at}/turn-down`, { method: 'POST', headers, body })
    expect(answer.ok, await answer.text()).toBe(true)
  }
}

/**
 * A workspace in which every change waits, and pages of the console. After each test, its agents are disconnected and
 * what still waits is turned down.
 */
export function useWaitingDrafts() {
  const server = useServer()
  const browser = useBrowser()
  const agents: Client[] = []
  beforeEach(() => setConfig(server.url, { approval: 'review' }))
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.close()
    await turnDownAll(server.url)
    await setConfig(server.url, {})
  })

  async function connectTo(url: string, name = 'agent'): Promise<Client> {
    const agent = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await agent.connect(new StreamableHTTPClientTransport(new URL(url)))
    agents.push(agent)
    return agent
  }

  /** Connects an agent with a session of its own. */
  const connectAgent = async (label: string) => connectTo(await createLink(server.url, label))

  /** Opens the only draft. */
  async function openDraft(name: string, options: PageOptions = {}): Promise<Page> {
    const page = await visit(browser.open, server.url, '#/waiting', options)
    await page.getByRole('list', { name: 'Drafts' }).getByRole('link').first().click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await button(page, 'Approve all').waitFor()
    return page
  }
  return { server, browser, connectTo, connectAgent, openDraft }
}

/** Returns the URL of a new session. */
async function createLink(at: string, label: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ label, ttl_seconds: 600 })
  const link: unknown = await (
    await fetch(`${at}/sessions`, { method: 'POST', headers, body })
  ).json()
  return String(Reflect.get(Object(link), 'url'))
}
