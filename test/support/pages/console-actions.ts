/**
 * Actions of a person in the console, for tests: elements are found by their labels.
 *
 * @module
 */

import type { Locator, Page } from 'playwright'
import { expect, vi } from 'vitest'
import type { PageOptions } from './browser.ts'
import { WORDS } from './console-labels.ts'

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

/** The question whether an app may read. */
export const readQuestion = (page: Page) =>
  page.getByRole('alertdialog', { name: WORDS.readQuestion })

/** Any other question about a call. */
export const otherQuestion = (page: Page) =>
  page.getByRole('alertdialog', { name: new RegExp(`^(?!${WORDS.readQuestion})`) })

/** Lets the apps of a page read what they ask for, until it is closed, as a person who allows each first question. */
export function allowReads(page: Page): void {
  const allow = async () => {
    const question = readQuestion(page)
    // A question of an app that is closed goes before it is answered.
    await question.waitFor({ timeout: 0 })
    await question.getByRole('button', { name: 'Allow' }).click({ timeout: 5_000 })
  }
  const allowAll = async () => {
    while (!page.isClosed()) await allow().catch(() => undefined)
  }
  void allowAll()
}

/** Waits until every app that is closing has ended: it is hidden until then. */
export const allClosed = (page: Page) =>
  vi.waitUntil(async () => (await page.locator('mcp-view[hidden]').count()) === 0, {
    timeout: 30_000,
  })

/** The page's own text in a frame of a frame, where an app is shown. One that is closing is hidden. */
export const inApp = (page: Page) =>
  page.locator('mcp-view:not([hidden])').frameLocator('iframe').frameLocator('iframe')

/** The difference of a change, which the page draws itself. */
export const inDiff = (page: Page) => page.locator('.changereview')

/** Lets no difference of a change arrive until the function that it returns is called. */
export async function holdDiffs(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route(/\/mcp$/, async (route) => {
    const sent = route.request().postData() ?? ''
    if (sent.includes('resources/read') && sent.includes('.json')) await gate.promise
    await route.continue()
  })
  return gate.resolve
}

const LOST_FRAME = /Target page, context or browser has been closed/

/**
 * Waits for content of an app that may be loaded again meanwhile. Where a frame has a process of its own, Playwright
 * (1.65) ends a wait with the error of a closed page if the frame is removed while it looks; that wait begins again.
 *
 * @param timeout In milliseconds, of all attempts together.
 */
export async function appears(content: Locator, timeout = 30_000): Promise<void> {
  const end = performance.now() + timeout
  for (;;) {
    try {
      return await content.waitFor({ timeout: Math.max(1, end - performance.now()) })
    } catch (error) {
      const isLost = error instanceof Error && LOST_FRAME.test(error.message)
      if (!isLost || content.page().isClosed()) throw error
    }
  }
}

/** By which a button that decides something takes no early click: `SETTLE_MS` of `host/console/ui/settled.ts`. */
const SETTLE_MS = 500

/**
 * Holds the timers of a page after which a button takes a click, until the function that it returns is called: a test
 * that is late would find none of the buttons inactive.
 */
export async function holdButtons(page: Page): Promise<() => Promise<void>> {
  await page.evaluate((settleMs) => {
    const [begin, end] = [window.setTimeout, window.clearTimeout]
    const held = new Map<number, TimerHandler>()
    const beginHeld = (work: TimerHandler, ms?: number, ...more: unknown[]) => {
      if (ms !== settleMs) return begin(work, ms, ...more)
      const id = begin(() => {}, 0)
      held.set(id, work)
      return id
    }
    Object.assign(window, {
      setTimeout: beginHeld,
      clearTimeout(id: number) {
        held.delete(id)
        end(id)
      },
      releaseButtons() {
        window.setTimeout = begin
        for (const work of held.values()) begin(work, settleMs)
      },
    })
  }, SETTLE_MS)
  return () => page.evaluate('releaseButtons()')
}

/** Waits, by the clock of the page, until what it shows now has been there for long enough that a key decides it. */
export const settles = (page: Page) =>
  page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, ms)))
      }),
    SETTLE_MS + 200,
  )

export const sees = (page: Page, text: string | RegExp) =>
  page.getByText(text).first().waitFor({ state: 'visible' })

/** Scrolls to the end as a person does who reads: half a screen at a time. Returns the number of swipes. */
export async function readAll(page: Page): Promise<number> {
  for (let swipes = 0; swipes < 200; swipes++) {
    const isEnd = await page.evaluate(() => {
      scrollBy(0, innerHeight / 2)
      return scrollY + innerHeight >= document.documentElement.scrollHeight - 2
    })
    await page.waitForTimeout(120)
    if (isEnd) return swipes
  }
  throw new Error('The page does not end')
}
