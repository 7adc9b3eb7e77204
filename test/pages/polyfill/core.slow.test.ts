/**
 * The tables of `test/support/polyfill/cases` three ways: the polyfill where there is nothing native,
 * native WebMCP alone, and both together, where the polyfill has to keep out of the way.
 *
 * @module
 */

import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { FORMS, POLYFILL, useSite } from '../../support/pages/polyfill-core-site.ts'

const page = (head: string) =>
  `<!doctype html><title>Cases</title>${head}<script src="/cases.js"></script>`
const site = useSite({
  '/poly': page(POLYFILL),
  '/forms': page(FORMS),
  '/native': page(''),
})

const WAYS = [
  { way: 'polyfill', path: '/poly', args: NOT_NATIVE, native: false },
  { way: 'native', path: '/native', args: NATIVE, native: true },
  { way: 'layered', path: '/poly', args: NATIVE, native: true },
]

const TABLES = ['surface', 'register', 'list', 'execute', 'frames', 'formSchemas', 'forms']

/** Chromium calls a response that a case rejects unhandled. */
const MINE = { mayComplain: /^mine$/ }

describe.each(ways(WAYS))('$way', ({ path, args, native }) => {
  const browser = useBrowser(args)

  it.each(TABLES)('%s', async (table) => {
    const forms = path === '/poly' && table.startsWith('form')
    const page = await browser.open(`${site.origin}${forms ? '/forms' : path}`, MINE)
    const { got, want } = await page.evaluate<{ got: object; want: object }>(
      `runTable('${table}', ${native})`,
    )
    await page.context().close()
    expect(Object.keys(got).length).toBeGreaterThan(10)
    expect(got).toEqual(want)
  })
})
