/**
 * The configuration that the operator deployed, in the variable `EDGEWISE_CONFIG`.
 *
 * It lies between the defaults and what is set in a workspace. One that cannot be read is no reason to
 * fall back to something wider, so until it is mended nothing is served.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Env } from './env.ts'

let known: { text: string; read: Result<Config, string> } | undefined

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

/** The answer to everything while the configuration cannot be read, or null. */
export function misconfigured(env: Env): Response | null {
  const config = deployedConfig(env)
  if (config.ok) return null
  const message = `Set EDGEWISE_CONFIG to a configuration: ${config.error}`
  return Response.json({ code: 'INVALID_CONFIG', message }, { status: 503 })
}
