/** The search index: whatever part of it is filled, a search finds the same as a scan of all files. */

import { ownerAccess } from '#worker/access/access.ts'
import { NO_DRAFT } from '#worker/access/draft-view.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath, ROOT } from '#core/path.ts'
import { INLINE_BYTES, MAX_SEARCH_FILE_BYTES } from '#worker/limits.ts'
import { compilePattern, type Pattern } from '#worker/search/pattern.ts'
import { DUE } from '#worker/search/index-due.ts'
import { createSearch, type Search, type WorkspaceSearch } from '#worker/search/search.ts'
import { createR2Objects, type Objects } from '#worker/store/content/objects.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { searchFiles } from '#worker/tools/search-files.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { freshWorkspace } from '../../support/worker/client.ts'
import { faultsOf } from '../../support/worker/invariants.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'
import { createTestOpener } from '../../support/worker/opener.ts'
import { act, put, TESTER } from '../../support/worker/store-contract.ts'

const p = parsePath

interface Index {
  readonly store: Store
  readonly search: Search
  /** Fills the index to the end. */
  readonly fill: () => Promise<void>
  /** What `search_files` finds, by path. */
  readonly find: (pattern: string, caseSensitive?: boolean | 'auto') => Promise<string[]>
}

/** A workspace without the protocol, whose index is filled only by the test. */
function withIndex<T>(
  work: (index: Index) => Promise<T>,
  objectsOf: (objects: Objects) => Objects = (objects) => objects,
): Promise<T> {
  return runInDurableObject(newStub(), async (_, state) => {
    const objects = objectsOf(createR2Objects(env.FILES, state.id.toString()))
    const store = createSqliteStore(state.storage, objects)
    const search = createSearch(state.storage, store)
    const result = await work({
      store,
      search,
      async fill() {
        while (await search.fill());
      },
      find: (pattern, caseSensitive = 'auto') =>
        found({ sql: state.storage.sql, store, search }, pattern, caseSensitive),
    })
    expect(await faultsOf(state)).toEqual({})
    return result
  })
}

/** Objects whose next fetch waits for the function that `beforeFetch` was given last. */
function createGate() {
  let open = async () => {}
  return {
    beforeFetch(work: () => Promise<unknown>) {
      open = async () => {
        open = async () => {}
        await work()
      }
    },
    objectsOf: (objects: Objects): Objects => ({
      ...objects,
      async get(key, range) {
        await open()
        return objects.get(key, range)
      },
    }),
  }
}

/** Content that is fetched from the objects. */
const large = `needle\n${'x'.repeat(INLINE_BYTES)}`

const Found = z.array(z.looseObject({ path: z.string() }))

/** A store with its search. */
interface Searched {
  readonly sql: SqlStorage
  readonly store: SqliteStore
  readonly search: WorkspaceSearch
}

async function found(
  { sql, store, search }: Searched,
  pattern: string,
  case_sensitive: boolean | 'auto',
): Promise<string[]> {
  const input = searchFiles.parse({ pattern, case_sensitive, hidden: true })
  if (searchFiles.kind !== 'read' || !input.ok) throw new Error(`Cannot search for ${pattern}`)
  const config = { ...DEFAULT_CONFIG, search_max_bytes: 0 }
  const access = ownerAccess(config)
  const workspace = createTestOpener(sql, store, search).openFor(access, null)
  const context = {
    ...workspace,
    config,
    maxFound: 0,
    highlight: false,
    showsApps: false,
    draft: NO_DRAFT,
    base: '',
    budget: 'test',
  }
  const answer = await searchFiles.read(input.value.input, [ROOT], context)
  if (!answer.ok) throw new Error(answer.error.reason)
  const files = Found.parse(answer.value.structured?.['files'])
  return files.map(({ path }) => `/${path}`)
}

