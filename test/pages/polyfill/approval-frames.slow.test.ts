/**
 * The approval dialog in frames: small ones, tall ones, such as are scrolled away, of this origin and
 * of another.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { type PageOptions, useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import {
  answer,
  press,
  question,
  questionNow,
  STEADY_MS,
} from '../../support/pages/approval-dialog.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const framing = (origin: string, attributes: string, before = '') =>
  pageWith(
    `${before}<script>document.write(\`<iframe allow="tools" ${attributes} src="${origin}/inner"></iframe>\`)</script>`,
  )

const OTHER = 'http://127.0.0.1:${location.port}'
const AWAY = 'scrolled out of view'
const COVERED = 'Something covers'

const site = useApprovalSite({
  '/small': framing('', 'width="10" height="10"'),
  '/tall': framing(OTHER, 'width="500" height="5000"'),
  '/narrow': framing(OTHER, 'width="300" height="2000"'),
  '/100x50': framing(OTHER, 'width="100" height="50"'),
  '/220x120': framing(OTHER, 'width="220" height="120"'),
  '/220x300': framing(OTHER, 'width="220" height="300"'),
  '/40x20': framing(OTHER, 'width="40" height="20"'),
  '/no-popups': framing(OTHER, 'width="100" height="50" sandbox="allow-scripts allow-same-origin"'),
  '/below': framing(OTHER, 'width="500" height="500"', '<div style="height:3000px"></div>'),
})

/** How long the dialog has to be undisturbed before a click counts; `presence.ts` has the same. */
const TAKES_CLICKS_MS = 500

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

