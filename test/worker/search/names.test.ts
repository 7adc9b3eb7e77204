/** The index of names: whatever part of it is filled, it finds every path that a walk over all paths finds. */

import { matches, parseGlob } from '#core/glob.ts'
import { parsePath, rangeBelow, ROOT, type StorePath } from '#core/path.ts'
import { fillNames, type FillLimits } from '#worker/search/name-index.ts'
import { queryOfGlob, queryOfPattern } from '#worker/search/name-query.ts'
import { compilePattern } from '#worker/search/pattern.ts'
import { draftLayer, WORKSPACE_LAYER, type Layer } from '#worker/store/layer.ts'
import { createEntries } from '#worker/store/entries.ts'
import { findRanges } from '#worker/store/name-blocks.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { faultsOf } from '../../support/worker/invariants.ts'
import { newStub, seed, storeOf, stubOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const p = parsePath

/** So small that a few paths fill many blocks. */
const SMALL: FillLimits = {
  minPaths: 3,
  minChanged: 3,
  maxChanged: 5,
  maxNames: 6,
  blockNames: 2,
  maxBlockNames: 4,
  minBlockNames: 2,
}

const RANGES = [
  { first: 1, sorted: 1_000, unindexed: 1_000, page: 500 },
  { first: 1, sorted: 0, unindexed: 1_000, page: 2 },
  { first: 2, sorted: 2, unindexed: 2, page: 1 },
]

// Few names, which are parts of each other and of the patterns, with characters that sort differently in UTF-16.
const name = fc.constantFrom(
  ...['needle', 'Needle', 'need', 'needles.ts', 'haystack', 'Straße', 'stra\u017fse', '\u{1f600}x'],
  ...['\uffeea', 'index.ts', 'index.tsx', 'a', 'ab', 'KELVIN', 'needlestack', 'İndex', 'ﬁle'],
)
const path = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => p(`/${names.join('/')}`.normalize('NFC')))

type Change =
  | { readonly type: 'put' | 'folder' | 'remove'; readonly path: StorePath }
  | { readonly type: 'move'; readonly from: StorePath; readonly to: StorePath }

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('put'), path }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('folder'), path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove'), path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('move'), from: path, to: path }) },
)

type Command = 'fill' | { readonly on: 'workspace' | 'draft'; readonly changes: readonly Change[] }

/** Files of two folders, which one change can always write together. */
const file = fc
  .tuple(fc.constantFrom('one', 'two'), fc.constantFrom('1', '2', '3'), name)
  .map(([folder, number, text]) => p(`/${folder}/${number}${text}`.normalize('NFC')))
const files = fc
  .uniqueArray(file, { minLength: 1, maxLength: 14 })
  .map((paths) => paths.map((each) => ({ type: 'put', path: each }) as const))
const deletion = file.map((each) => [{ type: 'remove', path: each } as const])

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('fill') },
  {
    weight: 4,
    arbitrary: fc.record({
      on: fc.constant('workspace'),
      changes: fc.oneof({ weight: 2, arbitrary: files }, { weight: 1, arbitrary: deletion }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      on: fc.constantFrom('workspace', 'workspace', 'draft'),
      changes: fc.array(change, { minLength: 1, maxLength: 12 }),
    }),
  },
)

const GLOBS = [
  ...['needle', '*eedle*', 'Need*', '*.ts', '*.{ts,tsx}', '{needle,haystack}*', 'stra*', '*stack'],
  ...[
    '**/needle',
    '**/needle/**',
    'needle/**',
    '**/needle*/*.ts',
    '**/{need/,}index*',
    'need{le/**,}',
  ],
  ...[
    '**/index.ts/',
    '**/[n]eedle',
    '**/need**/*',
    'a/needle',
    '/needle',
    'STRASSE',
    'ﬁ*',
    '*ndex*',
  ],
]
const PATTERNS = [
  ...[
    'needle',
    '^needle$',
    'need(le|les)',
    '(needle|hay)stack',
    'inde[x].ts',
    '(?i)NEEDLE',
    'stra.e',
  ],
  ...['strasse', 'kelvin', 'x$', 'needle|index', 'e{2}dle', '(needle)+', 'need(le)?', 'fi'],
]