/** The same by a scan of every line of every file. */
async function scanFiles(store: Store, pattern: Pattern): Promise<string[]> {
  const paths: string[] = []
  for (const entry of [...store.walk(ROOT)]) {
    if (entry.type !== 'file') continue
    const text = new TextDecoder().decode(await store.bytes(entry))
    const lines = text.replace(/\n$/, '').split('\n')
    if (text === '') continue
    if (lines.some((line) => pattern.testLine(line.replace(/\r$/, '')))) paths.push(entry.path)
  }
  return paths
}

describe('the index', () => {
  it('does not change results while it fills or when it is full', async () => {
    await withIndex(async ({ store, search, find }) => {
      const count = 450
      for (let file = 0; file < count; file++) {
        await put(
          store,
          `/f${String(file).padStart(3, '0')}`,
          `text ${file} ${file % 7 === 0 ? 'seventh' : ''}`,
        )
      }
      const sevenths = [...store.walk(ROOT)].map(({ path }) => path).filter((_, at) => at % 7 === 0)
      let batches = 0
      expect(search.unindexed()).toBe(count)
      for (let more = true; more; batches++) {
        expect(await find('seventh')).toEqual(sevenths)
        expect(await find('text 44[0-9]')).toHaveLength(10)
        more = await search.fill()
      }
      expect(batches).toBeGreaterThan(2)
      expect(search.unindexed()).toBe(0)
      expect(await find('seventh')).toEqual(sevenths)
      expect(await search.fill()).toBe(false)
    })
  })

  it('skips files that cannot match', async () => {
    await withIndex(async ({ store, search, fill }) => {
      await put(store, '/a', 'needle in a haystack')
      await put(store, '/b', 'only hay')
      const paths = (query: string) =>
        [...search.candidates(ROOT, query).files].map(({ path }) => path)
      expect(paths('"nee" AND "eed"')).toEqual(['/a', '/b'])
      await fill()
      expect(paths('"nee" AND "eed"')).toEqual(['/a'])
      expect(paths('"hay"')).toEqual(['/a', '/b'])
      expect([...search.candidates(ROOT, null).files].map(({ path }) => path)).toEqual(['/a', '/b'])
    })
  })

  it('fills in the background, also after an eviction', async () => {
    const workspace = freshWorkspace()
    const unindexed = async () =>
      (await (await workspace.fetch('/status')).json<{ unindexed: number }>()).unindexed
    const long = `needle\n${'x\n'.repeat(DUE.bytes / 2)}`
    await workspace.put('/a', long)
    await expect.poll(unindexed).toBe(0)
    await workspace.put('/b', `${long}b`)
    await evictDurableObject(stubOf(workspace))
    await expect.poll(unindexed).toBe(0)
    expect(await workspace.text('search_files', { pattern: 'needle' })).toMatch(/a\n.*\n\nb\n/s)
  })
})

