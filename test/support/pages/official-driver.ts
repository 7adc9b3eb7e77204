/** Drives an app of the official class (`apps/official-app.ts`) that the console shows. @module */

import type { Frame, Page } from 'playwright'
import { vi } from 'vitest'
import type { PageOptions } from './browser.ts'
import { allClosed } from './console-actions.ts'

type Open = (url: string, options?: PageOptions) => Promise<Page>

/** Opens the console and connects it to a server, which is named `official`. */
export async function openServer(
  open: Open,
  console: string,
  server: string,
  options: PageOptions = {},
): Promise<Page> {
  const page = await open(`${console}/#/connect`, options)
  await page.getByLabel('Address').fill(server)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /official/i }).waitFor()
  return page
}

/** The frame of the app that is shown, once it has connected. */
export async function driverOf(page: Page): Promise<Frame> {
  await allClosed(page)
  return vi.waitUntil(() => connectedIn(page), { timeout: 30_000 })
}

async function connectedIn(page: Page): Promise<Frame | null> {
  for (const frame of page.frames()) {
    const isConnected = () => Reflect.get(globalThis, 'driver')?.connected === true
    const ready = await frame.evaluate(isConnected).catch(() => false)
    if (ready && frame.parentFrame()?.parentFrame()) return frame
  }
  return null
}

/** Calls a method of the app's class. */
export function run(app: Frame, method: string, ...values: readonly unknown[]): Promise<unknown> {
  return app.evaluate(([name, given]) => driver.run(name, ...given), [method, values] as const)
}
