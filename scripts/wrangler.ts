/**
 * wrangler, with `wrangler.toml`. Its `main` is what `npm run build` has written: the modules that `npm start` runs.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { z } from 'zod'
import { guard, guardingEnvironment } from './child-guard.ts'
import { inProject, ROOT } from './settings.ts'

/** The part of `wrangler.toml` that is printed. */
const settings = z.object({
  name: z.string(),
  durable_objects: z.object({ bindings: z.array(z.object({ class_name: z.string() })) }),
  r2_buckets: z.array(z.object({ bucket_name: z.string() })),
  kv_namespaces: z.array(z.object({ binding: z.string() })),
})

/** The settings in `wrangler.toml`. */
export type Settings = z.infer<typeof settings>

/** Reads `wrangler.toml`. */
export async function readSettings(): Promise<Settings> {
  const { rawConfig } = await readRawConfig({ config: inProject('wrangler.toml') })
  return settings.parse(rawConfig)
}

/**
 * No usage statistics, no update check and no location data: only requests that the command needs. No explorer of the
 * local storage either, which every page on this machine could read and write without signing in.
 */
const QUIET = {
  X_LOCAL_EXPLORER: 'false',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/**
 * Runs the project's wrangler in this terminal; resolves to its exit code.
 *
 * @param folders Made for this run, and deleted if this process is killed.
 */
export async function runWrangler(
  args: readonly string[],
  folders: readonly string[] = [],
): Promise<number> {
  const program = inProject('node_modules/wrangler/bin/wrangler.js')
  const env = { ...process.env, ...QUIET, ...guardingEnvironment() }
  const options = { cwd: ROOT, env, stdio: 'inherit' } as const
  const child = guard(spawn(process.execPath, [program, ...args], options), ...folders)
  // Ctrl+C reaches both; `kill` reaches this process alone, and wrangler would go on.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => child.kill(signal))
  await once(child, 'exit')
  return child.exitCode ?? 1
}
