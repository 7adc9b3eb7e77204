/**
 * Exfiltration by an app: every channel of a browser is tried, and no data arrives.
 *
 * The target is a trap, a server that records every request. The same attempts from a page without
 * protection reach it, so that an empty list means something. Playwright runs code with a user
 * gesture, which is more than an app gets by itself.
 */

import type { Page } from 'playwright'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { startOpenPage, startTrap, use } from '../../support/pages/app-servers.ts'
import { CHANNELS, CONNECTIONS, DEPARTURES } from '../../support/pages/apps/exfiltration.ts'
import { declaring, SETTLED_MS, useAttackPage } from '../../support/pages/attack-page.ts'
import { isYoung } from '../../support/pages/chromium.ts'

const { browser, trap, embedder, page, attacked } = useAttackPage()
const unprotected = use(startOpenPage)

/** What the trap saw of a way out; bare connections are looked at on their own. */
const arrived = (name: string) => trap().visits.filter((visit) => visit.includes(addressOf(name)))

const addressOf = (name: string) => `/${name.replaceAll(/[^a-zA-Z]/g, '-')}/`

const targets = (names: readonly string[]) =>
  names.map((name): [string, string] => [name, `${trap().url}${addressOf(name)}x`])

async function leakAll(all: readonly [name: string, url: string][]): Promise<void> {
  for (const [name, url] of all) await attack.leak(name, url)
}

/** Ways that a page without protection can be seen to use here. */
const OBSERVABLE = [
  'fetch',
  'fetch without CORS',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'beacon',
  'image',
  'script',
  'module script',
  'dynamic import',
  'style sheet',
  'style import',
  'CSS background',
  'font face',
  'audio',
  'object',
  'frame',
  'worker',
  'form in a new window',
  'window.open',
  'prefetch',
  'preload of a script',
]

describe('a page without protection', () => {
  let open: Page
  beforeAll(async () => {
    open = await browser.open(unprotected().url, { mayComplain: /./ })
    await open.evaluate(leakAll, targets(OBSERVABLE))
    await setTimeout(SETTLED_MS)
  })

  it.each(OBSERVABLE)('%s reaches the trap', (name) => expect(arrived(name)).not.toEqual([]))

  it('is left alone from here on', async () => {
    await open.context().close()
    trap().visits.length = 0
  })
})

describe.each([
  ['declares nothing', {}],
  ['declares another domain', declaring('https://elsewhere.example')],
  ['wants an origin of its own', { domain: 'mine' }],
])('an app that %s', (_, ui) => {
  const windows: string[] = []
  beforeAll(async () => {
    trap().visits.length = 0
    page()
      .context()
      .on('page', (opened) => windows.push(opened.url()))
    const { app } = await attacked(ui)
    await app.evaluate(leakAll, targets(Object.keys(CHANNELS)))
    await setTimeout(2 * SETTLED_MS)
  })

  it.each(Object.keys(CHANNELS))('%s sends nothing', (name) => expect(arrived(name)).toEqual([]))

  it('makes no request at all, and opens no window', () => {
    expect(trap().visits.filter((visit) => visit !== 'connection')).toEqual([])
    expect(windows).toEqual([])
    expect(page().url()).toContain(embedder().url)
  })
})

describe('leaving the frame', () => {
  it.each(Object.keys(DEPARTURES))('%s sends nothing', async (name) => {
    trap().visits.length = 0
    const { app } = await attacked()
    await app.evaluate(leakAll, targets([name])).catch(() => {}) // It may be gone by then.
    await setTimeout(SETTLED_MS)
    expect(trap().visits).toEqual([])
    expect(page().url()).toContain(embedder().url)
  })
})

describe('connections without a request', () => {
  // Browsers keep connections, so each has a trap of its own.
  async function visitsOf(name: string, frame: Pick<Page, 'evaluate'>): Promise<string[]> {
    const own = await startTrap()
    const leaving = frame.evaluate(leakAll, [[name, `${own.url}/x`]] as [string, string][])
    await leaving.catch(() => {}) // It may be gone by then.
    await setTimeout(2 * SETTLED_MS)
    await own.close()
    return own.visits
  }

  it.each(Object.keys(CONNECTIONS))('%s: made by a page without protection', async (name) => {
    const open = await browser.open(unprotected().url, { mayComplain: /./ })
    expect(await visitsOf(name, open)).not.toEqual([])
    await open.context().close()
  })

  // Only Connection-Allowlist prevents them: a content security policy does not cover WebRTC, and a whole
  // Chromium connects before it checks the policy of a navigation. (The headless shell does not.)
  it.runIf(isYoung).each(Object.keys(CONNECTIONS))('%s: not made', async (name) => {
    const { app } = await attacked()
    expect(await visitsOf(name, app)).toEqual([])
  })
})
