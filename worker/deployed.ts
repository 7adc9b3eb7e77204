/**
 * The deployed configuration, from the variable `EDGEWISE_CONFIG`.
 *
 * It overrides the defaults, and the configuration of a workspace overrides it. An invalid one must not fall
 * back to wider defaults, so nothing is served until it is corrected.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Env } from './env.ts'

let known: { text: string; read: Result<Config, string> } | undefined

/** Returns the deployed configuration, parsed once for each text; the error says what is invalid. */
export function deployedConfig({ EDGEWISE_CONFIG: text }: Env): Result<Config, string> {
  if (text === undefined) return ok(DEFAULT_CONFIG)
  if (known?.text !== text) known = { text, read: read(text) }
  return known.read
}

function read(text: string): Result<Config, string> {
  try {
    return readConfig(JSON.parse(text), DEFAULT_CONFIG)
  } catch {
    return err('it is not JSON')
  }
}

/** Returns the 503 that answers every request while the configuration is invalid, or null. */
export function misconfigured(env: Env): Response | null {
  const config = deployedConfig(env)
  if (config.ok) return null
  const message = `Set EDGEWISE_CONFIG to a configuration: ${config.error}`
  return Response.json({ code: 'INVALID_CONFIG', message }, { status: 503 })
}
