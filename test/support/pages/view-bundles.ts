/**
 * Views for the frames of tests in a browser, each as one script.
 *
 * A frame is a page of its own, and would load each module of a view again: seventy requests for each test.
 *
 * @module
 */

import type { ServerResponse } from 'node:http'
import type { Plugin } from 'vite'
import { bundleText, VIEW } from './bundle.ts'

/** The path before that of a module, at which its bundle is served. */
const BUNDLED = '/bundled/'

async function send(response: ServerResponse, bundling: Promise<string>): Promise<void> {
  const text = await bundling.catch(() => null)
  response.writeHead(text === null ? 500 : 200, {
    'content-type': 'text/javascript; charset=utf-8',
  })
  response.end(text)
}

/** A Vite plugin that serves `/bundled/<module>`, and bundles again after a change of a file. */
export function serveBundles(): Plugin {
  const bundles = new Map<string, Promise<string>>()
  return {
    name: 'serve-bundles',
    configureServer({ middlewares, watcher }) {
      watcher.on('all', () => bundles.clear())
      middlewares.use(BUNDLED, ({ url = '' }, response) => {
        const entry = `.${new URL(url, 'http://page').pathname}`
        const bundling = bundles.get(entry) ?? bundleText(entry, VIEW)
        bundles.set(entry, bundling)
        void send(response, bundling)
      })
    },
  }
}
