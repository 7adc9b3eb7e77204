/**
 * A site for tests of the polyfill: pages with and without it, on two origins of this machine.
 *
 * The scripts are bundled from the sources, as the product bundles them.
 *
 * @module
 */

import { bundleScript } from '../../../scripts/artefacts.ts'
import { useTwoOrigins, type Pages, type Site } from './two-origins.ts'

const SCRIPTS: Readonly<Record<string, string>> = {
  '/core.js': 'polyfill/webmcp-core.ts',
  '/forms.js': 'test/support/polyfill/cases/apply-forms.ts',
  '/guest.js': 'test/support/polyfill/cases/hostile-frame.ts',
  '/cases.js': 'test/support/polyfill/cases/index.ts',
}

export const FORMS = '<script src="/forms.js"></script>'
export const POLYFILL = '<script src="/core.js"></script>'

export function useSite(pages: Pages, scripts = SCRIPTS): Site {
  return useTwoOrigins(async () => {
    const bundles = new Map<string, string>()
    for (const [path, entry] of Object.entries(scripts))
      bundles.set(path, await bundleScript(entry, 'iife'))
    return (request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const script = bundles.get(path)
      const page = pages[path] ?? '<!doctype html><title>Blank</title>'
      const { html, headers = {} } = typeof page === 'string' ? { html: page } : page
      const type = `text/${script === undefined ? 'html' : 'javascript'};charset=utf-8`
      response.writeHead(200, { ...headers, 'content-type': type })
      response.end(script ?? html)
    }
  })
}
