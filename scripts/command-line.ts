/**
 * What command lines of several scripts have in common: options, the address, and the working folder. Tested by
 * `test/command-line.test.ts`.
 *
 * @module
 */

import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UserError } from './errors.ts'
import { isPackage } from './invocation.ts'
import { readPort } from './port.ts'

/**
 * Parses the command line.
 *
 * @param advice What to do when it is invalid.
 * @throws {UserError} For an unknown option, or one without its value.
 */
export function parseOptions<const T extends NonNullable<ParseArgsConfig['options']>>(
  options: T,
  advice = 'See --help',
  args: readonly string[] = process.argv.slice(2),
) {
  for (const name of Object.keys(options)) refuseSwallowed(name)
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UserError(`Cannot read the command line: ${message.replace(ADVICE, '')}. ${advice}`)
  }
}

/**
 * Parses the command line of a script that takes options only.
 *
 * @throws {UserError} For an argument, an unknown option, or an empty value.
 */
export function refuseArguments<const T extends NonNullable<ParseArgsConfig['options']>>(
  script: string,
  options: T,
  advice: string,
  args?: readonly string[],
) {
  const { values, positionals } = parseOptions(options, advice, args)
  const [argument] = positionals
  if (argument !== undefined)
    throw new UserError(
      `Cannot use the argument ${argument || '""'}: npm ${script} takes none. ${advice}`,
    )
  for (const [name, value] of Object.entries(values))
    if (value === '')
      throw new UserError(`Cannot read the option --${name}: its value is empty. ${advice}`)
  return values
}

/** What Node says after its first sentence. */
const ADVICE = /\.?(?:\s(?:To|Did)\s[^]*)?$/

/** Options that npm takes for the start of one of its own, under whose name it passes the value on. */
const COMPLETED: Readonly<Record<string, string>> = { to: 'token_description' }

/**
 * Refuses an option that npm took: it takes those that are not behind `--` for its own, and passes them as variables, so
 * that the run would ignore them.
 *
 * @param advice What to do, if not to write `--`.
 * @throws {UserError} If npm took it.
 */
export function refuseSwallowed(name: string, advice?: string): void {
  const { npm_lifecycle_event: script } = process.env
  // npx sets options of its own, and passes all of the command line on.
  if (script === undefined || script === 'npx' || !isSwallowed(name)) return
  const usual = `Write -- before it: npm run ${script} -- --${name}`
  throw new UserError(
    `Cannot read the option --${name}: npm took it for its own. ${advice ?? usual}`,
  )
}

const isSwallowed = (name: string) =>
  [name, COMPLETED[name] ?? name]
    .map((one) => process.env[`npm_config_${one.replaceAll('-', '_')}`])
    // Empty is what a file of settings has switched off.
    .some((value) => value !== undefined && value !== '')

/**
 * Returns the user's working directory: npm runs scripts in the project folder and passes it on.
 *
 * @param name The name of the script in `package.json`.
 */
export function workingFolder(name: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === name && folder !== undefined && !isPackage ? folder : process.cwd()
}

/** Returns the address at which `npm start` listens under the same variables. */
export const localUrl = () => `http://localhost:${readPort()}`

/**
 * Returns the base address of a workspace, without a trailing slash. The MCP endpoint is accepted
 * as well, because users have it at hand.
 *
 * @throws {UserError} For anything but an HTTP address, and for one with more than a host and a path.
 */
export function parseBase(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(
      `Cannot use the address ${text || '""'}: it is no http or https URL. Use one such as http://localhost:8787`,
    )
  // It may have a password, so it is not repeated.
  if (url.href !== url.origin + url.pathname)
    throw new UserError(
      'Cannot use the address: it has more than a host and a path. Use one such as http://localhost:8787/w/name',
    )
  return url.origin + url.pathname.replace(/(\/mcp)?\/*$/, '')
}
