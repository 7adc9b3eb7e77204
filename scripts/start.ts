/**
 * `npm start`: runs the whole product on this machine, without further installation or network, with its data in
 * `.edgewise/`. Tested by `test/e2e/startup.test.ts`.
 *
 * @module
 */

import { resolve } from 'node:path'
import { buildIfOld } from './build.ts'
import { isEmptyFolder, lockFolder } from './data-folder.ts'
import { runScript } from './errors.ts'
import { DEFAULT_PORT, loopbackHosts, readPort } from './port.ts'
import { createProduct, DATA_VARIABLE, type Setup } from './product.ts'
import { writerOf } from './runtime-log.ts'
import { inProject } from './settings.ts'

async function readSetup(): Promise<Setup> {
  const port = readPort()
  const data = process.env[DATA_VARIABLE]
  return {
    port,
    hosts: await loopbackHosts(port),
    data: data === undefined ? inProject('.edgewise') : resolve(data),
    environment: process.env,
    log: writerOf(console),
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
  const miniflare = createProduct(setup)
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
