/**
 * `npm start`: runs the whole product on this machine, without further installation or network, with its data in
 * `.edgewise/`. Tested by `test/e2e/startup.test.ts`; its flags by `test/flags.test.ts` and
 * `test/e2e/flags.test.ts`.
 *
 * @module
 */

import type { Miniflare } from 'miniflare'
import { z } from 'zod'
import { guardChildren } from './child-guard.ts'
import { CONFIG_SCHEMA } from '../core/config/schema.ts'
import { refuseSwallowed } from './command-line.ts'
import { dataFolder, lockFolder } from './data-folder.ts'
import { runScript, UserError } from './errors.ts'
import { helpText } from './flag-help.ts'
import { FLAGS } from './flag-table.ts'
import { parseFlags, withRestrictions, type CommandLine } from './flags.ts'
import { commandFor } from './invocation.ts'
import { openBrowser } from './open-browser.ts'
import { DEFAULT_PORT, loopbackHosts, parsePort, readPort } from './port.ts'
import { createProduct, type Setup } from './product.ts'
import { writerOf } from './runtime-log.ts'
import { DATA_VARIABLE, refuseUnknownVariables } from './variables.ts'

async function readSetup(line: CommandLine): Promise<Setup> {
  const { program } = line
  const given = program.get('port')
  const port = given === undefined ? readPort() : parsePort(given, '--port ')
  const sandbox = readSandboxPort(program.get('sandbox-port'), port)
  return {
    port,
    hosts: await loopbackHosts(port),
    ...(sandbox !== null && { sandboxPort: sandbox, sandboxHosts: await loopbackHosts(sandbox) }),
    data: dataFolder(program.get('data') ?? process.env[DATA_VARIABLE]),
    environment: {
      ...withRestrictions(process.env, line),
      ...(sandbox !== null && { SANDBOX_ORIGIN: `http://127.0.0.1:${sandbox}` }),
    },
    log: writerOf(console),
  }
}

/** Apps need an origin that is not the console's. */
function readSandboxPort(given: string | undefined, port: number): number | null {
  if (given === undefined) return null
  const sandbox = parsePort(given, '--sandbox-port ')
  if (sandbox === port)
    throw new UserError(
      `Cannot use --sandbox-port ${port}: the console has this port. Use another one such as ${port === 9001 ? 9002 : 9001}`,
    )
  if (process.env['SANDBOX_ORIGIN'])
    throw new UserError(
      'Cannot use --sandbox-port: the variable SANDBOX_ORIGIN is set. Use one of the two',
    )
  return sandbox
}

function announce({ port, data }: Setup, given: readonly string[], isFirst: boolean): void {
  console.log(`Edgewise is running.

  Console   http://localhost:${port}
  MCP       http://localhost:${port}/mcp
  Data      ${data}
  Access    ${describeAccess(process.env)}${given.length > 0 ? `\n  Flags     ${given.join(' ')}` : ''}
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
  3. Import a folder: ${variable}${commandFor('import', './folder')}
`
}

/** Describes who has access. The server checks the same two variables, see `worker/front/guard.ts`. */
function describeAccess({ EDGEWISE_OWNER_SECRET, EDGEWISE_ACCESS }: NodeJS.ProcessEnv): string {
  return EDGEWISE_OWNER_SECRET || EDGEWISE_ACCESS
    ? 'requires sign-in'
    : 'this machine only, without sign-in (EDGEWISE_OWNER_SECRET requires it)'
}

/** Does what the command line asks for, which is to serve unless it asks for a text. */
export async function start(): Promise<void> {
  for (const { name } of FLAGS)
    refuseSwallowed(name, `Write -- before it: ${commandFor('start', `--${name}`)}`)
  const line = parseFlags(process.argv.slice(2))
  if (line.program.has('help')) return console.log(helpText())
  if (line.program.has('print-config-schema'))
    return console.log(JSON.stringify(CONFIG_SCHEMA, null, 2))
  refuseUnknownVariables(process.env)
  const setup = await readSetup(line)
  const isFirst = lockFolder(setup.data)
  await prepare()
  guardChildren()
  process.umask(0o077) // for the files of workerd
  const miniflare = createProduct(setup)
  stopOnSignal(() => miniflare.dispose())
  await untilServing(miniflare, setup.port)
  announce(setup, line.given, isFirst)
  if (line.program.has('open')) openBrowser(`http://localhost:${setup.port}`)
}

/** As in `invocation.ts`. A constant of another module would keep the tools that build in the package. */
declare const EDGEWISE_PACKAGE: boolean | undefined

/** Builds where the sources are. The package has what was built, and none of the tools that build. */
async function prepare(): Promise<void> {
  if (typeof EDGEWISE_PACKAGE === 'undefined') await (await import('./build.ts')).buildIfOld()
}

/** Waits until it serves requests; where it cannot, closes it and throws the reason. */
async function untilServing(miniflare: Miniflare, port: number): Promise<void> {
  try {
    await miniflare.ready
    await checkVariables(port)
  } catch (error) {
    await miniflare.dispose().catch(() => undefined) // throws what `ready` has thrown
    await loopbackHosts(port) // another program may have taken the port since it was checked
    throw error
  }
}

const problem = z.object({ code: z.literal('INVALID_CONFIG'), message: z.string() })

/** Throws the reason for which the Worker refuses every request: a variable is invalid. */
async function checkVariables(port: number): Promise<void> {
  const response = await fetch(`http://localhost:${port}/.well-known/mcp-config`)
  const { data } = problem.safeParse(await response.json().catch(() => null))
  if (data) throw new UserError(data.message)
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

if (import.meta.main) await runScript(start)
