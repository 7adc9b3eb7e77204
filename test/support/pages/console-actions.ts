/**
 * Actions of a person in the console, for tests: elements are found by their labels.
 *
 * @module
 */

import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { PageOptions } from './browser.ts'

type Open = (url: string, options?: PageOptions) => Promise<Page>

/** Opens a page of the console, and waits until it has found its server. */
export async function visit(
  open: Open,
  server: string,
  hash = '#/',
  options: PageOptions = {},
): Promise<Page> {
  const page = await open(`${server}/${hash}`, options)
  await page.locator('.dot.ready').first().waitFor({ state: 'attached' })
  return page
}

/** Goes to another page of the console without a reload. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash)
}

/** A tool's page with its arguments filled in by the address, as a link does it. */
export const toolLink = (tool: string, args: Readonly<Record<string, unknown>>) =>
  `#/tools/${tool}?${new URLSearchParams({ args: JSON.stringify(args) }).toString()}`

export async function putFile(server: string, path: string, text: string): Promise<void> {
  const answer = await fetch(`${server}/files${path}`, { method: 'PUT', body: text })
  expect(answer.ok, await answer.text()).toBe(true)
}

export async function readText(server: string, path: string): Promise<string | null> {
  const answer = await fetch(`${server}/files${path}`)
  const text = await answer.text()
  return answer.ok ? text : null
}

export async function setConfig(server: string, config: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(config)
  const answer = await fetch(`${server}/config`, { method: 'PUT', headers, body })
  expect(answer.ok, await answer.text()).toBe(true)
}

/** Narrows the console, as a client, to a folder. It asks the person before it leaves that. */
export async function stayIn(page: Page, folder: string): Promise<void> {
  await page.evaluate((path) => {
    const configuration = { roots: [{ path }] }
    const name = `edgewise.console.secret.${location.origin}/mcp`
    sessionStorage.setItem(name, JSON.stringify({ configuration }))
  }, folder)
  await page.reload()
  await page.locator('.dot.ready').first().waitFor({ state: 'attached' })
}

/** The page's own text in a frame of a frame, where an app is shown. */
export const inApp = (page: Page) =>
  page.locator('mcp-view').frameLocator('iframe').frameLocator('iframe')

export const sees = (page: Page, text: string | RegExp) =>
  page.getByText(text).first().waitFor({ state: 'visible' })