describe.each(ways(WAYS))('$way', ({ args }) => {
  const browser = useBrowser([...args, '--site-per-process'])

  /** Calls the tool of the frame in a page. */
  async function called(path: string, options: PageOptions = {}) {
    const page = await browser.open(`${site.origin}${path}`, options)
    const frame = page.frames().find((one) => one.url().endsWith('/inner'))
    if (!frame) throw new Error('There is no frame')
    await frame.evaluate(`tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    await run(page, `void call('a', { x: 1 }, {}, ['${site.other}'])`)
    return { page, frame }
  }

  const expectRan = async (page: Page, frame: Frame) => {
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await frame.evaluate('ran')).toEqual(['{"x":1}'])
    await page.context().close()
  }

  /** Presses the one button of a small frame, as a person does; resolves to the window. */
  async function review(page: Page, frame: Frame): Promise<Page> {
    await prompted(frame)
    const middle = await middleOf(frame)
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.mouse.click(...middle),
    ])
    return opened
  }

  /** Waits for the button, which is in a closed tree at the end of the document. */
  const prompted = (frame: Frame) =>
    frame.waitForFunction(`document.documentElement.lastElementChild.localName === 'div'`)

  const shot = async (page: Page, name: string) => {
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/${name}.png` })
  }

  it('asks in the top document for a small frame of its origin', async () => {
    const { page, frame } = await called('/small')
    expect((await question(page)).text).toContain('Allow a?')
    expect(await run(page, 'return document.documentElement.lastElementChild.localName')).toBe(
      'div',
    )
    await answer(page, 'Allow once')
    await expectRan(page, frame)
  })

  it('takes its dialog from the top document when the frame is removed', async () => {
    const { page } = await called('/small')
    await question(page)
    await run(page, `document.querySelector('iframe').remove()`)
    expect(await questionNow(page)).toBeNull()
    await page.context().close()
  })

  it('asks in the part of a tall frame that is in view', async () => {
    const { page, frame } = await called('/tall')
    await question(page, frame)
    await run(page, 'scrollTo(0, 2000)')
    await page.waitForTimeout(STEADY_MS)
    expect((await question(page, frame)).text).not.toContain(AWAY)
    await answer(page, 'Allow once', frame)
    await expectRan(page, frame)
  })

  it('says that a frame is scrolled away, and accepts an approval when it is in view', async () => {
    const { page, frame } = await called('/below')
    // The focus of the dialog has scrolled the page to the frame.
    await question(page, frame)
    await run(page, 'scrollTo(0, 0)')
    const text = async () => (await question(page, frame)).text
    await expect.poll(text).toContain(AWAY)
    await run(page, 'scrollTo(0, 3000)')
    await expect.poll(text).not.toContain(AWAY)
    await answer(page, 'Allow once', frame)
    await expectRan(page, frame)
  })

  it('never says that a frame which is scrolled away is covered', async () => {
    const { page, frame } = await called('/below')
    await question(page, frame)
    await page.waitForTimeout(STEADY_MS)
    await run(page, 'scrollTo(0, 0)')
    const texts: string[] = []
    for (const end = Date.now() + 3_000; Date.now() < end || !texts.at(-1)?.includes(AWAY);) {
      texts.push((await question(page, frame)).text)
      await page.waitForTimeout(20)
    }
    expect(texts.at(-1)).toContain(AWAY)
    expect(texts.filter((text) => text.includes(COVERED))).toEqual([])
    await page.context().close()
  })

  it('asks in a narrow frame', async () => {
    const { page, frame } = await called('/narrow')
    await question(page, frame)
    await page.waitForTimeout(STEADY_MS)
    await shot(page, 'frame-300x2000')
    await answer(page, 'Allow once', frame)
    await expectRan(page, frame)
  })

  it('accepts an approval after something has covered it for a moment', async () => {
    const { page, frame } = await called('/narrow')
    const isDisabled = async () => (await question(page, frame)).disabled.includes('Allow once')
    await expect.poll(isDisabled, { timeout: 10_000 }).toBe(false)
    const cover = async () => {
      await run(
        page,
        `const cover = document.createElement('div')
         cover.style.cssText = 'position:fixed;inset:0;pointer-events:none;background:white'
         document.body.append(cover)
         setTimeout(() => cover.remove(), 250)`,
      )
      for (let look = 0; look < 10; look++) if (await isDisabled()) return true
      return false
    }
    await expect.poll(cover, { timeout: 20_000 }).toBe(true)
    await answer(page, 'Allow once', frame)
    await expectRan(page, frame)
  })

  it.each(['/100x50', '/220x120', '/220x300'])(
    'asks in a window of its own for a frame of another origin: %s',
    async (path) => {
      const { page, frame } = await called(path)
      await prompted(frame)
      await shot(page, `frame-${path.slice(1)}`)
      const opened = await review(page, frame)
      const { text, buttons } = await question(opened)
      expect(text).toContain('Allow a?')
      expect(text).toContain(site.other)
      expect(text).toContain('"x": 1')
      expect(buttons[0]).toBe('Deny')
      await shot(opened, `window-${path.slice(1)}`)

      await answer(opened, 'Allow once')
      await page.waitForFunction(`outcome !== 'waiting'`)
      expect(await frame.evaluate('ran')).toEqual(['{"x":1}'])
      await expect.poll(() => opened.isClosed()).toBe(true)
      expect(await questionNow(page, frame)).toBeNull()
      await page.context().close()
    },
  )

  it('accepts no second click of the person who opened the window', async () => {
    for (let attempt = 1; ; attempt++) {
      const { page, frame } = await called('/100x50')
      const opened = await review(page, frame)
      await press(opened, 'Allow once')
      // On a busy machine the click may come when the dialog takes one, and the window is closed.
      const age = 'Date.now() - performance.timeOrigin'
      const waited = await opened.evaluate<number>(age).catch(() => Infinity)
      if (waited < TAKES_CLICKS_MS || attempt === 10) {
        expect(await questionNow(opened)).not.toBeNull()
        expect(await frame.evaluate('ran')).toEqual([])
        return page.context().close()
      }
      await page.context().close()
    }
  })

  it('denies when the window is closed', async () => {
    const { page, frame } = await called('/100x50')
    const opened = await review(page, frame)
    await question(opened)
    await opened.close()
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await frame.evaluate('ran')).toEqual([])
    await page.context().close()
  })

  it('closes the window when the frame is removed', async () => {
    const { page, frame } = await called('/100x50')
    const opened = await review(page, frame)
    await question(opened)
    await run(page, `document.querySelector('iframe').remove()`)
    await expect.poll(() => opened.isClosed()).toBe(true)
    await page.context().close()
  })

  it('opens no window for a script, and allows nothing for a click that a page has led there', async () => {
    const { page, frame } = await called('/100x50')
    await prompted(frame)
    await frame.evaluate(`(() => {
      const host = document.documentElement.lastElementChild
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        host.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, clientX: 50, clientY: 25 }))
      host.click()
    })()`)
    await page.waitForTimeout(STEADY_MS)
    expect(page.context().pages()).toHaveLength(1)
    // An invisible frame under the pointer: the click opens the whole question, and allows nothing.
    await run(page, `document.querySelector('iframe').style.opacity = 0`)
    const opened = await review(page, frame)
    expect((await question(opened)).text).toContain(site.other)
    await page.waitForTimeout(STEADY_MS)
    expect(await frame.evaluate('ran')).toEqual([])
    await page.context().close()
  })

  it.each([
    ['/40x20', 'its window is too small'],
    ['/no-popups', 'no window was opened'],
  ])('refuses, with the reason, where a person cannot be asked: %s', async (path, reason) => {
    const page = await browser.open(`${site.origin}${path}`, { mayComplain: /./ })
    const frame = page.frames().find((one) => one.url().endsWith('/inner'))
    if (!frame) throw new Error('There is no frame')
    await frame.evaluate(`tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    await frame.evaluate(`void call('a', { x: 1 })`)
    if (path === '/no-popups') {
      await prompted(frame)
      await page.mouse.click(...(await middleOf(frame)))
    }
    await frame.waitForFunction(`outcome !== 'waiting'`)
    expect(await frame.evaluate('[ran, outcome]')).toEqual([
      [],
      `NotAllowedError: a did not run: ${reason}`,
    ])
    await page.context().close()
  })
})

async function middleOf(frame: Frame): Promise<[number, number]> {
  const box = await (await frame.frameElement()).boundingBox()
  if (!box) throw new Error('The frame is not shown')
  return [box.x + box.width / 2, box.y + box.height / 2]
}
