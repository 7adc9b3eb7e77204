/**
 * A page with data to protect, in which each test shows the hostile app in a view of its own.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { beforeAll, beforeEach, expect } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { appOf, mount, pageOf, startEmbedder, startTrap, untilState, use } from './app-servers.ts'
import type { ServerSpec, ToolSpec, ViewSpec } from './apps/embed.ts'
import { useBrowser } from './browser.ts'

/** How long something is waited for that ought not to happen. */
export const SETTLED_MS = 1000

export const TOOLS: readonly ToolSpec[] = [
  { name: 'open', _meta: { ui: { resourceUri: 'ui://attack/page' } } },
  { name: 'free' },
  { name: 'for_apps', _meta: { ui: { visibility: ['app'] } } },
  { name: 'for_models', _meta: { ui: { visibility: ['model'] } } },
  { name: 'for_none', _meta: { ui: { visibility: [] } } },
  { name: 'misdeclared', _meta: { ui: { visibility: 'everyone' } } },
  { name: 'hangs', behaviour: 'hangs' },
  { name: 'breaks', behaviour: 'breaks' },
]

/** The message of the app's worker when it is blocked. */
const BLOCKED = /^Failed to (?:fetch|execute 'importScripts')/

export interface Attacked {
  readonly name: string
  readonly app: Frame
}

/** Starts the product, a page that embeds views, and a trap. Views go after each test. */
export function useAttackPage() {
  const product = useServer()
  const browser = useBrowser()
  const trap = use(startTrap)
  const embedder = use(() => startEmbedder(product.url))
  let html = ''
  let page: Page | undefined
  let count = 0

  const current = () => {
    if (!page) throw new Error('The page is there in tests only')
    return page
  }

  beforeAll(async () => {
    html = await pageOf('attack.ts')
    page = await browser.open(`${embedder().url}/?secret=in-the-address`, { mayComplain: BLOCKED })
    await page.evaluate(() => {
      localStorage.setItem('secret', 'in-the-storage')
      document.cookie = 'secret=in-the-cookie; path=/'
    })
  })

  async function clear(): Promise<void> {
    await current().evaluate(() => {
      for (const view of document.querySelectorAll('mcp-view')) view.remove()
    })
    await expect.poll(() => current().frames().length).toBe(1)
  }
  beforeEach(clear)

  /** Shows the app in a view, with the given metadata of its resource, or of its list entry. */
  async function attacked(
    ui: object | null = {},
    more: Partial<ViewSpec> = {},
    listed: NonNullable<ServerSpec['listed']> = [],
  ): Promise<Attacked> {
    const name = `view-${++count}`
    const text = { mimeType: 'text/html;profile=mcp-app', text: html }
    const content = ui ? { ...text, _meta: { ui } } : text
    const server = { tools: TOOLS, listed, resources: { 'ui://attack/page': content } }
    await mount(current(), { server, tool: 'open', ...more, name })
    await untilState(current(), name, 'ready')
    return { name, app: await appOf(current(), name) }
  }

  return { product, browser, trap, embedder, page: current, clear, attacked }
}

/** The host still works: the app gets an answer. */
export async function expectAlive({ app }: Attacked): Promise<void> {
  const answer = await app.evaluate(() => attack.wire.request('ping', {}, 15_000))
  expect(answer).toEqual({ type: 'result', result: {} })
}

/** Declares one origin for everything. */
export function declaring(...origins: readonly string[]) {
  return {
    csp: {
      connectDomains: origins,
      resourceDomains: origins,
      frameDomains: origins,
      baseUriDomains: origins,
    },
  }
}
