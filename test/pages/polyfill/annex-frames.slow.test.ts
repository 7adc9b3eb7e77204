/**
 * The approval dialog in frames: small ones, tall ones, such as are scrolled away, of this origin and
 * of another.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { answer, question, questionNow, STEADY_MS } from '../../support/pages/approval-dialog.ts'
import { pageWith, useAnnexSite } from '../../support/pages/polyfill-annex-site.ts'

const framing = (origin: string, attributes: string, before = '') =>
  pageWith(
    `${before}<script>document.write(\`<iframe allow="tools" ${attributes} src="${origin}/inner"></iframe>\`)</script>`,
  )

const OTHER = 'http://127.0.0.1:${location.port}'
const AWAY = 'scrolled out of view'

const site = useAnnexSite({
  '/small': framing('', 'width="10" height="10"'),
  '/tall': framing(OTHER, 'width="500" height="5000"'),
  '/below': framing(OTHER, 'width="500" height="500"', '<div style="height:3000px"></div>'),
})

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

describe.each(ways(WAYS))('$way', ({ args }) => {
  const browser = useBrowser([...args, '--site-per-process'])

  /** Calls the tool of the frame in a page. */
  async function called(path: string) {
    const page = await browser.open(`${site.origin}${path}`)
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
    await expect
      .poll(async () => (await question(page, frame)).text, { timeout: 10_000 })
      .toContain(AWAY)
    await run(page, 'scrollTo(0, 3000)')
    await page.waitForTimeout(STEADY_MS)
    expect((await question(page, frame)).text).not.toContain(AWAY)
    await answer(page, 'Allow once', frame)
    await expectRan(page, frame)
  })
})
