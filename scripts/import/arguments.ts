/** Command line of `npm run import`. @module */

import { resolve } from 'node:path'
import { localUrl, parseBase, parseOptions, workingFolder } from '../command-line.ts'
import { UserError } from '../errors.ts'
import { commandFor } from '../invocation.ts'

/** The text of `--help`. */
export const HELP = `Imports a folder and everything in it into an Edgewise workspace.

  ${commandFor('import', '<folder>')} [url] [--to /folder] [--all] [--overwrite]

  <folder>      the folder on this machine
  [url]         the server; by default http://localhost:8787, or the port in the variable PORT;
                http://localhost:8787/w/name for the workspace with this name
  --to /folder  the target folder in the workspace; / by default
  --all         import everything: .git, secrets such as .env, node_modules, and what
                .gitignore and .edgewiseignore leave out
  --overwrite   replace files of the workspace that differ, without a question
  --help        show this text

If the server has an owner, set the variable EDGEWISE_OWNER_SECRET to the owner's secret.

Files of the workspace that have another content are replaced after a question, or with
--overwrite; all others are kept. ${commandFor('sync')} keeps a folder in step, both ways.
Symbolic links, sockets and other special files are skipped and listed.`

const flag = { type: 'boolean', default: false } as const
const OPTIONS = {
  to: { type: 'string', default: '/' },
  all: flag,
  overwrite: flag,
  help: flag,
} as const

/** An import. */
export interface ImportJob {
  /** Absolute path of the folder to import. */
  readonly folder: string
  /** The server's address with the workspace, without a trailing slash. */
  readonly base: string
  /** Target folder in the workspace. */
  readonly to: string
  /** Whether everything is imported. */
  readonly all: boolean
  /** Whether files that differ are replaced without a question. */
  readonly overwrite: boolean
}

/**
 * Reads the command line; null for `--help`.
 *
 * @throws {UserError} For invalid arguments.
 */
export function readArguments(): ImportJob | null {
  const { values, positionals } = parseOptions(OPTIONS)
  if (values.help) return null
  const [folder, url = localUrl(), ...rest] = positionals
  // The current folder has a name, `.`; an empty name is a variable that is not set.
  if (!folder) throw misused('a folder is required')
  if (values.to === '') throw misused('--to is empty')
  if (/(?:^|[/\\])\.\.(?:$|[/\\])/.test(values.to)) throw misused(`--to ${values.to} has .. in it`)
  if (rest.length > 0) throw misused('one folder and one address are expected')
  return {
    folder: resolve(workingFolder('import'), folder),
    base: parseBase(url),
    to: values.to,
    all: values.all,
    overwrite: values.overwrite,
  }
}

const misused = (reason: string) =>
  new UserError(
    `Cannot import: ${reason}. Use ${commandFor('import', '<folder>', '[url]')}, or see --help`,
  )
