/**
 * A hostile app of one page, which does in the console what a test says.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { expect } from 'vitest'
import { allClosed } from './console-actions.ts'

/** A page that shakes hands and then does what a test says. */
export const SPY = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Spy</title><h1>Spy</h1><script>
  addEventListener('message', ({ data: { id } }) => {
    if (id === 'start') tell({ method: 'ui/notifications/initialized' })
  })
  const tell = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const appInfo = { name: 'spy', version: '1' }
  const params = { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' }
  tell({ id: 'start', method: 'ui/initialize', params })
</script>`

/** Finds the frame of the app with this heading, once every app that is closing has ended. */
export async function frameWith(page: Page, heading: string): Promise<Frame> {
  const find = async () => {
    for (const frame of page.frames()) {
      const isDeep = frame.parentFrame()?.parentFrame()
      const text =
        isDeep &&
        (await frame
          .locator('h1')
          .innerText({ timeout: 1_000 })
          .catch(() => ''))
      if (text === heading) return frame
    }
    return null
  }
  await allClosed(page)
  await expect.poll(find).not.toBeNull()
  const found = await find()
  if (!found) throw new Error(`No frame shows ${heading}`)
  return found
}

/** Sends a request as the app does. */
export const requestIn = (frame: Frame, method: string, params: object): Promise<string> =>
  frame.evaluate(
    ([name, given]) =>
      new Promise<string>((resolve) => {
        const id = `probe-${Math.random()}`
        addEventListener('message', ({ data }) => {
          if (data.id === id) resolve(JSON.stringify(data))
        })
        parent.postMessage({ jsonrpc: '2.0', id, method: name, params: given }, '*')
      }),
    [method, params] as const,
  )
