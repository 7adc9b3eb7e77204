/**
 * `npm run dev`: `wrangler dev`, which builds again when a source changes. Options are passed on, flags restrict as with
 * `npm start`, and variables of the environment are added to those of `.dev.vars`. `test/e2e/dev.slow.test.ts` tests them; `test/command-line.test.ts`
 * tests its command line.
 *
 * @module
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseArguments } from './command-line.ts'
import { devVariables } from './dev-variables.ts'
import { runScript, UserError } from './errors.ts'
import { parseFlags, splitFlags, withRestrictions } from './flags.ts'
import { parsePort, readPort } from './port.ts'
import { ROOT } from './settings.ts'
import { refuseUnknownVariables } from './variables.ts'
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
async function run(args: readonly string[], variables: Variables): Promise<number> {
  const lines = [...variables].map(lineFor)
  if (lines.length === 0) return runWrangler(args)
  // wrangler would ignore the file.
  delete process.env['CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV']
  // A command line is visible to every user of the machine; this folder is not.
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-dev-'))
  const file = join(folder, 'variables')
  try {
    writeFileSync(file, lines.join(''), { mode: 0o600 })
    return await runWrangler([...args, '--env-file', file], [folder])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/

type Variables = ReadonlyMap<string, string>

const hasOwner = (variables: Variables) =>
  variables.has('EDGEWISE_OWNER_SECRET') || variables.has('EDGEWISE_ACCESS')

const OPEN_TO_OTHERS =
  'Cannot serve other machines: any program there could read and write. Set EDGEWISE_OWNER_SECRET, or leave out --ip'

/** What the command line asks for. */
export async function dev(): Promise<void> {
  const { flags, rest } = splitFlags(process.argv.slice(2))
  const { port, env, ip = 'localhost' } = refuseArguments('run dev', OPTIONS, ADVICE, rest)
  refuseUnknownVariables(process.env)
  const read = devVariables(ROOT, env ?? process.env['CLOUDFLARE_ENV'], process.env)
  const variables = restrictedBy(read, flags)
  if (!LOOPBACK.test(ip) && !hasOwner(variables)) throw new UserError(OPEN_TO_OTHERS)
  if (port !== undefined) parsePort(port, '--port ')
  const own = port === undefined ? ['--port', `${readPort()}`] : []
  // wrangler ends with Ctrl+C, and this process after it.
  process.on('SIGINT', () => undefined)
  process.exitCode = await run(['dev', ...own, ...rest], variables)
}

function restrictedBy(variables: Variables, flags: readonly string[]): Variables {
  const restricted = withRestrictions(Object.fromEntries(variables), parseFlags(flags))
  return new Map(
    Object.entries(restricted).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}

if (import.meta.main) await runScript(dev)
