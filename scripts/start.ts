/**
 * `npm start`: runs the whole product on this machine, without further installation or network.
 *
 * Miniflare provides the Durable Object and the R2 bucket, and stores both in `.edgewise/`. Its own
 * HTTP entry halves the requests per second, so the Worker gets its own socket for each loopback
 * address and is as fast as bare workerd.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Miniflare, Response, type MiniflareOptions } from 'miniflare'
import { ASSETS_FOLDER } from './artefacts.ts'
import { buildIfOld, WORKER_MODULES } from './build.ts'
import { roomOn } from './disk.ts'
import { lock } from './lock.ts'
import { loopbackHosts, parsePort } from './port.ts'
import { writeRuntimeLine } from './runtime-log.ts'
import { compatibilityDate, compatibilityFlags, inProject, ROOT } from './settings.ts'
import { StartError } from './start-error.ts'

/** Names the data folder. It is the only variable for this script and not for the Worker. */
const DATA_VARIABLE = 'EDGEWISE_DATA'

interface Place {
  readonly port: number
  readonly hosts: readonly string[]
  readonly data: string
}

function optionsFor({ port, hosts, data }: Place): MiniflareOptions {
  return {
    host: '127.0.0.1',
    cf: false, // true would fetch location data from Cloudflare
    logRequests: false,
    handleStructuredLogs: writeRuntimeLine,
    resourcePersistencePath: data,
    workers: [
      {
        config: worker(data),
        dev: {
          rootPath: ROOT,
          unsafeDirectSockets: hosts.map((host) => ({ host, port, entrypoint: 'front' })),
        },
      },
    ],
  }
}

function worker(data: string): MiniflareOptions['workers'][number]['config'] {
  const esm = (file: string) => ({ type: 'esm' as const, contents: readFileSync(file, 'utf8') })
  const modules = Object.fromEntries(
    Object.entries(WORKER_MODULES).map(([name, file]) => [name, esm(file)]),
  )
  return {
    name: 'edgewise',
    compatibilityDate: compatibilityDate(),
    compatibilityFlags: compatibilityFlags(),
    manifest: { mainModule: 'index.js', modules },
    exports: { Workspace: { type: 'durable-object', storage: 'sqlite' } },
    env: {
      ...variables(process.env),
      WORKSPACE: { type: 'durable-object', worker: 'edgewise', exportName: 'Workspace' },
      FILES: { type: 'r2', name: 'edgewise-files' },
      OAUTH_KV: { type: 'kv', id: 'edgewise-oauth' },
      ASSETS: { type: 'assets' },
      DISK: { type: 'fetcher', handler: () => new Response(String(roomOn(data))) },
    },
    assets: { directory: ASSETS_FOLDER, runWorkerFirst: true, htmlHandling: 'none' },
  }
}

function variables(environment: NodeJS.ProcessEnv) {
  const ours = Object.entries(environment).flatMap(([name, value]) =>
    (name.startsWith('EDGEWISE_') || name === 'SANDBOX_ORIGIN') &&
    name !== DATA_VARIABLE &&
    value !== undefined
      ? [[name, { type: 'text' as const, value }] as const]
      : [],
  )
  return Object.fromEntries(ours)
}

async function findPlace(): Promise<Place> {
  const port = parsePort(process.env['PORT'] ?? '8787')
  const data = process.env[DATA_VARIABLE]
  return {
    port,
    hosts: await loopbackHosts(port),
    data: data === undefined ? inProject('.edgewise') : resolve(data),
  }
}

function announce({ port, data }: Place): void {
  console.log(`Edgewise is running.

  Console   http://localhost:${port}
  MCP       http://localhost:${port}/mcp
  Data      ${data}
  Open to   ${audience(process.env)}

Stop with Ctrl+C.`)
}

/** Describes who has access. The server checks the same two variables, see `worker/guard.ts`. */
function audience({ EDGEWISE_OWNER_SECRET, EDGEWISE_ACCESS }: NodeJS.ProcessEnv): string {
  return EDGEWISE_OWNER_SECRET || EDGEWISE_ACCESS
    ? 'whoever signs in'
    : 'this machine alone, without signing in (EDGEWISE_OWNER_SECRET asks for it)'
}

async function start(): Promise<void> {
  const place = await findPlace()
  lock(place.data)
  await buildIfOld()
  const miniflare = new Miniflare(optionsFor(place))
  stopOnSignal(() => miniflare.dispose())
  await miniflare.ready
  announce(place)
}

/** Milliseconds until the process exits after everything was closed. */
const TIDYING_MS = 3_000

function stopOnSignal(dispose: () => Promise<void>): void {
  // Miniflare still clears its temporary folder after disposal, so the exit is delayed.
  const end = () => void setTimeout(() => process.exit(0), TIDYING_MS).unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal) // the handlers of Miniflare exit with a failure
    process.once(signal, () => void dispose().finally(end))
  }
}

try {
  await start()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exit(1)
}
