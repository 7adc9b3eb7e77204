/**
 * The pages of the console, as its registry has them, for tests that look at all of them.
 *
 * @module
 */

import type { Page } from 'playwright'
import { expect } from 'vitest'
import { PAGES } from '#host/console/shell/pages.ts'

/** The address of every page, by a name for the test. */
export const ADDRESSES = PAGES.map(({ name }) => [name || 'overview', `#/${name}`] as const)

/** Further addresses: dialogs and filters that have one. */
export const FURTHER = [
  ['import', '#/?do=import'],
  ['everything', '#/activity?outcome=all'],
  ['refused', '#/activity?outcome=refused'],
  ['new session', '#/sessions?do=new'],
  ['new app', '#/apps/new'],
] as const

/** Waits until the page of an address is shown, has loaded its data and has opened its dialog. */
export async function arriveAt(page: Page, hash: string): Promise<void> {
  const [path = '', query = ''] = hash.slice('#/'.length).split('?')
  const [name = ''] = path.split('/').map(decodeURIComponent)
  const main = page.locator('main')
  await expect.poll(() => main.getAttribute('data-page')).toBe(name)
  await main.locator('h1, .empty').first().waitFor()
  await expect.poll(() => main.locator('.waiting').count()).toBe(0)
  if (query.includes('do=')) await page.locator('dialog[open]').waitFor()
}
