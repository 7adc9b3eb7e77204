/** Command line of `npm run new-app`. @module */

import { TEMPLATES } from '#core/apps/templates.ts'
import { resolve } from 'node:path'
import { commandFor } from '../invocation.ts'
import { localUrl, parseBase, parseOptions, workingFolder } from '../command-line.ts'
import { UserError } from '../errors.ts'

/** The text of `--help`. */
export const HELP = `Makes an app from a template, in a workspace of a running server. You approve it in the console.

  ${commandFor('new-app', '<template>')} <name> [url] [--data /path] [--folder folder]

  <template>        ${TEMPLATES.join(', ')}
  <name>            small letters, digits, - and _
  [url]             the server; by default http://localhost:8787, or the port in the variable PORT;
                    http://localhost:8787/w/name for the workspace with this name
  --data /path      the file or pattern of files that the app shows; without it, sample data is made
  --folder folder   writes the files into a folder of this machine instead, to import it later
  --help            show this text

If the server has an owner, set the variable EDGEWISE_OWNER_SECRET to the owner's secret.

No file is overwritten.`

/** Where files are written. */
export type Target = { readonly base: string } | { readonly folder: string }

/** An app to make. */
export interface NewAppJob {
  readonly template: string
  readonly name: string
  readonly data: string | undefined
  /** Where its files are written. */
  readonly to: Target
}

const OPTIONS = {
  data: { type: 'string' },
  folder: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/**
 * Reads the command line; null for `--help`.
 *
 * @throws {UserError} For invalid arguments. The template, the name and the data are not checked.
 */
export function readArguments(): NewAppJob | null {
  const { values, positionals } = parseOptions(OPTIONS)
  if (values.help) return null
  const [template, name, url, ...rest] = positionals
  if (template === undefined || name === undefined || rest.length > 0)
    throw new UserError(
      'Cannot make an app: a template and a name are required. Use ' +
        commandFor('new-app', 'kanban', 'board') +
        ', or see --help',
    )
  return { template, name, data: values.data, to: readPlace('new-app', url, values.folder) }
}

/**
 * Reads where files are written.
 *
 * @param name The name of the script in `package.json`.
 * @throws {UserError} For a server and a folder at once, and for an invalid one of them.
 */
export function readPlace(
  name: string,
  url: string | undefined,
  folder: string | undefined,
): Target {
  if (folder === undefined) return { base: parseBase(url ?? localUrl()) }
  if (folder === '')
    throw new UserError('Cannot write into a folder: its name is empty. Name one, such as .')
  if (url === undefined) return { folder: resolve(workingFolder(name), folder) }
  throw new UserError(
    'Cannot write to a server and into a folder at once: both are given. Leave out one of them',
  )
}
