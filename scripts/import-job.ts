/** Command line of `npm run import`. @module */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ImportError } from './import-error.ts'
import { parsePort } from './port.ts'
import { StartError } from './start-error.ts'

/** The text of `--help`. */
export const HELP = `Brings a folder and everything in it into an Edgewise workspace.

  npm run import -- <folder> [url] [--to /folder] [--all]

  <folder>      the folder on this machine
  [url]         the server, http://localhost:8787 when it is not given, or the port of the variable PORT;
                http://localhost:8787/w/name for the workspace called name
  --to /folder  the folder of the workspace to put it in, / when it is not given
  --all         take .git along, which is left out otherwise
  --help        show this

Where the server has an owner, their secret is taken from the variable EDGEWISE_OWNER_SECRET.

What is there already under the same name is overwritten; everything else stays.
Symbolic links, sockets and the like are left out, and named.`

/** An import. */
export interface Job {
  /** Absolute path of the folder to import. */
  readonly folder: string
  /** The server's address with the workspace, without a trailing slash. */
  readonly base: string
  /** Target folder in the workspace. */
  readonly to: string
  /** Whether `.git` is imported as well. */
  readonly all: boolean
}

/**
 * Reads the command line; null for `--help`.
 *
 * @throws {ImportError} For invalid arguments.
 */
export function readJob(): Job | null {
  const { values, positionals } = parseCommand()
  if (values.help) return null
  const [folder, url = localUrl(), ...rest] = positionals
  if (folder === undefined || rest.length > 0)
    throw new ImportError('Say which folder: npm run import -- <folder> [url]. More with --help')
  return { folder: resolve(startedIn(), folder), base: baseOf(url), to: values.to, all: values.all }
}

/** Returns the address at which `npm start` listens under the same variables. */
function localUrl(): string {
  try {
    return `http://localhost:${parsePort(process.env['PORT'] ?? '8787')}`
  } catch (error) {
    throw error instanceof StartError ? new ImportError(error.message) : error
  }
}

function parseCommand() {
  const flag = { type: 'boolean', default: false } as const
  const options = { to: { type: 'string', default: '/' }, all: flag, help: flag } as const
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    throw new ImportError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Returns the user's working directory: npm runs scripts in the project folder and passes it on.
 */
function startedIn(): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === 'import' && folder !== undefined ? folder : process.cwd()
}

/**
 * Returns the base address. The MCP endpoint is accepted as well, because users have it at hand.
 */
function baseOf(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ImportError(`${text} is not a URL such as http://localhost:8787`)
  return url.origin + url.pathname.replace(/(\/mcp)?\/*$/, '')
}
