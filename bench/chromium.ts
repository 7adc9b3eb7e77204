/**
 * A Chromium for the rows that measure pages: each page in a context of its own, so that nothing is cached from the one
 * before.
 *
 * @module
 */

import { chromium, type Browser, type Frame, type Page } from 'playwright'
import { findBrowser } from '../scripts/browser.ts'

/** Starts a Chromium with the browser's own WebMCP, or without it. */
export async function startBrowser({ native = false } = {}): Promise<Browser> {
  const { executable, env } = await findBrowser()
  const feature = `--${native ? 'enable' : 'disable'}-features=WebMCP`
  // The servers listen on the IPv4 address only.
  const resolve = '--host-resolver-rules=MAP localhost 127.0.0.1'
  const args = ['--no-sandbox', '--disable-background-networking', resolve, feature]
  return chromium.launch({ executablePath: executable, args, env })
}

/** Uses a new page, and closes it with its context. */
export async function usePage<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    return await use(await context.newPage())
  } finally {
    await context.close()
  }
}

/** Finds the frame of the app that the console shows: it is inside the frame of the sandbox. */
export async function findApp(page: Page, selector: string): Promise<Frame> {
  const app = page.frameLocator('mcp-view iframe').frameLocator('iframe')
  const element = await app.locator(selector).first().elementHandle()
  const frame = await element?.ownerFrame()
  if (!frame) throw new Error(`Cannot find the frame with ${selector}`)
  return frame
}

/** What the main thread of a page did, in milliseconds of CPU time. */
export interface Work {
  /** All of its tasks: scripts, style, layout, painting. */
  readonly tasks: number
  readonly script: number
}

/** Starts counting what the main thread of a frame does; the function returns it, from any point to any other. */
export async function watchWork(frame: Page | Frame): Promise<() => Promise<Work>> {
  const page = 'page' in frame ? frame.page() : frame
  const session = await page.context().newCDPSession(frame)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const read = (name: string) => (metrics.find((one) => one.name === name)?.value ?? 0) * 1000
    return { tasks: read('TaskDuration'), script: read('ScriptDuration') }
  }
}

/**
 * Starts counting the CPU time of all processes that draw pages, with all of their threads; the function returns it in
 * milliseconds.
 */
export async function watchProcesses(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession()
  const read = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const renderers = processInfo.filter(({ type }) => type === 'renderer')
    return new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime * 1000]))
  }
  const before = await read()
  return async () => {
    const after = await read()
    await session.detach()
    return [...after].reduce((sum, [id, time]) => sum + time - (before.get(id) ?? 0), 0)
  }
}

/** Returns the bytes of the heap of a page's scripts after a garbage collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
