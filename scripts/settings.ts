/**
 * What every script needs to know: where the project lies, and which runtime `wrangler.toml` asks
 * for. The date is read from there, so that local runs and deployments cannot drift apart.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')

/** A path inside the project. */
export const inProject = (...parts: string[]) => resolve(ROOT, ...parts)

/** The `compatibility_flags` of `wrangler.toml`. */
export function compatibilityFlags(): string[] {
  const text = readFileSync(inProject('wrangler.toml'), 'utf8')
  const flags = /^compatibility_flags\s*=\s*\[(.*)\]/m.exec(text)?.[1] ?? ''
  return [...flags.matchAll(/"([^"]+)"/g)].flatMap(([, flag]) => flag ?? [])
}

/** The `compatibility_date` of `wrangler.toml`. */
export function compatibilityDate(): string {
  const text = readFileSync(inProject('wrangler.toml'), 'utf8')
  const date = /^compatibility_date\s*=\s*"(.+)"/m.exec(text)?.[1]
  if (date === undefined) throw new Error('Cannot find compatibility_date in wrangler.toml')
  return date
}
