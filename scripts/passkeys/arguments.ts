/** Command line of `npm run passkeys`. @module */

import { localUrl, parseBase, parseOptions } from '../command-line.ts'
import { UserError } from '../errors.ts'
import { commandFor } from '../invocation.ts'

/** The text of `--help`. */
export const HELP = `Lists the passkeys of a workspace, and removes one that you have lost.

  ${commandFor('passkeys', 'list')} [--url http://localhost:8787]
  ${commandFor('passkeys', 'remove')} <label or id> [--url http://localhost:8787] [--yes]

  --url   the server; by default http://localhost:8787, or the port in the variable PORT;
          http://localhost:8787/w/name for the workspace with this name
  --yes   remove without a question
  --help  show this text

Set the variable EDGEWISE_OWNER_SECRET to the owner's secret. A server without one lists its
passkeys, and only its console removes them.

A passkey is removed a day later. Until then the console says so, and every use of a passkey
cancels it, as does the button there. With the last passkey gone, nothing asks for one.`

const flag = { type: 'boolean', default: false } as const
const OPTIONS = { url: { type: 'string' }, yes: flag, help: flag } as const

/** What is asked for. */
export interface PasskeysJob {
  /** The server's address with the workspace, without a trailing slash. */
  readonly base: string
  /** The label or the id of the passkey to remove; null to list all. */
  readonly remove: string | null
  /** Whether to remove it without a question. */
  readonly isSure: boolean
}

/**
 * Reads the command line; null for `--help`.
 *
 * @throws {UserError} For invalid arguments.
 */
export function readArguments(): PasskeysJob | null {
  const { values, positionals } = parseOptions(OPTIONS)
  if (values.help) return null
  const [what, name, ...rest] = positionals
  if (what !== 'list' && what !== 'remove') throw misused('write list or remove first')
  if (what === 'remove' && !name) throw misused('the label or the id of a passkey is required')
  if (rest.length > 0 || (what === 'list' && name !== undefined))
    throw misused('there are too many arguments. Put a label with spaces in quotes')
  const base = parseBase(values.url ?? localUrl())
  return { base, remove: what === 'remove' ? (name ?? '') : null, isSure: values.yes }
}

const misused = (reason: string) =>
  new UserError(`Cannot read the command line: ${reason}. See ${commandFor('passkeys', '--help')}`)
