/**
 * `npm run deploy`: deploys the Worker to Cloudflare, after listing the resources that this creates
 * and the variables to set. With `--dry-run` nothing is uploaded, and neither an account nor a
 * network is needed.
 *
 * @module
 */

import { rmSync } from 'node:fs'
import { inProject } from './settings.ts'
import { readSettings, runWrangler, type Settings } from './wrangler.ts'

const DRY_RUN_FOLDER = inProject('dist/deploy/dry-run')

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

async function deploy(dryRun: boolean): Promise<number> {
  printPlan(await readSettings())
  if (dryRun) rmSync(DRY_RUN_FOLDER, { recursive: true, force: true })
  const dry = dryRun ? ['--dry-run', '--outdir', DRY_RUN_FOLDER] : []
  return runWrangler('deploy', ...dry)
}

const [option, ...more] = process.argv.slice(2)
if (more.length > 0 || (option !== undefined && option !== '--dry-run')) {
  console.error('Usage: npm run deploy [-- --dry-run]')
  process.exitCode = 1
} else {
  process.exitCode = await deploy(option !== undefined)
}
