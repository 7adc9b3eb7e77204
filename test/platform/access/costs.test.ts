/**
 * What a call costs tells nothing of what is hidden from its caller: it reads the rows that it reads where there is no
 * hidden file, whatever these are named and whether their contents match.
 */

import { recordOf } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { createSearch } from '#worker/search/search.ts'
import type { Step } from '#worker/store/store.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { countUsage } from '../../../bench/baselines/counter.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { bytesOf, freshWorkspace, SHOWS_APPS } from '../../support/worker/client.ts'
import { configure } from '../../support/worker/held-draft.ts'
import { holdAlarm, storeOf, stubOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

type Workspace = ReturnType<typeof freshWorkspace>
type Send = Workspace['send']

const HIDDEN = [0, 200, 3_000]

/** Rows of difference that tell nothing. */
const SLACK = 4

const VISIBLE = Array.from({ length: 40 }, (_, at) => `/pub/in-${at % 4}/file-${at}.txt`)

/** A file whose last change touched hidden ones as well. */
const MIXED = VISIBLE[39] ?? ''

const tool = (name: string, args: object = {}) =>
  [`${name} ${JSON.stringify(args)}`, 'tools/call', { name, arguments: args }] as const

const complete = (value: string) =>
  [
    `completion of ${value}`,
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'file:///{+path}' }, argument: { name: 'path', value } },
  ] as const

const CALLS = [
  tool('search_files', { pattern: 'shared', root: '/' }),
  tool('search_files', { pattern: 'shared', root: '/pub' }),
  tool('search_files', { pattern: 'secret', root: '/' }),
  tool('search_files', { pattern: '.', root: '/' }),
  tool('search_files', { pattern: 'visible 7', root: '/pub/in-3' }),
  tool('search_files', { pattern: 'nothing', root: '/', glob: ['*secret*.txt', '*.none'] }),
  tool('find_files', { root: '/' }),
  tool('find_files', { root: '/', limit: 5 }),
  tool('find_files', { root: '/', pattern: 'secret' }),
  tool('find_files', { root: '/pub', pattern: 'file-7' }),
  tool('find_files', { root: '/', pattern: '**/*secret*.txt', glob: true }),
  tool('list_folder', { path: '/' }),
  tool('list_folder', { path: '/pub' }),
  tool('list_roots'),
  tool('compare_checkpoints', { from: 'before' }),
  tool('copy_file', { from: '/pub/in-2', to: '/pub/copy' }),
  tool('list_changes'),
  tool('list_changes', { path: '/pub' }),
  tool('file_history', { path: VISIBLE[0] }),
  tool('file_history', { path: MIXED }),
  tool('read_file', { path: VISIBLE[0] }),
  tool('draft_status'),
  complete(''),
  complete('p'),
  complete('pub/in'),
  ['resources/list', 'resources/list', {}],
  ['resources/templates/list', 'resources/templates/list', {}],
] as const

/** How a caller is kept from files, and which these are. */
interface Narrowing {
  readonly name: string
  readonly hidden: (at: number) => string
  readonly config?: object
  readonly scopes?: readonly string[]
  readonly meta?: Record<string, unknown>
  readonly prepare?: (send: Send) => Promise<unknown>
}

const around = (at: number) =>
  [`/a/secret-${at}.txt`, `/pub-more/secret-${at}.txt`, `/secret-${at}.txt`, `/z/${at}/secret.txt`][
    at % 4
  ] ?? ''

const inside = (at: number) =>
  [`/pub/a/secret-${at}.txt`, `/pub/in-2/keys/secret-${at}.txt`, `/vault/secret-${at}.txt`][
    at % 3
  ] ?? ''

const PUB = ['read:file:/pub', 'read:file:/top.txt']
const write = (send: Send) =>
  send('tools/call', {
    name: 'write_file',
    arguments: { path: '/pub/in-1/new.txt', content: 'shared visible' },
  })

