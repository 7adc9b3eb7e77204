/**
 * The walls of the house: who may import whom, as a table, held against every import there is.
 *
 * @module
 */

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { RARE_TABLES } from '../worker/database/rare-tables.ts'

/** Rooms that a room may import. Between rooms with no arrow there is only a wire. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  worker: ['core'],
  polyfill: ['core'],
  // Of the views, the lines of a difference: the console and the views draw them with the same components.
  host: ['core', 'polyfill', 'views'],
  views: ['core'],
  packages: ['core'],
}

/** Packages that a room may import. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  worker: [
    '@block65/webcrypto-web-push',
    '@cloudflare/workers-oauth-provider',
    '@modelcontextprotocol/server',
    '@simplewebauthn/server',
    'agents',
    'cloudflare:workers',
    'hono',
    'jose',
    'modern-tar',
    'node:async_hooks',
    'node:crypto',
    'node:zlib',
    're2js',
    'unpdf',
    'yaml',
    'zod',
  ],
  polyfill: ['idb-keyval'],
  host: ['@modelcontextprotocol/client', '@preact/signals', '@simplewebauthn/browser', 'preact'],
  views: ['preact'],
  packages: [
    '@edgewise/mcp-view',
    '@edgewise/webmcp',
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/server',
    'preact',
    'react',
    'zod',
  ],
}

const IMPORT = /(?:\bfrom |^import |\bimport\()'([^'\n]+)'/gm

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? '')
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

it.each(Object.keys(MAY_IMPORT))('%s imports only what it may', (room) => {
  const files = globSync(`${room}/**/*.{ts,tsx}`)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    for (const target of importsOf(file)) {
      const where = `${file} imports ${target}`
      if (target.startsWith('.'))
        expect(join(dirname(file), target).split('/')[0], where).toBe(room)
      else if (target.startsWith('#')) {
        expect(MAY_IMPORT[room], where).toContain(target.slice(1).split('/')[0])
        if (target.startsWith('#views/')) expect(target, where).toMatch(/^#views\/diff\//)
      } else expect(MAY_USE[room], where).toContain(packageOf(target))
    }
  }
})

/**
 * The folders of `worker/` and the modules beside them, floor by floor from the ground: each imports only what is on the
 * same line and in the same folder, or on a line above it here. So no two of them import each other.
 */
const FLOORS: readonly (readonly string[])[] = [
  [
    'alarm.ts',
    'drop-oldest.ts',
    'env.ts',
    'http.ts',
    'json-rpc.ts',
    'limits.ts',
    'maybe-promise.ts',
    'outbound.ts',
    'workspace-name.ts',
  ],
  ['token-bucket.ts', 'views.ts', 'wait-until.ts', 'waiting-url.ts', 'database'],
  ['audit', 'encoding', 'observe', 'xml'],
  ['texts', 'outbox', 'changes/review-page'],
  ['notifier', 'texts/documents'],
  ['store'],
  ['errors', 'file-headers.ts', 'store/content', 'store/read'],
  ['search', 'store/write'],
  ['store/draft'],
  ['store/open'],
  ['access'],
  ['archive', 'sessions'],
  ['auth', 'tools/lib'],
  ['changes', 'decisions', 'passkeys'],
  ['comments', 'drafts', 'leases', 'page-links'],
  ['requests', 'research', 'tools', 'trust'],
  ['approved', 'call', 'deferred-work.ts'],
  ['apps', 'skills'],
  ['mcp'],
  ['front', 'owner'],
  ['api'],
  ['dav'],
  ['events.ts', 'serve.ts'],
  ['open.ts'],
  ['notifier-object.ts', 'workspace.ts'],
  ['index.ts'],
]

/** The folder of a file of `worker/`, or the file itself if it is in none. */
function placeOf(file: string): string {
  const folder = dirname(file).slice('worker/'.length)
  return folder === '' ? file.slice('worker/'.length) : folder
}

it('a folder of the worker imports only what is below it', () => {
  const floorOf = new Map(FLOORS.flatMap((places, floor) => places.map((place) => [place, floor])))
  const upward: string[] = []
  for (const file of globSync('worker/**/*.ts').filter((name) => !name.endsWith('.d.ts'))) {
    const own = floorOf.get(placeOf(file))
    expect(own, `${file} is on no floor`).toBeDefined()
    for (const target of importsOf(file).filter((name) => name.startsWith('.'))) {
      const to = join(dirname(file), target)
      if (placeOf(to) !== placeOf(file) && !((floorOf.get(placeOf(to)) ?? Infinity) < (own ?? 0)))
        upward.push(`${file} imports ${to}`)
    }
  }
  expect(upward).toEqual([])
})

/** Who may hold the raw store or search. Everything else gets the workspace of a caller, from `worker/access/`. */
const MAY_HOLD_RAW = /^worker\/(?:access|audit|comments|drafts|store|search)\/|^worker\/open\.ts$/

/** Imports, under any name, that hand out what no caller's access has been applied to. */
const RAW = [
  /\{[^}]*\b(?:Store|RawWorkspace|createSqliteStore|createOpener|createSearch|createHistory|createApply)\b[^}]*\} from/,
  /from '[^']*\/(?:open\/sqlite|read\/entries|write\/apply|read\/history|content\/(?:content|held-content|blobs|objects))\.ts'/,
  /(?:import|export) \* (?:as \w+ )?from '[^']*\/(?:store|search|access)\//,
]

it('tools, resources, streams and routes do not import the raw store', () => {
  const files = globSync('worker/**/*.ts').filter((file) => !MAY_HOLD_RAW.test(file))
  expect(files.length).toBeGreaterThan(50)
  for (const file of files) {
    const imports = readFileSync(file, 'utf8').match(/^(?:import|export) [\s\S]*?from '[^']+'/gm)
    for (const one of imports ?? [])
      for (const raw of RAW) expect(one, `${file} holds what is raw`).not.toMatch(raw)
  }
})

it('only the pipelines open a workspace for a caller', () => {
  const holders = globSync('worker/**/*.ts').filter((file) =>
    /\bOpenFor\b/.test(readFileSync(file, 'utf8')),
  )
  // A new holder has to say for whom it opens the workspace, and needs rows in the access matrix.
  expect(holders.toSorted()).toEqual([
    'worker/access/workspace.ts',
    // Held by test/worker/api/link-matrix.test.ts, for every kind of link.
    'worker/api/link.ts',
    'worker/api/routes.ts',
    // Held by test/worker/api/transfer-link.test.ts, for every kind of caller.
    'worker/api/transfer-link.ts',
    'worker/call/context.ts',
  ])
})

it('only one module writes the table of sessions, because it keeps rows in memory', () => {
  const writes = /\b(?:INTO|UPDATE|DELETE FROM|REPLACE INTO) sessions\b/
  const writers = globSync('worker/**/*.ts').filter((file) =>
    writes.test(readFileSync(file, 'utf8')),
  )
  expect(writers).toEqual(['worker/sessions/sessions.ts'])
})

it('only one module begins transactions, because it forgets the tables that a rollback takes back', () => {
  const begins = globSync('worker/**/*.ts').filter((file) =>
    /\.transaction(?:Sync)?\(/.test(
      readFileSync(file, 'utf8').replaceAll('store.transaction(', ''),
    ),
  )
  expect(begins).toEqual(['worker/database/table-groups.ts'])
})

/** Modules of the store of a draft, which creates its tables when it is opened. */
const OF_A_DRAFT = [
  'worker/store/draft/applied.ts',
  'worker/store/layer.ts',
  'worker/store/write/versions.ts',
]

it('a table that need not exist is used through its group', () => {
  const tables = Object.values(RARE_TABLES)
    .flatMap((statements) => [...statements.matchAll(/TABLE IF NOT EXISTS (\w+)/g)])
    .map(([, name]) => name)
  expect(tables.length).toBeGreaterThan(10)
  const uses = new RegExp(String.raw`\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:${tables.join('|')})\b`)
  const schema = /database\/(?:schema|rare-tables)\.ts$/
  const raw = globSync('worker/**/*.ts').filter((file) => {
    const text = readFileSync(file, 'utf8')
    return !schema.test(file) && uses.test(text) && !text.includes('/table-groups.ts')
  })
  expect(raw.toSorted()).toEqual(OF_A_DRAFT)
})
