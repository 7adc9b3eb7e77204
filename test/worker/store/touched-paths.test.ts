/** The paths of a change, as its row has them, or rows apart, beside those of the versions that it wrote. */

import { parsePath, rangeBelow, ROOT, type StorePath } from '#core/path.ts'
import { WHOLE, type PathRanges } from '#worker/store/path-ranges.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { expectRules } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

const DRAFT = 7

const NOTE = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }

function applyTo(store: Store, steps: readonly Step[]) {
  const applied = store.apply({ basis: store.totals.version, steps, note: NOTE })
  if (!applied.ok) throw new Error(JSON.stringify(applied.error))
  return applied.value
}

const path = (text: string) => parsePath(text)

async function putAll(store: Store, paths: readonly string[]): Promise<Step[]> {
  const content = await store.hold(new TextEncoder().encode('x'))
  return paths.map((each) => ({ type: 'put', path: path(each), content }))
}

const many = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${folder}/f${at} é😀\uffee.txt`)

/** Changes of each kind: in the row, apart, of trees, and of trees with what a step has written below them. */
async function makeChanges(store: Store): Promise<string[]> {
  const steps = [
    await putAll(store, ['/a/one', '/a/b/two', '/c', '/a/q"é😀/x']),
    await putAll(store, many('/large', 700)),
    [{ type: 'move', from: path('/large'), to: path('/a/moved') }],
    [
      ...(await putAll(store, ['/a/moved/new', '/e/f/g'])),
      { type: 'move', from: path('/a'), to: path('/z') },
      { type: 'remove', path: path('/z/moved') },
      { type: 'move', from: path('/c'), to: path('/a') },
    ],
    [
      { type: 'folder', path: path('/e/f/g2') },
      { type: 'remove', path: path('/e/f') },
    ],
  ] satisfies Step[][]
  return steps.map((each) => applyTo(store, each).id)
}

const RANGES: PathRanges[] = [
  WHOLE,
  [rangeBelow(path('/large'))],
  [{ low: '/large/f200', high: '/large/f3' }],
  [
    { low: '/a/b', high: '/a/c' },
    { low: '/e', high: '/f' },
  ],
  [{ low: '/z/moved/f1', high: '/z/moved/f2' }],
  [{ low: '/x', high: '/y' }],
]

const isIn = (ranges: PathRanges, each: string) =>
  ranges.some(
    ({ low, high }) =>
      Buffer.compare(Buffer.from(each), Buffer.from(low)) >= 0 &&
      Buffer.compare(Buffer.from(each), Buffer.from(high)) < 0,
  )

function expectTouched(
  store: Store,
  ids: readonly string[],
  writtenAt: (version: number) => StorePath[],
): void {
  for (const id of ids)
    for (const ranges of RANGES) {
      const [change] = store.changesOf(id, ranges)
      const paths = change ? writtenAt(change.version).filter((each) => isIn(ranges, each)) : []
      expect(change?.paths).toEqual(paths)
      expect(change?.complete).toBe(paths.length === change?.touched)
    }
}

function expectListed(
  store: Store,
  ids: readonly string[],
  writtenAt: (version: number) => StorePath[],
): void {
  const versions = ids.flatMap((id) => store.changesOf(id).map(({ version }) => version))
  for (const folder of [
    '/',
    '/large',
    '/a',
    '/a/moved/f3 é😀\uffee.txt',
    '/e/f',
    '/a/q"é😀',
    '/z/q"é😀',
    '/z',
    '/nothing',
  ].map(path)) {
    const ranges =
      folder === ROOT ? WHOLE : [{ low: folder, high: `${folder}\u0001` }, rangeBelow(folder)]
    const touches = versions.filter((version) =>
      writtenAt(version).some((each) => isIn(ranges, each)),
    )
    const listed = store
      .listChanges({ limit: 100, path: folder })
      .flatMap(({ version }) => (versions.includes(version) ? [version] : []))
    expect(listed).toEqual(touches.toReversed())
    const [after = 0, until = 0] = [versions[1], versions[3]]
    const within = versions.filter((version) => version > after && version <= until)
    const changed = new Set(within.flatMap(writtenAt).filter((each) => isIn(ranges, each)))
    expect([...store.changedPaths({ folder, after, until })].toSorted()).toEqual(
      [...changed].toSorted(),
    )
    expect([...store.changedPaths({ folder, after, until, within: WHOLE })].toSorted()).toEqual(
      [...changed].toSorted(),
    )
  }
}

it.each(['the workspace', 'a draft'])('of %s are those of the versions that they wrote', (layer) =>
  runInDurableObject(newStub(), async (_, { storage }) => {
    const { sql } = storage
    const workspace: SqliteStore = createSqliteStore(storage, createSqliteObjects(sql))
    applyTo(workspace, await putAll(workspace, ['/before', '/e/other']))
    const store = layer === 'a draft' ? workspace.draft(DRAFT) : workspace
    const ids = await makeChanges(store)
    const table = layer === 'a draft' ? 'draft_versions' : 'versions'
    const writtenAt = (version: number) =>
      sql
        .exec<{ path: StorePath }>(
          `SELECT path FROM ${table} WHERE version = ? ORDER BY path`,
          version,
        )
        .toArray()
        .map((row) => row.path)
    expectTouched(store, ids, writtenAt)
    expectListed(store, ids, writtenAt)
    const apart = () =>
      sql.exec<{ count: number }>('SELECT count(*) AS count FROM touched_paths').one().count
    expect(apart()).toBeGreaterThan(1_000)
    if (layer === 'a draft') {
      workspace.dropDraft(DRAFT)
      expect(apart()).toBe(0)
    }
  }),
)

it('are not those of a plan that has the versions of a draft', () =>
  runInDurableObject(newStub(), async (_, object) => {
    const { storage } = object
    const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
    const steps = await putAll(store, many('/large', 350))
    const { id, version, at } = applyTo(store.draft(DRAFT), steps)
    const plan = store.draft(-1)
    const as = { version, at }
    const planned = [...steps.slice(7), ...(await putAll(store, ['/large/other']))]
    const note = { ...NOTE, id }
    const applied = plan.apply({ basis: store.totals.version, steps: planned, note, as })
    expect(applied.ok).toBe(true)
    expect(plan.changesOf(id)[0]?.paths).toHaveLength(345)
    expect(store.draft(DRAFT).changesOf(id)[0]?.paths).toHaveLength(351)
    expectRules(object)
    store.dropDraft(-1)
    expect(store.draft(DRAFT).changesOf(id)[0]?.paths).toHaveLength(351)
    expectRules(object)
  }))
