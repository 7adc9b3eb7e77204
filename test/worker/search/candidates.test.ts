/** Candidates of a search where they are many, or where a folder is small: both are found in other ways than usual. */

import { isWithin, parsePath, ROOT } from '#core/path.ts'
import { readTables } from '#worker/database/table-groups.ts'
import { findCandidates } from '#worker/search/candidates.ts'
import { createSearch } from '#worker/search/search.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import { draftLayer, WORKSPACE_LAYER } from '#worker/store/layer.ts'
import { rangesWithin } from '#worker/store/path-ranges.ts'
import type { Step } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const FILES = 2_100
const QUERY = '"com" AND "omm" AND "mon"'

const name = (at: number) => `/many/${String(at).padStart(4, '0')}`

async function write(store: SqliteStore, texts: Readonly<Record<string, string>>): Promise<void> {
  const steps: Step[] = []
  for (const [path, text] of Object.entries(texts))
    steps.push({
      type: 'put',
      path: parsePath(path),
      content: await store.hold(new TextEncoder().encode(text)),
    })
  expect(act(store, ...steps).ok).toBe(true)
}

/** Runs with a workspace of many files with a common word, all of them indexed, and one file without it. */
function withMany(
  work: (store: SqliteStore, sql: SqlStorage, fillAll: () => Promise<void>) => Promise<void>,
): Promise<void> {
  return runInDurableObject(newStub(), async (_, { storage }) => {
    const store = createSqliteStore(storage, createR2Objects(env.FILES, 'candidates'))
    const numbers = Array.from({ length: FILES }, (_item, at) => at)
    await write(store, Object.fromEntries(numbers.map((at) => [name(at), `common ${at}`])))
    await write(store, { '/many/1000-other': 'something else' })
    await fill(storage, store)
    await work(store, storage.sql, () => fill(storage, store))
  })
}

async function fill(storage: DurableObjectStorage, store: SqliteStore): Promise<void> {
  const search = createSearch(storage, store)
  while (await search.fill());
}

const sourceOf = (sql: SqlStorage, layer = WORKSPACE_LAYER) => ({
  sql: readTables(sql, 'texts'),
  layer,
})

const pathsOf = (files: Iterable<{ readonly path: string }>) =>
  Array.from(files, ({ path }) => path)

it('many are found in path order, without files that cannot match', () =>
  withMany(async (_store, sql) => {
    const { files } = findCandidates(sourceOf(sql), ROOT, QUERY)
    expect(pathsOf(files)).toEqual(Array.from({ length: FILES }, (_, at) => name(at)))
  }))

it('small content is read with them where they are most of all', () =>
  withMany(async (store, sql) => {
    const large = 'common '.repeat(10_000)
    await write(store, { [name(1)]: large })
    const files = [...findCandidates(sourceOf(sql), ROOT, QUERY).files]
    const texts = files
      .slice(0, 3)
      .map(({ content }) => content instanceof ArrayBuffer && new TextDecoder().decode(content))
    expect(texts).toEqual(['common 0', false, 'common 2'])
  }))

it('a file that is written while many are read is still found', () =>
  withMany(async (store, sql) => {
    const { files } = findCandidates(sourceOf(sql), ROOT, QUERY)
    const found: string[] = []
    for (const { path } of files) {
      if (found.length === 0) await write(store, { [name(FILES - 1)]: 'common and new' })
      found.push(path)
    }
    expect(found.at(-1)).toBe(name(FILES - 1))
  }))

it('many that wait for the index are found with those that the index names', () =>
  withMany(async (store, sql) => {
    const numbers = Array.from({ length: FILES }, (_item, at) => at)
    const waiting = Object.fromEntries(numbers.map((at) => [`/waiting/${at}`, `rare ${at}`]))
    await write(store, { ...waiting, [name(3)]: 'common again', '/waiting/bytes': '\0' })
    const { files } = findCandidates(sourceOf(sql), ROOT, QUERY)
    const found = pathsOf(files)
    expect(found.filter((path) => path.startsWith('/many/'))).toEqual(numbers.map(name))
    expect(found.slice(FILES).toSorted()).toEqual(Object.keys(waiting).toSorted())
  }))

it('many in a draft are those that it shows', () =>
  withMany(async (store, sql) => {
    const draft = store.draft(1)
    expect(act(draft, { type: 'remove', path: parsePath(name(7)) }).ok).toBe(true)
    const content = await draft.hold(new TextEncoder().encode('common, of the draft'))
    expect(act(draft, { type: 'put', path: parsePath('/a'), content }).ok).toBe(true)
    const paths = pathsOf(findCandidates(sourceOf(sql, draftLayer(1)), ROOT, QUERY).files)
    expect(paths).toHaveLength(FILES)
    expect(paths[0]).toBe('/a')
    expect(paths).not.toContain(name(7))
  }))

it('a small folder of a large workspace has its own', () =>
  runInDurableObject(newStub(), async (_, { storage }) => {
    const open = () => createSqliteStore(storage, createR2Objects(env.FILES, 'candidates'))
    await write(open(), { '/before': 'common before' })
    storage.sql.exec("INSERT INTO meta (name, value) VALUES ('newest_blob', 30000)")
    const store = open()
    await write(store, {
      '/small/a': 'common',
      '/small/b': 'something else',
      '/large/c': 'common c',
    })
    await fill(storage, store)
    const source = sourceOf(storage.sql)
    const found = (folder: string) =>
      pathsOf(findCandidates(source, parsePath(folder), QUERY).files)
    expect(found('/small')).toEqual(['/small/a'])
    expect(found('/')).toEqual(['/before', '/large/c', '/small/a'])
    expect(found('/none')).toEqual([])
  }))

const numbers = Array.from({ length: FILES }, (_, at) => at)

describe.each<[string, readonly string[]]>([
  ['few files', ['/none', '/few', name(7), name(1_002)]],
  ['a folder of many', ['/many']],
  ['every third file', ['/few', ...numbers.filter((at) => at % 3 === 0).map(name)]],
  ['every second file', ['/few', ...numbers.filter((at) => at % 2 === 0).map(name)]],
])('within the ranges of %s', (_, parts) => {
  const within = rangesWithin(parts.map((path) => parsePath(path)))
  const isIn = (path: string) => parts.some((part) => isWithin(parsePath(path), parsePath(part)))
  const more = { '/few/a': 'common a', '/few/b': 'rare', '/few/c': '\0', '/other': 'common' }

  it('are those of a search of everything', () =>
    withMany(async (store, sql, fillAll) => {
      const expectSame = () => {
        for (const folder of ['/', '/many', '/few', '/none'].map((path) => parsePath(path)))
          for (const query of [QUERY, '"rar"', null]) {
            const { files, count } = findCandidates(sourceOf(sql), folder, query, within)
            const paths = pathsOf(files)
            const fewer = findCandidates({ ...sourceOf(sql), most: 2 }, folder, query, within)
            const all = pathsOf(findCandidates(sourceOf(sql), folder, query).files).filter(isIn)
            // Of so many spans all files are read.
            if (parts.length < 1_000) expect(paths).toEqual(all)
            else expect(paths.filter((path) => all.includes(path))).toEqual(all)
            expect(count).toBeNull()
            // Where the ranges have more files than may be read, the index is asked first.
            expect(pathsOf(fewer.files)).toEqual(all)
          }
      }
      await write(store, more)
      expectSame()
      await fillAll()
      expectSame()
    }))
})
