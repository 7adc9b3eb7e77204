/** `npm run deploy -- --dry-run`: what would go up, without an account and without a network. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { workerModules } from '../../scripts/built.ts'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { NODE, ROOT, runWith } from '../support/e2e/run.ts'

/** The modules that have a name of their own; the others share code among them. */
const ENTRIES = [
  'highlight.mjs',
  'index.mjs',
  'owner-gate.mjs',
  'pattern.mjs',
  'sdk.mjs',
  'verify.mjs',
]

const read = (...path: string[]) => readFileSync(join(ROOT, ...path))

/** What Cloudflare takes of a Worker on the free plan. */
const MAX_GZIP = 3 * 1024 * 1024

/** Loaded before every program: opening a connection fails with a message. */
const NO_NETWORK = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net'
  net.Socket.prototype.connect = () => {
    process.stderr.write('CONNECTION OPENED')
    process.exit(9)
  }`)}`

/** Runs it without a Cloudflare account. */
function deploy(...args: string[]) {
  const home = temporaryFolder()
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    NODE_OPTIONS: `--import=${NO_NETWORK}`,
  }
  const ran = spawnSync(NODE, ['scripts/deploy.ts', ...args], { cwd: ROOT, env, encoding: 'utf8' })
  removeFolder(home)
  return ran
}

describe('a dry run', () => {
  let ran: ReturnType<typeof deploy>
  beforeAll(() => void (ran = deploy('--dry-run')))

  it('succeeds without warnings and without a connection', () => {
    expect(ran.stderr).toBe('')
    expect(ran.status).toBe(0)
  })

  it('writes the modules that npm start runs, byte by byte', () => {
    const out = readdirSync(join(ROOT, 'dist/deploy/dry-run')).filter((name) => /js$/.test(name))
    expect(out.sort()).toEqual(Object.keys(workerModules()).sort())
    expect(out).toEqual(expect.arrayContaining(ENTRIES))
    const modules = out.map((name) => read('dist/deploy/dry-run', name))
    for (const [at, name] of out.entries())
      expect(modules[at]?.equals(read('dist/worker', name)), name).toBe(true)
    const gzip = modules.reduce((sum, module) => sum + gzipSync(module).length, 0)
    expect(gzip).toBeLessThan(MAX_GZIP)
  })

  it('lists resources and required variables first', () => {
    const summary = ran.stdout.slice(0, ran.stdout.indexOf('Attaching additional modules'))
    for (const what of ['Workspace', 'Notifier', 'edgewise-files', 'OAUTH_KV', ...variables()])
      expect(summary).toContain(what)
  })
})

it('wrangler.toml names what was built, and keeps variables that were set by hand', async () => {
  const { rawConfig } = await readRawConfig({ config: join(ROOT, 'wrangler.toml') })
  expect(rawConfig).toMatchObject({
    ...{ main: 'dist/worker/index.mjs', no_bundle: true, keep_vars: true },
    migrations: [
      { tag: 'v1', new_sqlite_classes: ['Workspace'] },
      { tag: 'v2', new_sqlite_classes: ['Notifier'] },
    ],
    assets: { directory: 'dist/assets', binding: 'ASSETS', run_worker_first: true },
  })
})

/** The variables that the Worker knows: all of its environment that is text. */
function variables(): string[] {
  const source = read('worker/env.ts').toString()
  return [...source.matchAll(/readonly (\w+)\?: string/g)].flatMap(([, name]) => name ?? [])
}

it('docs/deploy.md names every variable and binding', () => {
  const page = read('docs/deploy.md').toString()
  const bindings = ['WORKSPACE', 'NOTIFIER', 'FILES', 'ASSETS', 'OAUTH_KV']
  expect(variables().length).toBeGreaterThanOrEqual(6)
  for (const name of [...bindings, ...variables()]) expect(page).toContain(`\`${name}\``)
})

it('docs/security.md names existing tests', () => {
  const page = read('docs/security.md').toString()
  const named = [...page.matchAll(/`(test\/[^`]+\.tsx?)`/g)].flatMap(([, file]) => file ?? [])
  expect(named.length).toBeGreaterThan(30)
  for (const file of named) expect(existsSync(join(ROOT, file)), file).toBe(true)
})

it.each([
  [
    ['--force'],
    "Cannot read the command line: Unknown option '--force'. Use npm run deploy -- --dry",
  ],
  [['dry-run'], 'Cannot deploy dry-run: only this project is deployed. Leave it out'],
])('accepts only one option, and not %j', (args, sentence) => {
  const { status, stderr, stdout } = deploy(...args)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(sentence)
})

it('deploys nothing where npm took --dry-run for its own', async () => {
  const swallowed = { npm_lifecycle_event: 'deploy', npm_config_dry_run: 'true' }
  expect(await runWith(swallowed, 'scripts/deploy.ts')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Cannot read the option --dry-run: npm took it for its own. Write -- before it: npm run deploy -- --dry-run\n',
  })
})