const NARROWINGS: readonly Narrowing[] = [
  { name: 'scopes', hidden: around, scopes: PUB },
  { name: 'scopes to write what is hidden', hidden: around, scopes: [...PUB, 'write:file'] },
  {
    name: 'a deny list of the owner',
    hidden: inside,
    scopes: ['read', 'write'],
    config: { roots: [{ path: '/', deny: ['pub/a/**', '/pub/in-2/keys/**', 'vault/**'] }] },
  },
  {
    name: 'an allow list in a policy of the call',
    hidden: around,
    meta: { policy: { roots: [{ path: '/', allow: ['pub/**', 'top.txt'] }] } },
  },
  {
    name: 'denied scopes of the call',
    hidden: inside,
    meta: {
      denied_scopes: ['read:file:/pub/a', 'read:file:/pub/in-2/keys', 'read:file:/vault'],
    },
  },
  {
    name: 'roots of the client',
    hidden: around,
    meta: {
      'io.modelcontextprotocol/clientCapabilities': {
        ...SHOWS_APPS,
        experimental: { configuration: { roots: [{ path: '/pub' }] } },
      },
    },
  },
  {
    name: 'scopes, in a draft',
    hidden: around,
    scopes: [...PUB, 'write:file:/pub'],
    config: { approval: 'confirm' },
    prepare: write,
  },
]

/** Changes of hidden files. Their number is no secret, because it is in the versions of what is visible. */
const CHANGES = 12

/** Writes files in several changes, each with a text of its own, and indexes them. */
async function seedFiles(workspace: Workspace, hidden: readonly string[]): Promise<void> {
  const stub = stubOf(workspace)
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    let texts = 0
    const write = async (paths: readonly string[], text: string) => {
      const steps: Step[] = []
      for (const path of paths) {
        const content = await store.hold(bytesOf(`shared ${text} ${texts++}\n`))
        steps.push({ type: 'put', path: parsePath(path), content })
      }
      expect(act(store, ...steps).ok).toBe(true)
    }
    const isOf = (at: number) => (_path: string, index: number) => index % CHANGES === at
    await write(['/top.txt', ...VISIBLE.slice(0, 20)], 'visible')
    for (let at = 0; at < CHANGES; at++) await write(hidden.filter(isOf(at)), 'secret')
    await write(VISIBLE.slice(20, 39), 'more that is visible')
    await write([MIXED, ...hidden.slice(0, 1_500)], 'visible and secret')
    const search = createSearch(state.storage, store)
    while (await search.fill());
  })
  await evictDurableObject(stub)
}

/** Counts the rows that each call reads in a workspace with so many hidden files. */
async function countRows(narrowing: Narrowing, count: number) {
  const workspace = freshWorkspace()
  const stub = stubOf(workspace)
  const hidden = Array.from({ length: count }, (_, at) => narrowing.hidden(at))
  await seedFiles(workspace, hidden)
  await configure(workspace, narrowing.config ?? {})
  const { scopes } = narrowing
  const client = scopes ? (await linkOf(workspace, { scopes })).client : workspace
  const send: Send = (method, params, options) =>
    client.send(method, params, { ...options, meta: { ...narrowing.meta } })
  await narrowing.prepare?.(send)
  await send('tools/call', { name: 'create_checkpoint', arguments: { name: 'before' } })
  await seedFiles(workspace, hidden)
  await holdAlarm(stub)
  // An object that wakes up opens the store, and its first search the index, once for all callers.
  await workspace.text('search_files', { pattern: 'shared' })
  const counter = await runInDurableObject(stub, (__, { storage }) => countUsage(storage))
  const rows: Record<string, number> = {}
  const results: Record<string, unknown> = {}
  for (const [name, method, params] of CALLS) {
    const { result } = await send(method, { ...params })
    rows[name] = (await runInDurableObject(stub, () => counter.take())).rowsRead
    results[name] = recordOf(result?.structuredContent)['total_matches'] ?? result?.isError
  }
  return { rows, results }
}

describe.each(NARROWINGS)('hidden by $name', (narrowing) => {
  it('reads the rows that it reads without hidden files', async () => {
    const [none, ...more] = await Promise.all(HIDDEN.map((count) => countRows(narrowing, count)))
    for (const { rows, results } of more) {
      expect(results).toEqual(none?.results)
      const differing = Object.entries(rows).filter(
        ([name, count]) => Math.abs(count - (none?.rows[name] ?? 0)) > SLACK,
      )
      expect(differing.map(([name, count]) => `${name}: ${none?.rows[name]} -> ${count}`)).toEqual(
        [],
      )
    }
    expect(none?.results[CALLS[1][0]]).toBeGreaterThanOrEqual(40)
  })
})
