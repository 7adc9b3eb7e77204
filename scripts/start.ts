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
import { freeSpace, isEmptyFolder, lockFolder } from './data-folder.ts'
import { runScript } from './errors.ts'
import { DEFAULT_PORT, loopbackHosts, readPort } from './port.ts'
import { writeRuntimeLine } from './runtime-log.ts'
import { compatibilityDate, compatibilityFlags, inProject, ROOT } from './settings.ts'

/** Names the data folder. It is the only variable for this script and not for the Worker. */
const DATA_VARIABLE = 'EDGEWISE_DATA'

interface Setup {
  readonly port: number
  readonly hosts: readonly string[]
  /** The data folder. */
  readonly data: string
}

function optionsFor({ port, hosts, data }: Setup): MiniflareOptions {
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
      ...workerVariables(process.env),
      WORKSPACE: { type: 'durable-object', worker: 'edgewise', exportName: 'Workspace' },
      FILES: { type: 'r2', name: 'edgewise-files' },
      OAUTH_KV: { type: 'kv', id: 'edgewise-oauth' },
      ASSETS: { type: 'assets' },
      DISK: { type: 'fetcher', handler: () => new Response(String(freeSpace(data))) },
    },
    assets: { directory: ASSETS_FOLDER, runWorkerFirst: true, htmlHandling: 'none' },
  }
}

function workerVariables(environment: NodeJS.ProcessEnv) {
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    /^(?:EDGEWISE|SANDBOX)_/.test(name) && name !== DATA_VARIABLE && value !== undefined
      ? [[name, { type: 'text' as const, value }] as const]
      : [],
  )
  return Object.fromEntries(variables)
}

async function readSetup(): Promise<Setup> {
  const port = readPort()
  const data = process.env[DATA_VARIABLE]
  return {
    port,
    hosts: await loopbackHosts(port),
    data: data === undefined ? inProject('.edgewise') : resolve(data),
  }
}

function announce({ port, data }: Setup, isFirst: boolean): void {
  console.log(`Edgewise is running.

  Console   http://localhost:${port}
  MCP       http://localhost:${port}/mcp
  Data      ${data}
  Access    ${describeAccess(process.env)}
${isFirst ? nextSteps(port) : ''}
Stop with Ctrl+C.`)
}

/** Returns what to do when there is no data yet. */
function nextSteps(port: number): string {
  const variable = port === DEFAULT_PORT ? '' : `PORT=${port} `
  return `
Next:
  1. Open the console in your browser. It shows how to connect Claude, VS Code and other agents.
  2. Or give your agent the MCP address above, and ask it to write a file.
  3. Import a folder: ${variable}npm run import -- ./folder
`
}

/** Describes who has access. The server checks the same two variables, see `worker/front/guard.ts`. */
function describeAccess({ EDGEWISE_OWNER_SECRET, EDGEWISE_ACCESS }: NodeJS.ProcessEnv): string {
  return EDGEWISE_OWNER_SECRET || EDGEWISE_ACCESS
    ? 'requires sign-in'
    : 'this machine only, without sign-in (EDGEWISE_OWNER_SECRET requires it)'
}

async function start(): Promise<void> {
  const setup = await readSetup()
  const isFirst = isEmptyFolder(setup.data)
  lockFolder(setup.data)
  await buildIfOld()
  const miniflare = new Miniflare(optionsFor(setup))
  stopOnSignal(() => miniflare.dispose())
  await miniflare.ready
  announce(setup, isFirst)
}

/** Milliseconds until the process exits after everything was closed. */
const CLEANUP_MS = 3_000

function stopOnSignal(dispose: () => Promise<void>): void {
  // Miniflare still clears its temporary folder after disposal, so the exit is delayed.
  const end = () => void setTimeout(() => process.exit(0), CLEANUP_MS).unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal) // the handlers of Miniflare exit with a failure
    process.once(signal, () => void dispose().finally(end))
  }
}

await runScript(start)
