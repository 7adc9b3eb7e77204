/**
 * The Web IDL of the specification, as webref extracts it, against the interfaces of core and of the
 * full script: the checks of web-platform-tests' `idlharness`, in code of our own.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'webidl2'
import { inProject } from '../../../scripts/settings.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { useSite } from '../../support/pages/polyfill-core-site.ts'

const page = (script: string) =>
  `<!doctype html><title>IDL</title>${script}<script src="/judge.js"></script>`
const site = useSite(
  {
    '/core': page('<script src="/core.js"></script>'),
    '/full': page('<script src="/full.js"></script>'),
    '/native': page(''),
  },
  {
    '/core.js': 'polyfill/webmcp-core.ts',
    '/full.js': 'polyfill/webmcp.ts',
    '/judge.js': 'test/support/polyfill/idl-judge.ts',
  },
)

const definitions = JSON.stringify(
  parse(readFileSync(inProject('node_modules/@webref/idl/webmcp.idl'), 'utf8')),
)

/** Members and rules in that file; a new version of it may bring more. */
const CHECKS = 54

const WAYS = [
  { way: 'core', path: '/core', args: NOT_NATIVE },
  { way: 'full', path: '/full', args: NOT_NATIVE },
  { way: 'native', path: '/native', args: NATIVE },
  { way: 'full over native', path: '/full', args: NATIVE },
]

describe.each(ways(WAYS))('$way', ({ path, args }) => {
  const browser = useBrowser(args)

  it('has the interfaces of the Web IDL', async () => {
    const page = await browser.open(`${site.origin}${path}`)
    const result = await page.evaluate(`judge(${definitions})`)
    await page.context().close()
    expect(result).toEqual({ count: CHECKS, failures: {} })
  })
})
