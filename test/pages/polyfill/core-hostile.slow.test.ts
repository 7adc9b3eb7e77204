/**
 * The polyfill beside a frame that wishes the page ill: the table of `test/support/polyfill/cases/hostile.ts`.
 *
 * @module
 */

import { expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { POLYFILL, useSite } from '../../support/pages/polyfill-core-site.ts'

const browser = useBrowser()
const site = useSite({
  '/page': `<!doctype html><title>Page</title>${POLYFILL}<script src="/cases.js"></script>`,
  '/guest': '<!doctype html><title>Guest</title><script src="/guest.js"></script>',
})

it('resists a hostile frame', async () => {
  const page = await browser.open(`${site.origin}/page`)
  const { got, want } = await page.evaluate<{ got: object; want: object }>(
    `runTable('hostile', false)`,
  )
  await page.context().close()
  expect(Object.keys(got).length).toBeGreaterThan(10)
  expect(got).toEqual(want)
})
