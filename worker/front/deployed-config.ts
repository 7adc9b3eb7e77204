/**
 * The deployed configuration, from the variable `EDGEWISE_CONFIG`.
 *
 * It overrides the defaults, and the configuration of a workspace overrides it. An invalid one must not fall
 * back to wider defaults, so nothing is served until it is corrected. The same holds for the webhook.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Env } from '../env.ts'
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
    return config.ok ? config : err(config.error[0].message)
  } catch {
    return err('it is not valid JSON')
  }
}

/** Returns the 503 that answers every request while the configuration or the webhook is invalid, or null. */
export function misconfigured(env: Env): Response | null {
  const config = deployedConfig(env)
  if (!config.ok)
    return refuse(`Cannot use EDGEWISE_CONFIG: ${config.error}. Set it to a valid configuration.`)
  const webhook = webhookSettings(env)
  return webhook.ok ? null : refuse(webhook.error)
}

const refuse = (message: string) =>
  Response.json({ code: 'INVALID_CONFIG', message }, { status: 503 })
