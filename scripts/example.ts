/**
 * `npm run example -- <name>`: runs a program of `examples/` against a server of its own, which
 * starts with the files of `examples/` and is removed afterwards. If the variable `PORT` is set, the
 * program runs against the server at that port instead.
 *
 * @module
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { guard } from './child-guard.ts'
import { localUrl } from './command-line.ts'
import { describeSystemError, UserError, runScript } from './errors.ts'
import { freePort } from './port.ts'
import { inProject, ROOT } from './settings.ts'

const NAMES = globSync('examples/*.ts', { cwd: ROOT })
  .map((file) => basename(file, '.ts'))
  .sort()

/** Runs a program of the project in this terminal; resolves to its exit code. */
async function run(program: string, ...args: string[]): Promise<number> {
  const child = guard(
    spawn(process.execPath, [inProject(program), ...args], { cwd: ROOT, stdio: 'inherit' }),
  )
  await once(child, 'exit')
  return child.exitCode ?? 1
}

/** Runs a function with the address of a server that exists only for it. */
async function withServer(use: (url: string) => Promise<number>): Promise<number> {
  const port = await freePort()
  const data = mkdtempSync(join(tmpdir(), 'edgewise-example-'))
  // The owner's secret would close the server to the example.
  const { EDGEWISE_OWNER_SECRET: _, EDGEWISE_ACCESS: __, ...inherited } = process.env
  const server = guard(
    spawn(process.execPath, [inProject('scripts/start.ts')], {
      cwd: ROOT,
      env: { ...inherited, PORT: `${port}`, EDGEWISE_DATA: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
    data,
  )
  const exit = once(server, 'exit')
  // Without its server the program fails, and what follows removes the data.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => server.kill())
  try {
    await untilReady(server)
    return await use(`http://localhost:${port}`)
  } finally {
    server.kill()
    await exit
    rmSync(data, { recursive: true, force: true })
  }
}

function untilReady(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.stdout?.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('is running')) resolve()
  })
  server.once('exit', () =>
    reject(
      new UserError('Cannot run the example: its server did not start. See its message above'),
    ),
  )
  return promise
}

/** Returns the address of the server at the port in the variable `PORT`. */
async function runningServer(): Promise<string> {
  const url = localUrl()
  try {
    await fetch(`${url}/healthz`)
    return url
  } catch (error) {
    const reason = describeSystemError(error instanceof Error ? error.cause : error)
    throw new UserError(`Cannot reach ${url}: ${reason}. Start the server there, or unset PORT`)
  }
}

/** Runs the example that the command line names. */
export async function runExample(): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  if (name === undefined || !NAMES.includes(name))
    throw new UserError(
      `Cannot run an example: ${name === undefined ? 'a name is required' : `there is none with the name ${name || '""'}`}. Use npm run example -- <name>, with one of: ${NAMES.join(', ')}`,
    )
  const file = `examples/${name}.ts`
  process.exitCode =
    process.env['PORT'] === undefined
      ? await withServer(async (url) => {
          const imported = await run('scripts/import.ts', 'examples', url)
          return imported || run(file, `${url}/mcp`, ...args)
        })
      : await run(file, `${await runningServer()}/mcp`, ...args)
}

if (import.meta.main) await runScript(runExample)
