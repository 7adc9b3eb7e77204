/**
 * The judge of published app servers: each app draws, follows the theme, calls its server and is asked to end before
 * its frame is removed.
 *
 * @module
 */

import { dirname } from 'node:path'
import { afterAll, it, type ExpectStatic } from 'vitest'
import type { PublishedApp } from '../../pages/published-apps/apps.ts'
import { removeFolder } from '../e2e/folder.ts'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { inApp } from './console-actions.ts'
import {
  allow,
  countColours,
  run,
  showTool,
  startPublished,
  WITHOUT_INTERNET,
  type Shown,
} from './published-apps.ts'

/** Servers and pages at once. */
const MAX_AT_ONCE = 2

/** Letters and lines have more, a blank frame fewer. */
const MIN_COLOURS = 50

const DARK = 'ui/notifications/host-context-changed dark'
const END = 'ui/resource-teardown'

let turns: readonly Promise<unknown>[] = Array.from({ length: MAX_AT_ONCE }, () =>
  Promise.resolve(),
)

/** Runs work once one of the works before it has ended. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const [first = Promise.resolve(), ...others] = turns
  const turn = first.then(work)
  turns = [...others, turn.catch(() => {})]
  return turn
}

/** A test for each app. */
export function judgeApps(apps: readonly PublishedApp[]): void {
  const server = useServer()
  const browser = useBrowser(WITHOUT_INTERNET)
  // Others end while one runs, and each is closed by itself.
  const open: typeof browser.open = (url, options) =>
    browser.open(url, { ...options, isKept: true })
  const times: Record<string, string> = {}
  afterAll(() => console.table(times))

  it.concurrent.for(apps)('$name', (app, { expect }) =>
    inTurn(async () => {
      const file = app.file?.()
      const site = await startPublished(app.name, file ? [file.path] : [])
      const tool = { server: site.url, tool: app.tool, args: file?.args }
      const began = performance.now()
      try {
        await judge(app, await showTool(open, server.url, tool), expect)
      } finally {
        await site.close()
        if (file) removeFolder(dirname(file.path))
      }
      times[app.name] = `${Math.round(performance.now() - began)} ms`
    }),
  )
}

async function judge(app: PublishedApp, shown: Shown, expect: ExpectStatic): Promise<void> {
  const { page, received } = shown
  await run(page)
  await draws(app, shown, expect)
  if (app.asks) await asks(app, shown, expect)
  if (!app.fails) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => received).toContain(DARK)
  }
  await page.evaluate(() => (location.hash = '#/tools'))
  if (!app.fails) await expect.poll(() => received).toContain(END)
  await expect.poll(() => page.locator('mcp-view').count()).toBe(0)
  await page.context().close()
}

async function draws(
  { shows, fails, colours = MIN_COLOURS }: PublishedApp,
  { page }: Shown,
  expect: ExpectStatic,
): Promise<void> {
  const view = page.getByTestId('view')
  if (!fails) await expect.poll(() => view.getAttribute('data-state')).toBe('ready')
  const text = async () => {
    await allow(page)
    return inApp(page).locator('body').innerText()
  }
  if (shows) await expect.poll(text).toMatch(shows)
  await expect.poll(() => countColours(page)).toBeGreaterThan(colours)
}

/** An app asks its server, and the console asks the person first where the call may change something. */
async function asks(
  { asks: asked, tool }: PublishedApp,
  { page, requests }: Shown,
  expect: ExpectStatic,
): Promise<void> {
  if (asked?.press) await inApp(page).getByRole('button', { name: asked.press }).click()
  const byApp = async () => {
    await allow(page)
    return requests.slice(requests.indexOf(`tools/call ${tool}`) + 1)
  }
  await expect.poll(byApp).toContain(asked?.request)
}
