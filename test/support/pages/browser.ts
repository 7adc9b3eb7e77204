/**
 * A real Chromium for tests of whole pages, beside the product as a person starts it.
 *
 * @module
 */

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright'
import { afterAll, beforeAll, expect } from 'vitest'
import { EXECUTABLE } from './chromium.ts'

export interface PageOptions extends BrowserContextOptions {
  /** Console errors that a test brings about on purpose. */
  readonly mayComplain?: RegExp
}

/** Opens pages in contexts of their own. At the end of the file, no page may have thrown an error. */
export function useBrowser(args: readonly string[] = []) {
  let browser: Browser | undefined
  const complaints: string[] = []
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: EXECUTABLE,
      args: ['--no-sandbox', '--disable-background-networking', ...args],
    })
  })
  afterAll(async () => {
    await browser?.close()
    expect(complaints).toEqual([])
  })

  async function open(url: string, { mayComplain, ...options }: PageOptions = {}): Promise<Page> {
    if (!browser) throw new Error('The browser runs in tests and hooks only')
    const context = await browser.newContext(options)
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => {
      if (!mayComplain?.test(message)) complaints.push(message)
    })
    await page.goto(url)
    return page
  }
  return { open }
}
