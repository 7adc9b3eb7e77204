/**
 * `npm run deploy`: deploys the Worker to Cloudflare, after listing the resources that this creates
 * and the variables to set. With `--dry-run` nothing is uploaded, and neither an account nor a
 * network is needed.
 *
 * The deployed modules are those that `npm start` runs. wrangler would bundle them again, without
 * the omissions of `scripts/bundle-plugins.ts`, so it gets its own configuration, derived from `wrangler.toml`.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { z } from 'zod'
import { ASSETS_FOLDER } from './artefacts.ts'
import { build } from './build.ts'
import { importedModules, WORKER_FILE } from './worker-modules.ts'
import { inProject, ROOT } from './settings.ts'

const FOLDER = inProject('dist/deploy')
const CONFIG_FILE = inProject('dist/deploy/wrangler.json')
const DRY_RUN_FOLDER = inProject('dist/deploy/dry-run')

/** The part of `wrangler.toml` that is printed or changed here; the rest is passed on unchanged. */
const settings = z.looseObject({
  name: z.string(),
  durable_objects: z.object({ bindings: z.array(z.looseObject({ class_name: z.string() })) }),
  r2_buckets: z.array(z.looseObject({ bucket_name: z.string() })),
  kv_namespaces: z.array(z.looseObject({ binding: z.string() })),
  assets: z.looseObject({}),
  build: z.unknown(),
})

type Settings = z.infer<typeof settings>

async function readSettings(): Promise<Settings> {
  const { rawConfig } = await readRawConfig({ config: inProject('wrangler.toml') })
  return settings.parse(rawConfig)
}

/**
 * Returns the configuration for modules that are built already. Its paths are relative to its
 * folder.
 */
function deployConfig({ build: _build, ...from }: Settings): Omit<Settings, 'build'> {
  return {
    ...from,
    main: relative(FOLDER, WORKER_FILE),
    no_bundle: true,
    rules: [{ type: 'ESModule', globs: Object.keys(importedModules()) }],
    assets: { ...from.assets, directory: relative(FOLDER, ASSETS_FOLDER) },
    // Keeps variables that were set by hand, because they may restrict access.
    keep_vars: true,
  }
}

/** The variables of a deployment, and when each is needed. */
const VARIABLES: readonly (readonly [name: string, what: string])[] = [
  [
    'EDGEWISE_OWNER_SECRET',
    'the secret you sign in with; without it or the next, every request gets 503',
  ],
  ['EDGEWISE_ACCESS', 'or Cloudflare Access: "<team>.cloudflareaccess.com <audience>"'],
  ['EDGEWISE_HOSTS', 'host names of the Worker; required for apps'],
  ['SANDBOX_ORIGIN', 'a second address of this Worker, where apps run; required for apps'],
  ['SANDBOX_SUBDOMAINS', '1, if all names below it reach the Worker; apps may then keep data'],
  ['EDGEWISE_ORIGINS', 'other web origins that may call the Worker'],
  ['EDGEWISE_CONFIG', 'JSON that overrides the default configuration'],
  ['EDGEWISE_WEBHOOK_SECRET', 'signs what is sent to the webhook: whsec_ and base64'],
  ['EDGEWISE_WEBHOOK', 'https URL that is called when something waits for you'],
  ['EDGEWISE_LOG', 'json, to log each request and each call'],
]

function printPlan({ name, durable_objects, r2_buckets, kv_namespaces }: Settings): void {
  const objects = durable_objects.bindings.map(({ class_name }) => class_name)
  const buckets = r2_buckets.map(({ bucket_name }) => bucket_name)
  const namespaces = kv_namespaces.map(({ binding }) => binding)
  const variables = VARIABLES.map(([variable, what]) => `  ${variable.padEnd(23)} ${what}`)
  console.log(`This creates or updates in your Cloudflare account:

  Worker                 ${name}, with static assets for browsers
  Durable Objects        ${objects.join(', ')}: one for each workspace, with its files and history
  R2 bucket              ${buckets.join(', ')}: files above 128 KiB
  KV namespace           ${namespaces.join(', ')}: clients, grants and tokens of OAuth

Variables to set once, with npx wrangler secret put NAME (see docs/deploy.md):

${variables.join('\n')}
`)
}

/** Runs the project's wrangler in this terminal; resolves to its exit code. */
async function wrangler(...args: string[]): Promise<number> {
  const program = inProject('node_modules/wrangler/bin/wrangler.js')
  // No usage statistics and no update check: only requests that deploying needs.
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' }
  const child = spawn(process.execPath, [program, ...args], { cwd: ROOT, env, stdio: 'inherit' })
  await once(child, 'exit')
  return child.exitCode ?? 1
}

async function deploy(dryRun: boolean): Promise<number> {
  await build()
  const from = await readSettings()
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(CONFIG_FILE, `${JSON.stringify(deployConfig(from), null, 2)}\n`)
  printPlan(from)
  const dry = dryRun ? ['--dry-run', '--outdir', DRY_RUN_FOLDER] : []
  return wrangler('deploy', '--config', CONFIG_FILE, ...dry)
}

const [option, ...more] = process.argv.slice(2)
if (more.length > 0 || (option !== undefined && option !== '--dry-run')) {
  console.error('Usage: npm run deploy [-- --dry-run]')
  process.exitCode = 1
} else {
  process.exitCode = await deploy(option !== undefined)
}
