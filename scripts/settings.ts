/**
 * Project settings for scripts: its root folder and the runtime of `wrangler.toml`. The
 * compatibility date is read from there, so that local runs and deployments use the same.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The root folder of the project. */
export const ROOT = resolve(import.meta.dirname, '..')

/** Resolves a path in the project. */
export const inProject = (...parts: string[]) => resolve(ROOT, ...parts)

/** Returns the `compatibility_flags` of `wrangler.toml`. */
export function compatibilityFlags(): string[] {
  const text = readFileSync(inProject('wrangler.toml'), 'utf8')
  const flags = /^compatibility_flags\s*=\s*\[(.*)\]/m.exec(text)?.[1] ?? ''
  return [...flags.matchAll(/"([^"]+)"/g)].flatMap(([, flag]) => flag ?? [])
}

/** Returns the `compatibility_date` of `wrangler.toml`. */
export function compatibilityDate(): string {
  const text = readFileSync(inProject('wrangler.toml'), 'utf8')
  const date = /^compatibility_date\s*=\s*"(.+)"/m.exec(text)?.[1]
  if (date === undefined) throw new Error('Cannot find compatibility_date in wrangler.toml')
  return date
}