describe.each([
  ['before it is indexed', false],
  ['when all is indexed', true],
])('content %s', (_, indexed) => {
  const within = (work: (index: Index) => Promise<void>) =>
    withIndex((index) => work({ ...index, fill: indexed ? index.fill : async () => {} }))

  it('is found at its current path', async () => {
    await within(async ({ store, find, fill }) => {
      await put(store, '/d/a', 'needle')
      await put(store, '/b', 'other')
      await fill()
      await put(store, '/d/a', 'changed')
      await put(store, '/b', 'needle too')
      await fill()
      expect(await find('needle')).toEqual(['/b'])
      act(store, { type: 'move', from: p('/b'), to: p('/d/c') })
      expect(await find('needle')).toEqual(['/d/c'])
      act(store, { type: 'move', from: p('/d'), to: p('/e') })
      expect(await find('needle')).toEqual(['/e/c'])
      expect(await find('changed')).toEqual(['/e/a'])
      act(store, { type: 'remove', path: p('/e') })
      expect(await find('needle')).toEqual([])
      expect(await find('.')).toEqual([])
    })
  })

  it('that is written again is found again', async () => {
    await within(async ({ store, find, fill }) => {
      await put(store, '/a', 'the old needle')
      await put(store, '/a', 'something else')
      await fill() // no file has the old content any more, so it is skipped
      expect(await find('needle')).toEqual([])
      await put(store, '/b', 'the old needle')
      expect(await find('needle')).toEqual(['/b'])
      await fill()
      expect(await find('needle')).toEqual(['/b'])
      expect(await find('something')).toEqual(['/a'])
    })
  })

  it('that is restored from history is found again', async () => {
    await within(async ({ store, find, fill }) => {
      await put(store, '/a', 'the old needle')
      act(store, { type: 'remove', path: p('/a') })
      await fill()
      const was = store.stateAt(p('/a'), 1)
      const isFile = was !== 'forgotten' && was?.type === 'file'
      const content = isFile ? store.contentOf(was) : null
      if (!content) throw new Error('history is forgotten')
      act(store, { type: 'put', path: p('/a'), content })
      expect(await find('needle')).toEqual(['/a'])
      await fill()
      expect(await find('needle')).toEqual(['/a'])
    })
  })

  it('of several files is found in all of them', async () => {
    await within(async ({ store, find, fill }) => {
      for (const path of ['/a', '/d/b', '/d/e/c']) await put(store, path, 'the same needle')
      await fill()
      act(store, { type: 'remove', path: p('/a') })
      expect(await find('needle')).toEqual(['/d/b', '/d/e/c'])
    })
  })

  it('in R2 is found', async () => {
    await within(async ({ store, find, fill }) => {
      const filler = 'lorem ipsum\n'.repeat(INLINE_BYTES / 6)
      await put(store, '/begin', `needle\n${filler}`)
      await put(store, '/end', `${filler}a needle without a line break`)
      await put(store, '/without', filler)
      await put(store, '/edge', `${filler}needle`.slice(-INLINE_BYTES - 1))
      await put(store, '/too-large', 'needle\n'.padEnd(MAX_SEARCH_FILE_BYTES + 1, '.'))
      await fill()
      expect(await find('needle')).toEqual(['/begin', '/edge', '/end'])
    })
  })

  it('that is not text is skipped, and damaged text is found', async () => {
    await within(async ({ store, find, fill }) => {
      await put(store, '/nul', 'needle\0')
      await put(store, '/latin1', new Uint8Array([...new TextEncoder().encode('needle'), 0xe9]))
      await put(store, '/text', 'needle')
      await fill()
      expect(await find('needle')).toEqual(['/latin1', '/text'])
      expect(await find('ne')).toEqual(['/latin1', '/text'])
    })
  })

  it.each<[string, string, boolean | 'auto', boolean]>([
    ['Needle', 'needle', 'auto', true],
    ['needle', 'Needle', 'auto', false],
    ['NEEDLE', 'needle', false, true],
    ['needle', 'NEEDLE', false, true],
    ['Needle', 'needle', true, false],
    ['ÜBERMUT', 'übermut', 'auto', true],
    ['straße', 'STRASSE', false, false],
    ['\u212aelvin', 'kelvin', 'auto', true],
    ['Pa\u017fswort', 'password', 'auto', false],
    ['le\u017fs', 'less', 'auto', true],
    ['İstanbul', 'stanbul', 'auto', true],
    ['say "hello"', 'say "hello"', 'auto', true],
    ['a * b ** c', 'a \\* b \\*\\*', 'auto', true],
    ["it's", "t's", 'auto', true],
    ['SELECT 1; -- drop', '1; -- dr', 'auto', true],
    ['a AND b OR NOT c', 'and b or not', 'auto', true],
    ['{a: [b, c]}', '\\{a: \\[b', 'auto', true],
    ['x\ty', 'x\ty', 'auto', true],
    ['back\\slash', 'k\\\\sl', 'auto', true],
    ['日本語のテキスト', '本語の', 'auto', true],
    ['😀😀😀', '😀{3}', 'auto', true],
    ['e\u0301te\u0301', 'e\u0301te', 'auto', true],
    ['\ufeffneedle', '^needle', 'auto', true],
    ['one\r\ntwo', 'one$', 'auto', true],
    ['\u2028line', 'line', 'auto', true],
  ])('%j is matched by %j (case: %s): %s', async (text, pattern, caseSensitive, matched) => {
    await within(async ({ store, find, fill }) => {
      await put(store, '/a', text)
      await put(store, '/b', 'nothing of the kind')
      await fill()
      expect(await find(pattern, caseSensitive)).toEqual(matched ? ['/a'] : [])
    })
  })
})

