/**
 * The Worker with an owner, in the workerd of this process: so that a test can read its key-value
 * store, and serve the URLs that it fetches.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { afterAll, beforeAll } from 'vitest'
import { ASSETS_FOLDER, MAIN_MODULE, readModules, workerModules } from '../../../scripts/built.ts'
import { buildIfOld } from '../../../scripts/build.ts'
import { compatibilityDate, compatibilityFlags, ROOT } from '../../../scripts/settings.ts'
import { SECRET } from './person.ts'

/** The key-value store of OAuth: clients, grants and tokens, by name. */
export interface Kept {
  get(name: string): Promise<string | null>
  put(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
  list(options: { prefix: string }): Promise<{ keys: { name: string }[] }>
}

export interface TokenServer {
  /** The origin of this server. */
  readonly url: string
  /** The same server under another name, and so another resource. */
  readonly otherUrl: string
  kept(): Promise<Kept>
  /** All that it has written to its log. */
  logged(): string
}

/** All servers but ours. It receives requests by socket, with the requested host name. */
export type Internet = (request: IncomingMessage, response: ServerResponse) => void

/** A server for all tests of a file, with further variables. */
export function useTokenServer(
  internet: Internet = nothing,
  variables: Readonly<Record<string, string>> = {},
): TokenServer {
  let running: { miniflare: Miniflare; port: string } | undefined
  let log = ''
  const current = () => {
    if (!running) throw new Error('The server runs in tests and hooks only')
    return running
  }
  beforeAll(async () => {
    await buildIfOld()
    const miniflare = new Miniflare(optionsFor(internet, variables, (text) => (log += text)))
    const { port } = await miniflare.unsafeGetDirectURL(WORKER, ENTRY)
    running = { miniflare, port }
  })
  afterAll(() => running?.miniflare.dispose())
  return {
    get url() {
      return `http://127.0.0.1:${current().port}`
    },
    get otherUrl() {
      return `http://localhost:${current().port}`
    },
    kept: () => current().miniflare.getKVNamespace('OAUTH_KV'),
    logged: () => log,
  }
}

const WORKER = 'edgewise'

/** The same handler as the Worker's own, without the assets in between. */
const ENTRY = 'front'

const nothing: Internet = (_, response) => void response.writeHead(502).end()

function optionsFor(
  internet: Internet,
  variables: Readonly<Record<string, string>>,
  write: (text: string) => void,
): MiniflareOptions {
  return {
    host: '127.0.0.1',
    cf: false,
    logRequests: false,
    handleStructuredLogs: ({ message }) => write(message),
    workers: [
      {
        config: worker(variables),
        dev: {
          rootPath: ROOT,
          outboundService: { type: 'node-handler', handler: internet },
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0, entrypoint: ENTRY }],
        },
      },
    ],
  }
}

function worker(
  variables: Readonly<Record<string, string>>,
): MiniflareOptions['workers'][number]['config'] {
  return {
    name: WORKER,
    compatibilityDate: compatibilityDate(),
    compatibilityFlags: compatibilityFlags(),
    manifest: { mainModule: MAIN_MODULE, modules: readModules(workerModules()) },
    exports: {
      Workspace: { type: 'durable-object', storage: 'sqlite' },
      Notifier: { type: 'durable-object', storage: 'sqlite' },
    },
    env: {
      ...Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, { type: 'text' as const, value }]),
      ),
      EDGEWISE_OWNER_SECRET: { type: 'text', value: SECRET },
      WORKSPACE: { type: 'durable-object', worker: WORKER, exportName: 'Workspace' },
      NOTIFIER: { type: 'durable-object', worker: WORKER, exportName: 'Notifier' },
      FILES: { type: 'r2', name: 'edgewise-files' },
      OAUTH_KV: { type: 'kv', id: 'edgewise-oauth' },
      ASSETS: { type: 'assets' },
    },
    assets: { directory: ASSETS_FOLDER, runWorkerFirst: true, htmlHandling: 'none' },
  }
}
