/**
 * wrangler with the modules that are built already. It would bundle them again, without the omissions of
 * `scripts/bundle-plugins.ts`, so it gets a configuration of its own, derived from `wrangler.toml`.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { z } from 'zod'
import { ASSETS_FOLDER } from './artefacts.ts'
import { inProject, ROOT } from './settings.ts'
import { WORKER_FILE } from './worker-modules.ts'

/** The part of `wrangler.toml` that is printed or changed by scripts; the rest is passed on unchanged. */
const settings = z.looseObject({
  name: z.string(),
  durable_objects: z.object({ bindings: z.array(z.looseObject({ class_name: z.string() })) }),
  r2_buckets: z.array(z.looseObject({ bucket_name: z.string() })),
  kv_namespaces: z.array(z.looseObject({ binding: z.string() })),
  assets: z.looseObject({}),
  build: z.looseObject({ command: z.string() }),
})

/** The settings in `wrangler.toml`. */
export type Settings = z.infer<typeof settings>

/** Reads `wrangler.toml`. */
export async function readSettings(): Promise<Settings> {
  const { rawConfig } = await readRawConfig({ config: inProject('wrangler.toml') })
  return settings.parse(rawConfig)
}

/** Writes a configuration for the built modules into a folder, which is emptied; returns its file. */
export function writeConfig(folder: string, from: Settings, changes: Readonly<object>): string {
  const config = {
    ...from,
    main: relative(folder, WORKER_FILE),
    no_bundle: true,
    rules: [{ type: 'ESModule', globs: ['*.js'] }],
    assets: { ...from.assets, directory: relative(folder, ASSETS_FOLDER) },
    ...changes,
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'wrangler.json')
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`)
  return file
}

/** Runs the project's wrangler in this terminal; resolves to its exit code. */
export async function runWrangler(...args: string[]): Promise<number> {
  const program = inProject('node_modules/wrangler/bin/wrangler.js')
  // No usage statistics and no update check: only requests that the command needs.
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' }
  const child = spawn(process.execPath, [program, ...args], { cwd: ROOT, env, stdio: 'inherit' })
  await once(child, 'exit')
  return child.exitCode ?? 1
}