/** A test of a path relative to a folder, and its query of the index. */
interface Question {
  readonly text: string
  readonly query: string | null
  readonly test: (relative: string) => boolean
}

function questions(): Question[] {
  const base = (relative: string) => relative.slice(relative.lastIndexOf('/') + 1)
  const globs = GLOBS.flatMap((text) =>
    [true, false].map((caseSensitive) => {
      const glob = parseGlob(text.replace(/^\//, ''), { caseSensitive })
      if (!glob.ok) throw new Error(glob.error)
      const subject = text.includes('/') ? (relative: string) => relative : base
      const test = (relative: string) => matches(glob.value, subject(relative))
      return { text, query: queryOfGlob(glob.value), test }
    }),
  )
  const patterns = PATTERNS.flatMap((text) =>
    [true, false].map((caseSensitive) => {
      const pattern = compilePattern(text, { case: caseSensitive })
      if (!pattern.ok) throw new Error(pattern.error)
      const test = (relative: string) => pattern.value.testLine(base(relative))
      return { text, query: queryOfPattern(pattern.value), test }
    }),
  )
  return [...globs, ...patterns]
}

const QUESTIONS = questions()

function expectAllFound(sql: SqlStorage, store: Store, layer: Layer, folder: StorePath): void {
  const { low, high } = rangeBelow(folder)
  const paths = [...store.walk(folder)].map((entry) => entry.path)
  for (const { text, query, test } of QUESTIONS) {
    if (query === null) continue
    const isWanted = (each: StorePath) => test(each.slice(low.length))
    const wanted = paths.filter(isWanted)
    const walked = [...store.walk(folder, { names: query })].map((entry) => entry.path)
    expect(walked.filter(isWanted), `${text} in ${folder}, walked`).toEqual(wanted)
    const { unindexed, files } = layer.read
    const lookup = { sql, query, unindexed, filter: '', bindings: [] }
    for (const limits of RANGES) {
      const read = [...findRanges(lookup, { low, high }, limits)].flatMap((range) =>
        sql
          .exec<{ path: StorePath }>(
            `SELECT path FROM ${files} WHERE path >= ? AND path < ? ORDER BY path`,
            range.low,
            range.high,
          )
          .toArray()
          .map((row) => row.path),
      )
      const found = read.filter(isWanted)
      expect(found, `${text} in ${folder}`).toEqual(wanted)
    }
  }
}

async function perform(store: Store, changes: readonly Change[]): Promise<void> {
  const content = await store.hold(new TextEncoder().encode('x'))
  const steps = changes.map((each): Step =>
    each.type === 'put' ? { ...each, type: 'put', content } : (each as Step),
  )
  // Several in one change where that is possible, and one by one where a step is refused.
  if (!act(store, ...steps).ok) for (const step of steps) act(store, step)
}

describe('the index of names', () => {
  it('finds the same as a walk, in a workspace and in a draft', { timeout: 120_000 }, async () => {
    const program = fc.array(command, { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(program, async (commands) => {
        await runInDurableObject(newStub(), async (_, state) => {
          const { sql } = state.storage
          const store = storeOf(state)
          for (const each of commands) {
            if (each === 'fill') fillNames(state.storage, store.totals, SMALL)
            else await perform(each.on === 'draft' ? store.draft(1) : store, each.changes)
          }
          const expectFound = () => {
            for (const folder of [ROOT, p('/needle'), p('/index.ts')]) {
              expectAllFound(sql, store, WORKSPACE_LAYER, folder)
              expectAllFound(sql, store.draft(1), draftLayer(1), folder)
            }
          }
          expectFound()
          for (let turns = 0; fillNames(state.storage, store.totals, SMALL); turns++)
            expect(turns).toBeLessThan(200)
          expectFound()
          expect(await faultsOf(state)).toEqual({})
        })
      }),
      { numRuns: 40, interruptAfterTimeLimit: 60_000, endOnFailure: false },
    )
  })

  it('finds a name that was deleted, and written again after its block was indexed', async () => {
    await runInDurableObject(newStub(), async (_, state) => {
      const store = storeOf(state)
      const write = (...names: string[]) =>
        perform(
          store,
          names.map((each) => ({ type: 'put', path: p(`/d/${each}`) })),
        )
      const fill = () => fillNames(state.storage, store.totals, SMALL)
      await write('a1', 'a2', 'a3', 'a4', 'needle')
      while (fill());
      for (const each of ['needld', 'b1', 'b2', 'b3', 'a1']) await write(each)
      act(store, { type: 'remove', path: p('/d/needle') })
      fill()
      await write('needle')
      while (fill());
      expectAllFound(state.storage.sql, store, WORKSPACE_LAYER, ROOT)
    })
  })

  const FILES = 6_000
  const paths = Array.from({ length: FILES }, (_, file) =>
    p(file === 5_001 ? '/d50/rarely-named.md' : `/d${Math.floor(file / 100)}/file-${file}.ts`),
  )

  it('serves find_files at every moment', { timeout: 60_000 }, async () => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    await seed(stub, paths)
    const calls = [
      { pattern: 'rarely-named.md', glob: true },
      { pattern: '**/rarely*.md', glob: true },
      { pattern: '^rarely-\\w+' },
      { pattern: '(rarely|seldom)-' },
      { pattern: '**/d59/*99.ts', glob: true },
      { pattern: 'FILE-5[0-9]99', case_sensitive: false },
      { pattern: '*.ts', glob: true, limit: 3, offset: 5_500 },
      { pattern: 'absent-name' },
    ]
    const answers = async () => {
      const all = calls.map(async (args) => (await workspace.call('find_files', args)).result)
      return (await Promise.all(all)).map((result) => result?.structuredContent?.['matches'])
    }
    const before = await answers()
    expect(before.map((each) => (each as unknown[]).length)).toEqual([1, 1, 1, 1, 1, 10, 3, 0])
    const fill = () =>
      runInDurableObject(stub, (_, state) => fillNames(state.storage, storeOf(state).totals))
    while (await fill()) expect(await answers()).toEqual(before)
    expect(await answers()).toEqual(before)
  })

  it('reads few rows for a rare name, and writes few for new ones', async () => {
    await runInDurableObject(newStub(), async (_, state) => {
      const store = storeOf(state)
      const content = await store.hold(new TextEncoder().encode('x'))
      const write = (some: readonly StorePath[]) =>
        act(store, ...some.map((each) => ({ type: 'put', path: each, content }) as const))
      const { storage, rows } = counting(state.storage)
      const fill = () => {
        while (fillNames(storage, store.totals));
        return rows()
      }
      write(paths)
      expect(fill().written).toBeLessThan(FILES / 10)

      const glob = parseGlob('rarely*.md')
      const names = glob.ok ? queryOfGlob(glob.value) : null
      const walk = () => [...createEntries(storage.sql).walk(ROOT, { names })]
      expect(walk().map((each) => each.path)).toContain('/d50/rarely-named.md')
      expect(rows().read).toBeLessThan(2_500)

      for (let turn = 0; turn < 100; turn++) write([paths[turn * 50] ?? ROOT])
      expect(fill().written, 'overwriting').toBeLessThanOrEqual(1)
      write(Array.from({ length: 100 }, (_, file) => p(`/d30/new-${file}.md`)))
      expect(fill().written, 'new files of one folder').toBeLessThan(40)
      for (let turn = 0; turn < 100; turn++) write([p(`/d${turn % 60}/other-${turn}.md`)])
      expect(fill().written, 'new files everywhere').toBeLessThan(200)
    })
  })
})

/** A storage that counts the rows of its statements since the last time. */
function counting(storage: DurableObjectStorage) {
  let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
  const exec = (query: string, ...bindings: unknown[]) => {
    const cursor = storage.sql.exec(query, ...bindings)
    cursors.push(cursor)
    return cursor
  }
  const sql = new Proxy(storage.sql, { get: (_, key) => (key === 'exec' ? exec : undefined) })
  const transactionSync = <T>(work: () => T) => storage.transactionSync(work)
  const counted = new Proxy(storage, {
    get: (_, key) => (key === 'sql' ? sql : transactionSync),
  })
  const rows = () => {
    const read = cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
    const written = cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
    cursors = []
    return { read, written }
  }
  return { storage: counted, rows }
}
