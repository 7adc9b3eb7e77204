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

const EXTRACTED = parse(readFileSync(inProject('node_modules/@webref/idl/webmcp.idl'), 'utf8'))

/**
 * The interface that Chrome 160 brings, and the extracted file lacks as yet.
 * https://github.com/webmachinelearning/webmcp/pull/348
 */
const TOOL = parse(`
  [Exposed=Window, SecureContext]
  interface Tool {
    readonly attribute object? annotations;
    readonly attribute DOMString description;
    readonly attribute object? inputSchema;
    readonly attribute DOMString name;
    readonly attribute USVString origin;
    readonly attribute object? outputSchema;
    readonly attribute WindowProxy source;
    readonly attribute USVString title;
  };
`)

/** Members and rules in the extracted file; a new version of it may bring more. */
const CHECKS = 54

/** Of the interface: nine of its own, and two for each attribute. */
const TOOL_CHECKS = 9 + 2 * 8

const WAYS = [
  { way: 'core', path: '/core', args: NOT_NATIVE, added: TOOL },
  { way: 'full', path: '/full', args: NOT_NATIVE, added: TOOL },
  { way: 'native', path: '/native', args: NATIVE, added: [] },
  { way: 'full over native', path: '/full', args: NATIVE, added: [] },
]

describe.each(ways(WAYS))('$way', ({ path, args, added }) => {
  const browser = useBrowser(args)

  it('has the interfaces of the Web IDL', async () => {
    const page = await browser.open(`${site.origin}${path}`)
    const definitions = JSON.stringify([...EXTRACTED, ...added])
    const result = await page.evaluate(`judge(${definitions})`)
    await page.context().close()
    const count = CHECKS + (added.length > 0 ? TOOL_CHECKS : 0)
    expect(result).toEqual({ count, failures: {} })
  })
})
