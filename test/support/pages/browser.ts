/**
 * A real Chromium for tests of whole pages, beside the product as `npm start` runs it.
 *
 * @module
 */

import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { EXECUTABLE } from './chromium.ts'

export interface PageOptions extends BrowserContextOptions {
  /** Console errors that a test brings about on purpose. */
  readonly mayComplain?: RegExp
  /** A script that runs in each document before those of the page. */
  readonly init?: string | undefined
  /** Whether the page is for the tests that follow as well. */
  readonly isKept?: boolean
}

/** The browsers of this process, by their arguments; a start takes longer than many a file of tests. */
const browsers = new Map<string, Promise<Browser>>()

/**
 * The limit of processes makes a page navigate in the process of the empty page that it begins as, which is else
 * replaced by a second one. Contexts and sites still have processes of their own.
 */
const ARGUMENTS = ['--no-sandbox', '--disable-background-networking', '--renderer-process-limit=1']

/** Starts a browser, or returns the one that another file has left. It ends with this process. */
async function launch(args: readonly string[]): Promise<Browser> {
  const key = JSON.stringify(args)
  const running = await browsers.get(key)
  if (running?.isConnected() === true) return running
  const launched = chromium.launch({ executablePath: EXECUTABLE, args: [...ARGUMENTS, ...args] })
  browsers.set(key, launched)
  return launched
}

/** Locators whose clicks wait. */
const waiting = new WeakSet<object>()

/**
 * Makes clicks wait, as a person does, until a button that decides takes one. Playwright waits as well, and scrolls
 * meanwhile, which begins the delay of the button again.
 */
function waitBeforeClicks(page: Page): void {
  const locators: Locator = Object.getPrototypeOf(page.locator('html'))
  if (waiting.has(locators)) return
  waiting.add(locators)
  // oxlint-disable-next-line unbound-method -- it is called on the locator
  const { click } = locators
  locators.click = async function clickLater(this: Locator, options) {
    if (options?.force === true) return click.call(this, options)
    // A page that is just being replaced takes the longer way.
    if (!(await this.evaluate(decides).catch(() => true))) return click.call(this, options)
    for (let attempt = 1; ; attempt++) {
      await reach(this)
      await click.call(this, options)
      if (attempt === MAX_PRESSES || !(await wasEarly(this))) return
    }
  }
}

/** A page that moves between the look and the press says so, and a person presses again. */
const MAX_PRESSES = 5

const decides = (one: Element) => one.matches('.decides') || one.querySelector('.early') !== null

async function wasEarly(place: Locator): Promise<boolean> {
  const isEarly = (one: Node) => one instanceof Element && one.querySelector('.early') !== null
  // The press may have led to another page.
  for (const found of await place.elementHandles().catch(() => []))
    if (await found.evaluate(isEarly).catch(() => false)) return true
  return false
}

/** Scrolls until that moves nothing any more, and waits until a button that decides takes a press there. */
async function reach(place: Locator): Promise<void> {
  for (let before = ''; ;) {
    // A list that is read again replaces its rows.
    await place.scrollIntoViewIfNeeded().catch(() => undefined)
    const now = await place.evaluate(placeWhenReady)
    if (now === before) return
    before = now
  }
}

/** In the page: where an element is, as soon as it takes a press, has gone or half a minute has passed. */
async function placeWhenReady(one: Element): Promise<string> {
  const isReady = () =>
    !one.matches('.decides[aria-disabled=true]') && one.querySelector('.early') === null
  for (const end = Date.now() + 30_000; one.isConnected && !isReady() && Date.now() < end;)
    await new Promise((done) => setTimeout(done, 20))
  return JSON.stringify(one.getBoundingClientRect())
}

/** What a person who uses a screen reader finds on a page, as far as a report needs it. */
async function contentOf(page: Page): Promise<string> {
  try {
    return (await page.ariaSnapshot({ timeout: 5_000 })).slice(0, 10_000)
  } catch (error) {
    return String(error)
  }
}

const close = (contexts: readonly BrowserContext[]) =>
  Promise.all(contexts.map((context) => context.close()))

/**
 * Opens pages in contexts of their own, which are closed at the end of the test, or of the file if they are opened in
 * `beforeAll` or kept. By then, no page may have thrown an error. After a test that fails, the content of its pages is
 * printed.
 */
export function useBrowser(args: readonly string[] = []) {
  let browser: Browser | undefined
  const ofTest: BrowserContext[] = []
  const ofFile: BrowserContext[] = []
  let isInTest = false
  const complaints: string[] = []
  beforeAll(async () => {
    browser = await launch(args)
  })
  beforeEach(() => void (isInTest = true))
  afterEach(async ({ task: { name, result } }) => {
    if (result?.errors?.length)
      for (const page of [...ofTest, ...ofFile].flatMap((context) => context.pages()))
        console.error(`“${name}” has failed at ${page.url()}\n${await contentOf(page)}`)
    isInTest = false
    await close(ofTest.splice(0))
  })
  afterAll(async () => {
    await close(ofFile.splice(0))
    expect(complaints).toEqual([])
  })

  async function open(
    url: string,
    { mayComplain, init, isKept = !isInTest, ...options }: PageOptions = {},
  ): Promise<Page> {
    if (!browser) throw new Error('The browser runs in tests and hooks only')
    const context = await browser.newContext(options)
    const kept = isKept ? ofFile : ofTest
    kept.push(context)
    if (init !== undefined) await context.addInitScript(init)
    const page = await context.newPage()
    waitBeforeClicks(page)
    page.on('pageerror', ({ message }) => {
      if (!mayComplain?.test(message)) complaints.push(message)
    })
    await page.goto(url)
    return page
  }
  return { open }
}