describe('a batch that is being indexed', () => {
  /** Runs a function while the index fetches a large file. */
  async function meanwhile(
    setUp: (store: Store) => Promise<void>,
    deed: (store: Store) => Promise<unknown>,
  ) {
    const gate = createGate()
    return withIndex(async ({ store, search, find, fill }) => {
      await setUp(store)
      gate.beforeFetch(() => deed(store))
      await search.fill()
      await fill()
      return find('needle')
    }, gate.objectsOf)
  }

  it('finds content that is written during the batch', async () => {
    const paths = await meanwhile(
      async (store) => {
        await put(store, '/a', 'the old needle')
        await put(store, '/a', 'something else')
        await put(store, '/large', large)
      },
      (store) => put(store, '/b', 'the old needle'),
    )
    expect(paths).toEqual(['/b', '/large'])
  })

  it('indexes content that was passed over once it is used again', () =>
    withIndex(async ({ store, search, find, fill }) => {
      await put(store, '/a', 'the old needle')
      await put(store, '/a', 'something else')
      await fill()
      expect(search.unindexed()).toBe(0)
      await put(store, '/b', 'the old needle')
      expect(search.unindexed()).toBe(1)
      expect(await find('needle')).toEqual(['/b'])
      await fill()
      expect(search.unindexed()).toBe(0)
      expect(await find('needle')).toEqual(['/b'])
      const named = [...search.candidates(ROOT, '"dle"').files].map(({ path }) => path)
      expect(named).toEqual(['/b'])
    }))

  it('ignores content that is deleted during the batch', async () => {
    const paths = await meanwhile(
      async (store) => {
        await put(store, '/a', 'one needle')
        await put(store, '/large', large)
        await put(store, '/z', 'last needle')
      },
      async (store) => {
        act(store, { type: 'remove', path: p('/large') })
        await put(store, '/a', 'something else')
      },
    )
    expect(paths).toEqual(['/z'])
  })
})

it('a search reads what files have now, where history has dropped what it found', async () => {
  await withIndex(async ({ store, search }) => {
    const change = (...steps: Step[]) => {
      const note = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }
      const limits = { ...STORE_LIMITS, versions: 1 }
      expect(store.apply({ basis: store.totals.version, steps, note, limits }).ok).toBe(true)
    }
    const write = async (path: string, text: string) => {
      const content = await store.hold(new TextEncoder().encode(text))
      change({ type: 'put', path: p(path), content })
    }
    const large = (letter: string) => letter.repeat(INLINE_BYTES + 1)
    const before = {
      '/binary': 'a',
      '/folder': 'b',
      '/gone': 'c',
      '/large': large('d'),
      '/text': 'e',
    }
    for (const [path, text] of Object.entries(before)) await write(path, text)
    const found = Array.from(search.candidates(ROOT, null).files, (file) => ({
      ...file,
      content: null,
    }))
    change({ type: 'remove', path: p('/gone') }, { type: 'remove', path: p('/folder') })
    const after = { '/binary': '\0', '/folder/a': 'new', '/large': large('n'), '/text': 'new' }
    for (const [path, text] of Object.entries(after)) await write(path, text)
    const texts = await Promise.all(found.map(async (file) => search.text(file)))
    expect(texts).toEqual(['', '', '', large('n'), 'new'])
  })
})

