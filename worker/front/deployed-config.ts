/**
 * The deployed configuration, from the variable `EDGEWISE_CONFIG`.
 *
 * It overrides the defaults, and the configuration of a workspace overrides it. An invalid one must not fall
 * back to wider defaults, so nothing is served until it is corrected. The same holds for the other variables
 * that would otherwise be ignored in silence: apps would run nowhere, the owner could not sign in, and a listed page
 * would be refused. Tested by `test/worker/api/configured.test.ts`.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config, type ConfigProblem } from '#core/config.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Env } from '../env.ts'
import { splitNames } from './guard.ts'
import { sandboxUrl } from './sandbox.ts'
import { webhookSettings } from '../webhook/settings.ts'

let known: { text: string; read: Result<Config, string> } | undefined

/** Returns the deployed configuration, parsed once for each text; the error says what is invalid. */
export function deployedConfig({ EDGEWISE_CONFIG: text }: Env): Result<Config, string> {
  if (text === undefined) return ok(DEFAULT_CONFIG)
  if (known?.text !== text) known = { text, read: read(text) }
  return known.read
}

/** Whether the deployed configuration is read-only, so that most workspaces offer no tool that changes files. */
export function isReadOnly(env: Env): boolean {
  const config = deployedConfig(env)
  return config.ok && config.value.read_only
}

function read(text: string): Result<Config, string> {
  try {
    const config = readConfig(JSON.parse(text), DEFAULT_CONFIG)
    return config.ok ? config : err(describe(config.error[0]))
  } catch {
    return err('it is not valid JSON')
  }
}

/** Anyone can read it, so it repeats no path and no pattern. */
const describe = ({ code, message, pointer }: ConfigProblem) =>
  code === 'INVALID_PATH' || code === 'INVALID_GLOB' ? `${code} at ${pointer}` : message

/** Returns the 503 that answers every request while one of these variables is invalid, or null. */
export function misconfigured(env: Env): Response | null {
  const config = deployedConfig(env)
  if (!config.ok)
    return refuse(`Cannot use EDGEWISE_CONFIG: ${config.error}. Set it to a valid configuration.`)
  const webhook = webhookSettings(env)
  if (!webhook.ok) return refuse(webhook.error)
  const invalid = invalidAddress(env)
  return invalid === null ? null : refuse(invalid)
}

/** Describes the first of these variables that is invalid. Anyone can read it, so it repeats no value. */
function invalidAddress(env: Env): string | null {
  if (sandboxUrl(env) === null)
    return 'Cannot use SANDBOX_ORIGIN: it is no http or https URL. Set it to an origin.'
  if (env.EDGEWISE_ACCESS && !ACCESS.test(env.EDGEWISE_ACCESS))
    return 'Cannot use EDGEWISE_ACCESS: it is no domain and audience. Set it to both, with a space between.'
  if (env.EDGEWISE_ORIGINS && !splitNames(env.EDGEWISE_ORIGINS).every(isOrigin))
    return 'Cannot use EDGEWISE_ORIGINS: a name in it is no origin. Write each as https://site.example.'
  return null
}

/** The team's domain and the application's audience. */
const ACCESS = /^\s*[\w-]+(?:\.[\w-]+)+\s+\S+\s*$/

/** Whether a browser could send this text in `Origin`; those of extensions have a scheme of their own. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && text === `${url.protocol}//${url.host}` && url.host !== ''
}

const refuse = (message: string) =>
  Response.json({ code: 'INVALID_CONFIG', message }, { status: 503 })
