/** Command line of `npm run sync`. @module */

import { resolve } from 'node:path'
import { resolvePath } from '../../core/path.ts'
import { parseBase, parseOptions, workingFolder } from '../command-line.ts'
import { UserError } from '../errors.ts'
import { commandFor } from '../invocation.ts'
import type { Take } from './plan.ts'

/** The text of `--help`. */
export const HELP = `Keeps a folder on disk and a folder of an Edgewise workspace in step.

  ${commandFor('sync', '<folder>', '[url]', '[options]')}           both ways
  ${commandFor('sync', 'pull', '<folder>', '[url]', '[options]')}      only from the workspace
  ${commandFor('sync', 'push', '<folder>', '[url]', '[options]')}      only to the workspace
  ${commandFor('sync', 'status', '<folder>', '[url]')}              what is not in step, and what waits

  <folder>           the folder on this machine, which has to exist
  [url]              the workspace or a session link; by default that of the last run, else
                     http://localhost:8787, or the port in the variable PORT
  --to /folder       the folder of the workspace; / by default
  --watch            go on until Ctrl+C, and act on every change of either side
  --dry-run          show what a run would do
  --take-local       where both sides differ, the file on disk wins
  --take-remote      where both sides differ, the file of the workspace wins
  --include-secrets  send and receive .env files, keys and credentials as well
  --accept-rules     let .gitignore files count as the workspace has changed them
  --delete-many      let a run delete more than half of a side
  --help             show this text

If the server has an owner, set the variable EDGEWISE_OWNER_SECRET to the owner's secret, or
EDGEWISE_LINK to a session link. Exit code 1: a conflict or a file that could not be transferred.
See docs/sync.md.`

const flag = { type: 'boolean', default: false } as const
const OPTIONS = {
  to: { type: 'string' },
  watch: flag,
  'dry-run': flag,
  'take-local': flag,
  'take-remote': flag,
  'include-secrets': flag,
  'accept-rules': flag,
  'delete-many': flag,
  help: flag,
} as const

const COMMANDS = ['pull', 'push', 'status'] as const

/** What the command line asks for. */
export interface SyncJob {
  readonly command: 'sync' | (typeof COMMANDS)[number]
  /** Absolute path of the folder. */
  readonly folder: string
  /** The address that was named; null for that of the last run. */
  readonly base: string | null
  /** The folder of the workspace; null for that of the last run. */
  readonly to: string | null
  readonly watches: boolean
  readonly isDry: boolean
  readonly take: Take
  readonly secrets: boolean
  readonly acceptsRules: boolean
  readonly deletesMany: boolean
}

/**
 * Reads the command line; null for `--help`.
 *
 * @throws {UserError} For invalid arguments.
 */
export function readArguments(): SyncJob | null {
  const { values, positionals } = parseOptions(OPTIONS)
  if (values.help) return null
  const command = COMMANDS.find((one) => one === positionals[0]) ?? 'sync'
  const [folder, url, ...rest] = command === 'sync' ? positionals : positionals.slice(1)
  if (!folder) throw misused('a folder is required')
  if (rest.length > 0) throw misused('one folder and one address are expected')
  if (values['take-local'] && values['take-remote'])
    throw misused('--take-local and --take-remote exclude each other')
  if (values.watch && (command === 'status' || values['dry-run']))
    throw misused('--watch shows no plan')
  const address = url ?? process.env['EDGEWISE_LINK']
  return {
    command,
    folder: resolve(workingFolder('sync'), folder),
    base: address === undefined ? null : parseBase(address),
    to: values.to === undefined ? null : parseFolder(values.to),
    watches: values.watch,
    isDry: values['dry-run'],
    take: takeOf(values),
    secrets: values['include-secrets'],
    acceptsRules: values['accept-rules'],
    deletesMany: values['delete-many'],
  }
}

function parseFolder(to: string): string {
  const path = resolvePath(to)
  if (!path.ok) throw misused(`--to ${to} is no path: ${path.error}`)
  if (/(?:^|\/)\.\.(?:$|\/)/.test(to)) throw misused(`--to ${to} has .. in it`)
  return path.value
}

const takeOf = (values: {
  readonly 'take-local': boolean
  readonly 'take-remote': boolean
}): Take => (values['take-local'] ? 'local' : values['take-remote'] ? 'remote' : null)

const misused = (reason: string) =>
  new UserError(
    `Cannot sync: ${reason}. Use ${commandFor('sync', '<folder>', '[url]')}, or see --help`,
  )
