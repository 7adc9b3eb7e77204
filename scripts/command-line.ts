/** What command lines of several scripts have in common: options, the address, and the working folder. @module */

import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UserError } from './errors.ts'
import { readPort } from './port.ts'

/**
 * Parses the command line.
 *
 * @throws {UserError} For an unknown option, or one without its value.
 */
export function parseOptions<const T extends NonNullable<ParseArgsConfig['options']>>(options: T) {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Returns the user's working directory: npm runs scripts in the project folder and passes it on.
 *
 * @param name The name of the script in `package.json`.
 */
export function workingFolder(name: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === name && folder !== undefined ? folder : process.cwd()
}

/** Returns the address at which `npm start` listens under the same variables. */
export const localUrl = () => `http://localhost:${readPort()}`

/**
 * Returns the base address of a workspace, without a trailing slash. The MCP endpoint is accepted
 * as well, because users have it at hand.
 *
 * @throws {UserError} For anything but an HTTP address.
 */
export function parseBase(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(`Invalid URL ${text}. Expected a URL such as http://localhost:8787`)
  return url.origin + url.pathname.replace(/(\/mcp)?\/*$/, '')
}
