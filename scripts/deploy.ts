/**
 * `npm run deploy`: deploys the Worker to Cloudflare, after listing the resources that this creates
 * and the variables to set. With `--dry-run` nothing is uploaded, and neither an account nor a
 * network is needed.
 *
 * @module
 */

import { rmSync } from 'node:fs'
import { parseOptions } from './command-line.ts'
import { runScript, UserError } from './errors.ts'
import { inProject } from './settings.ts'
import { VARIABLES } from './variables.ts'
import { readSettings, runWrangler, type Settings } from './wrangler.ts'

const DRY_RUN_FOLDER = inProject('dist/deploy/dry-run')

function printPlan({ name, durable_objects, r2_buckets, kv_namespaces }: Settings): void {
  const objects = durable_objects.bindings.map(({ class_name }) => class_name)
  const buckets = r2_buckets.map(({ bucket_name }) => bucket_name)
  const namespaces = kv_namespaces.map(({ binding }) => binding)
  const variables = VARIABLES.map(([variable, what]) => `  ${variable.padEnd(25)} ${what}`)
  console.log(`This creates or updates in your Cloudflare account:

  Worker                 ${name}, with static assets for browsers
  Durable Objects        ${objects.join(', ')}: one for each workspace, with its files and history
  R2 bucket              ${buckets.join(', ')}: files above 128 KiB
  KV namespace           ${namespaces.join(', ')}: clients, grants and tokens of OAuth

Variables to set once, with npx wrangler secret put NAME (see docs/deploy.md):

${variables.join('\n')}
`)
}

async function deploy(dryRun: boolean): Promise<number> {
  printPlan(await readSettings())
  if (dryRun) rmSync(DRY_RUN_FOLDER, { recursive: true, force: true })
  const dry = dryRun ? ['--dry-run', '--outdir', DRY_RUN_FOLDER] : []
  return runWrangler(['deploy', ...dry])
}

const OPTIONS = { 'dry-run': { type: 'boolean', default: false } } as const

/** What the command line asks for. */
export async function run(): Promise<void> {
  const { values, positionals } = parseOptions(OPTIONS, 'Use npm run deploy -- --dry-run')
  if (positionals.length > 0)
    throw new UserError(
      `Cannot deploy ${positionals[0] || '""'}: only this project is deployed. Leave it out`,
    )
  process.exitCode = await deploy(values['dry-run'])
}

if (import.meta.main) await runScript(run)
