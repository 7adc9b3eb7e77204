/**
 * The app servers that ext-apps publishes on npm, in the console: each app draws, follows the theme, calls its server
 * and is asked to end before its frame is removed. There is no Internet, and `apps.ts` names what an app lacks without it.
 */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, it, type ExpectStatic } from 'vitest'
import { removeFolder } from '../../support/e2e/folder.ts'
import { ROOT } from '../../support/e2e/run.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { inApp } from '../../support/pages/console-actions.ts'
import {
  allow,
  countColours,
  run,
  showTool,
  startPublished,
  WITHOUT_INTERNET,
  type Shown,
} from '../../support/pages/published-apps.ts'
import { APPS, type PublishedApp } from './apps.ts'

const server = useServer()
const browser = useBrowser(WITHOUT_INTERNET)

/** Servers and pages at once. */
const MAX_AT_ONCE = 2

/** Letters and lines have more, a blank frame fewer. */
const MIN_COLOURS = 50

const DARK = 'ui/notifications/host-context-changed dark'
const END = 'ui/resource-teardown'

const times: Record<string, string> = {}
afterAll(() => console.table(times))

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

it.concurrent.for(APPS)('$name', (app, { expect }) =>
  inTurn(async () => {
    const file = app.file?.()
    const site = await startPublished(app.name, file ? [file.path] : [])
    try {
      const tool = { server: site.url, tool: app.tool, args: file?.args }
      await judge(app, await showTool(browser.open, server.url, tool), expect)
    } finally {
      await site.close()
      if (file) removeFolder(dirname(file.path))
    }
  }),
)

async function judge(app: PublishedApp, shown: Shown, expect: ExpectStatic): Promise<void> {
  const { page, received } = shown
  const began = performance.now()
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
  times[app.name] = `${Math.round(performance.now() - began)} ms`
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

it('has a row in docs/mcp-view.md for each app', ({ expect }) => {
  const [, text = ''] = readFileSync(join(ROOT, 'docs/mcp-view.md'), 'utf8').split(
    '## Apps of others',
  )
  const rows = text.match(/^\| `server-.*\|$/gm) ?? []
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  expect(cells).toEqual(
    APPS.map(({ name, asks: asked, lacks = '' }) => {
      const request = asked ? `\`${asked.request}\`` : ''
      return ['', `\`server-${name}\``, request, lacks, '']
    }),
  )
})

it('has every server that is installed', ({ expect }) => {
  const text = readFileSync(join(ROOT, 'test/pages/published-apps/package.json'), 'utf8')
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(text)
  const names = APPS.map(({ name }) => `@modelcontextprotocol/server-${name}`)
  expect(Object.keys(dependencies)).toEqual(names)
  expect(names).toHaveLength(19)
})
