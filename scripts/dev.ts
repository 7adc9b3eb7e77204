/**
 * `npm run dev`: `wrangler dev`, which builds again when a source changes. Options are passed on, flags restrict as with
 * `npm start`, and variables of the environment are added to those of `.dev.vars`. `test/e2e/dev.slow.test.ts` tests both; `test/e2e/command-line.test.ts`
 * tests its command line.
 *
 * @module
 */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseArguments } from './command-line.ts'
import { runScript, UserError } from './errors.ts'
import { parseFlags, splitFlags, withRestrictions } from './flags.ts'
import { parsePort, readPort } from './port.ts'
import { inProject } from './settings.ts'
import { refuseUnknownVariables, workerVariables } from './variables.ts'
import { runWrangler } from './wrangler.ts'

/** Options of wrangler that change what is served and where. */
const OPTIONS = {
  port: { type: 'string' },
  ip: { type: 'string' },
  env: { type: 'string' },
  remote: { type: 'boolean' },
  'persist-to': { type: 'string' },
  'inspector-port': { type: 'string' },
  'log-level': { type: 'string' },
  'local-protocol': { type: 'string' },
} as const

const ADVICE = `Use npm run dev -- with ${Object.keys(OPTIONS)
  .map((name) => `--${name}`)
  .join(', ')}`

/** Writes a variable as a line that wrangler reads as the same text: it replaces names after a $. */
function lineFor([name, value]: readonly [string, string]): string {
  const text = value.replaceAll('$', String.raw`\$`)
  const quote = ["'", '`', '"'].find((one) => !text.includes(one))
  const isExact =
    quote !== undefined && !text.endsWith('\\') && (quote !== '"' || !/\\[nr]/.test(text))
  if (isExact) return `${name}=${quote}${text}${quote}\n`
  throw new UserError(
    `Cannot pass the variable ${name} to wrangler: it ends with a backslash or has every kind of quote. Change it, or use npm start`,
  )
}

/** wrangler ignores the environment: with a secret that it does not get, it would serve without sign-in. */
async function run(
  args: readonly string[],
  environment: string | undefined,
  given: NodeJS.ProcessEnv,
): Promise<number> {
  const lines = workerVariables(given)
    .filter(([, value]) => value !== '')
    .map(lineFor)
  if (lines.length === 0) return runWrangler(args)
  const own = variablesFile(environment)
  // A command line is visible to every user of the machine; this folder is not.
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-dev-'))
  const file = join(folder, 'variables')
  try {
    writeFileSync(file, lines.join(''), { mode: 0o600 })
    const files = [...(own === undefined ? [] : [own]), file]
    return await runWrangler([...args, ...files.flatMap((name) => ['--env-file', name])], [folder])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/

/** Returns the file with variables that wrangler reads for an environment; undefined without one. */
const variablesFile = (environment: string | undefined): string | undefined =>
  [environment ? `.dev.vars.${environment}` : '', '.dev.vars']
    .filter((name) => name !== '')
    .map((name) => inProject(name))
    .find((file) => existsSync(file))

/** Whether the environment, or the file with variables that is read, has an owner. */
function hasOwner(environment: string | undefined): boolean {
  const file = variablesFile(environment)
  return (
    workerVariables(process.env).some(([name, value]) => OWNER.test(name) && value !== '') ||
    (file !== undefined && OWNER_LINE.test(readFileSync(file, 'utf8')))
  )
}

const OWNER = /^EDGEWISE_(?:OWNER_SECRET|ACCESS)$/

const OWNER_LINE = /^EDGEWISE_(?:OWNER_SECRET|ACCESS)=["'`]?[^\s"'`]/m

const OPEN_TO_OTHERS =
  'Cannot serve other machines: any program there could read and write. Set EDGEWISE_OWNER_SECRET, or leave out --ip'

await runScript(async () => {
  const { flags, rest } = splitFlags(process.argv.slice(2))
  const { port, env, ip = 'localhost' } = refuseArguments('run dev', OPTIONS, ADVICE, rest)
  refuseUnknownVariables(process.env)
  const variables = withRestrictions(process.env, parseFlags(flags))
  if (!LOOPBACK.test(ip) && !hasOwner(env)) throw new UserError(OPEN_TO_OTHERS)
  if (port !== undefined) parsePort(port, '--port ')
  const own = port === undefined ? ['--port', `${readPort()}`] : []
  // wrangler ends with Ctrl+C, and this process after it.
  process.on('SIGINT', () => undefined)
  process.exitCode = await run(['dev', ...own, ...rest], env, variables)
})