describe('indexing', () => {
  it('pauses from the beginning of a search to its end', async () => {
    const gate = createGate()
    await withIndex(async ({ store, search, find }) => {
      await put(store, '/large', large)
      const paused: boolean[] = []
      const check = async () => paused.push((await search.fill()) && search.unindexed() === 1)
      gate.beforeFetch(check)
      const finding = find('needle')
      // The search has not waited for anything yet.
      await check()
      expect(await finding).toEqual(['/large'])
      expect(paused).toEqual([true, true])
      expect(await search.fill()).toBe(false)
      expect(search.unindexed()).toBe(0)
    }, gate.objectsOf)
  })

  it('goes on after a search that fails', async () => {
    const gate = createGate()
    await withIndex(async ({ store, search, find }) => {
      await put(store, '/large', large)
      gate.beforeFetch(() => Promise.reject(new Error('unavailable')))
      await expect(find('needle')).rejects.toThrow('unavailable')
      expect(await search.fill()).toBe(false)
      expect(search.unindexed()).toBe(0)
    }, gate.objectsOf)
  })
})

it('a search fails where the object of a file is missing, and does not read it again and again', async () => {
  const MOST = 10
  let reads = 0
  const missing = (objects: Objects): Objects => ({
    ...objects,
    get: async () => (++reads > MOST ? new Blob([]).stream() : null),
  })
  await withIndex(async ({ store, search }) => {
    await put(store, '/large', 'x'.repeat(INLINE_BYTES + 1))
    const [file] = search.candidates(ROOT, null).files
    if (!file) throw new Error('The file is not found')
    await expect(Promise.resolve(search.text(file))).rejects.toThrow('does not exist')
    expect(reads).toBe(1)
  }, missing)
})

describe('a search', () => {
  const word = fc.constantFrom(
    'foo',
    'Foo',
    'bar',
    'baz',
    'ab',
    'ſ',
    'K',
    'é',
    'É',
    '日本',
    '😀',
    '"',
    '*',
    "'",
    '\\',
    '-',
    '\t',
    '0',
  )
  const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(''))
  const text = fc
    .tuple(fc.array(line, { maxLength: 3 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end]) => lines.join(end))
  const escaped = (literal: string) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const piece = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(word, { minLength: 1, maxLength: 3 })
        .map((words) => escaped(words.join(''))),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '.',
        '.*',
        'o+',
        '(foo|bar)',
        '[a-f]+',
        '(?i)FOO',
        'b?a',
        '\\w',
        '^',
        '$',
        '(ab){2}',
        's',
        'k',
      ),
    },
  )
  const pattern = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''))

  it('finds the same as a scan of all files, before, during and after indexing', async () => {
    const texts = fc.array(text, { minLength: 1, maxLength: 8 })
    const patterns = fc.array(fc.tuple(pattern, fc.constantFrom(true, false, 'auto' as const)), {
      minLength: 4,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(texts, texts, patterns, async (first, second, wanted) => {
        await withIndex(async ({ store, find, fill }) => {
          const check = async () => {
            for (const [each, sensitivity] of wanted) {
              const compiled = compilePattern(each, { case: sensitivity })
              if (!compiled.ok) continue
              expect(await find(each, sensitivity), each).toEqual(
                await scanFiles(store, compiled.value),
              )
            }
          }
          for (const [at, content] of first.entries()) await put(store, `/f${at}`, content)
          await check()
          await fill()
          await check()
          for (const [at, content] of second.entries()) await put(store, `/f${at + 2}`, content)
          await check()
          await fill()
          await check()
        })
      }),
      { numRuns: 100, interruptAfterTimeLimit: 15_000 },
    )
  })
})
