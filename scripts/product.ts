/**
 * The product in workerd: what `npm start` runs, and tests run in their own process.
 *
 * Miniflare provides the Durable Object and the R2 bucket, and stores both in a folder. Its own HTTP entry halves the
 * requests per second, so the Worker gets its own socket for each loopback address and is as fast as bare workerd.
 * Tested by all of `test/e2e` and `test/pages`.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Miniflare, Response, type MiniflareOptions, type Request } from 'miniflare'
import { ASSETS_FOLDER, MAIN_MODULE, readModules, workerModules } from './built.ts'
import { createExtractor } from './extractor.ts'
import { freeSpace } from './data-folder.ts'
import type { RuntimeLine } from './runtime-log.ts'
import { workerVariables } from './variables.ts'
import { compatibilityDate, compatibilityFlags, ROOT } from './settings.ts'

/** What a running product needs. */
export interface Setup {
  readonly port: number
  readonly hosts: readonly string[]
  /** A second port, and its addresses, where apps run; by default they run at the other name of this machine. */
  readonly sandboxPort?: number
  readonly sandboxHosts?: readonly string[]
  /** The data folder. */
  readonly data: string
  /** The environment, of which the Worker gets the variables that are meant for it. */
  readonly environment: NodeJS.ProcessEnv
  readonly log: (line: RuntimeLine) => void
  /** Whether the Worker takes it for a deployment, where Cloudflare reports addresses of clients. */
  readonly isDeployment?: boolean
  /** Serves all requests of the Worker to other machines, in place of the internet. */
  readonly internet?: Internet
}

/** All servers but ours, by socket: each request has the host name that was asked for. */
export type Internet = (request: IncomingMessage, response: ServerResponse) => void

/** Starts the product from what was built; it answers once `ready` is fulfilled. */
export const createProduct = (setup: Setup): Miniflare => new Miniflare(optionsFor(setup))

function optionsFor(setup: Setup): MiniflareOptions {
  const { data, log, internet } = setup
  return {
    host: '127.0.0.1',
    cf: false, // true would fetch location data from Cloudflare
    logRequests: false,
    handleStructuredLogs: log,
    resourcePersistencePath: data,
    workers: [
      {
        config: worker(setup),
        dev: {
          rootPath: ROOT,
          ...(internet && { outboundService: { type: 'node-handler', handler: internet } }),
          unsafeDirectSockets: socketsOf(setup),
        },
      },
    ],
  }
}

function socketsOf({ port, hosts, sandboxPort, sandboxHosts = [] }: Setup) {
  const sandbox = sandboxHosts.map((host) => ({ host, port: sandboxPort ?? 0 }))
  return [...hosts.map((host) => ({ host, port })), ...sandbox].map((socket) => ({
    ...socket,
    entrypoint: 'front',
  }))
}

/** One for all products of this process. */
const extractor = createExtractor()

async function readDocument(request: Request): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const format = new URL(request.url).pathname.slice(1) || null
  const found = await extractor.read({ bytes, format })
  return found === null ? new Response(null, { status: 503 }) : new Response(found)
}

function worker({
  data,
  environment,
  isDeployment = false,
}: Setup): MiniflareOptions['workers'][number]['config'] {
  return {
    name: 'edgewise',
    compatibilityDate: compatibilityDate(),
    compatibilityFlags: compatibilityFlags(),
    manifest: { mainModule: MAIN_MODULE, modules: readModules(workerModules()) },
    exports: {
      Workspace: { type: 'durable-object', storage: 'sqlite' },
      Notifier: { type: 'durable-object', storage: 'sqlite' },
    },
    env: {
      ...Object.fromEntries(
        workerVariables(environment).map(([name, value]) => [
          name,
          { type: 'text' as const, value },
        ]),
      ),
      WORKSPACE: { type: 'durable-object', worker: 'edgewise', exportName: 'Workspace' },
      NOTIFIER: { type: 'durable-object', worker: 'edgewise', exportName: 'Notifier' },
      FILES: { type: 'r2', name: 'edgewise-files' },
      OAUTH_KV: { type: 'kv', id: 'edgewise-oauth' },
      ASSETS: { type: 'assets' },
      ...(!isDeployment && {
        DISK: { type: 'fetcher', handler: () => new Response(String(freeSpace(data))) },
        EXTRACTOR: { type: 'fetcher', handler: (request) => readDocument(request) },
      }),
    },
    assets: { directory: ASSETS_FOLDER, runWorkerFirst: true, htmlHandling: 'none' },
  }
}
