/**
 * Watches a page that shows untrusted text: none of it may run, become an element, send a request or
 * navigate.
 *
 * @module
 */

import type { Frame, Locator, Page } from 'playwright'
import { expect } from 'vitest'
import type { PageOptions } from './browser.ts'

export interface Watched {
  readonly page: Page
  /** What happened that ought not to, so far. */
  readonly alarms: readonly string[]
  /** Expects that nothing ran, no request was sent, and no frame has an element of untrusted text. */
  readonly expectQuiet: (where: string) => Promise<void>
}

type Open = (url: string, options?: PageOptions) => Promise<Page>

const MARK = 'edgewise-alarm '

/** Set by every payload that runs. Reported through the console, which works in every frame. */
const GUARD = `{
  const tell = (text) => console.debug(${JSON.stringify(MARK)} + text)
  Object.defineProperty(globalThis, 'pwned', { set: (value) => tell('ran ' + value) })
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    tell('violation of ' + violatedDirective + ' by ' + blockedURI + ' in ' + sourceFile.split('/').pop()))
}`

/** The console's schema library tests once whether it may compile code, which the policy forbids. */
const PROBE = 'violation of script-src by eval in console.js'

/** Opens a page that talks to these origins alone. */
export async function watched(
  open: Open,
  url: string,
  origins: readonly string[],
  options: PageOptions = {},
): Promise<Watched> {
  const page = await open('about:blank', options)
  const alarms: string[] = []
  let probes = 0
  const known = (address: string) =>
    /^(?:about|data|blob):/.test(address) || origins.includes(new URL(address).origin)
  const context = page.context()
  await context.addInitScript(GUARD)
  context.on('request', (request) => {
    if (!known(request.url())) alarms.push(`request ${request.url()}`)
    if (request.isNavigationRequest() && !request.frame().parentFrame()) probes = 0
  })
  context.on('page', (other) => alarms.push(`window ${other.url()}`))
  page.on('console', (message) => {
    if (!message.text().startsWith(MARK)) return
    const alarm = message.text().slice(MARK.length)
    if (alarm !== PROBE || ++probes > 1) alarms.push(alarm)
  })
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') alarms.push(`dialog ${dialog.message()}`)
    // The page may be gone by now, which is as good.
    dialog.accept().catch(() => {})
  })
  page.on('framenavigated', (frame) => {
    if (!frame.parentFrame() && !known(frame.url())) alarms.push(`gone to ${frame.url()}`)
  })
  await page.goto(url)
  return {
    page,
    alarms,
    async expectQuiet(where) {
      const made = await Promise.all(page.frames().map(madeIn))
      expect([...alarms, ...made.flat()], where).toEqual([])
    },
  }
}

/** Elements of a frame that come from untrusted text; none for a frame that is being removed. */
const madeIn = (frame: Frame): Promise<string[]> => frame.evaluate(suspects).catch(() => [])

/** Runs in the page: finds elements with the mark, an event handler, or a foreign address. */
function suspects(): string[] {
  const found: string[] = []
  const look = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      const odd = [...element.attributes].some(
        ({ name, value }) =>
          name === 'data-evil' ||
          name.startsWith('on') ||
          (/^(?:href|src|srcdoc|action|formaction|xlink:href|poster|data)$/.test(name) &&
            /^\s*(?:javascript|vbscript|data:text|https?:\/\/evil)/i.test(value)),
      )
      if (odd || /^(?:object|embed|math)$/i.test(element.tagName))
        found.push(element.outerHTML.slice(0, 200))
      if (element.shadowRoot) look(element.shadowRoot)
    }
  }
  look(document)
  return found
}

/** What could hide in the text that a person sees there: each as its code point. */
export function hiddenIn(text: string): string[] {
  const all = text.match(/[\p{Cf}\p{Zl}\p{Zp}\u2800]/gu) ?? []
  return [...new Set(all)].map((char) => `U+${char.codePointAt(0)?.toString(16)}`)
}

const LABELS = ['aria-label', 'title', 'alt', 'placeholder', 'aria-description']

/** The labels and tooltips in a part of a page, which a person hears or reads as its text. */
export const labelsIn = (part: Locator): Promise<string> =>
  part.evaluate(
    (root, names) =>
      [root, ...root.querySelectorAll('*')]
        .flatMap((one) => names.map((name) => one.getAttribute(name) ?? ''))
        .join('\n'),
    LABELS,
  )
