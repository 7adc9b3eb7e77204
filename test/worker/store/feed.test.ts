/** The feed of a store: changes in order, and the states that each left, also of large changes. */

import { parsePath, type StorePath } from '#core/path.ts'
import { MAX_HISTORY_VERSIONS } from '#worker/limits.ts'
import { rangesWithin } from '#worker/store/path-ranges.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { bytesOf } from '../../support/worker/client.ts'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const withStore = (work: (store: Store) => Promise<void>) =>
  runInDurableObject(newStub(), (_, state) => work(storeOf(state)))

const putStep = async (store: Store, path: string, text: string): Promise<Step> => ({
  type: 'put',
  path: parsePath(path),
  content: await store.hold(bytesOf(text)),
})

async function write(store: Store, ...paths: readonly string[]): Promise<void> {
  const steps = await Promise.all(paths.map((path) => putStep(store, path, path)))
  expect(act(store, ...steps).ok).toBe(true)
}

/** The paths that a change left, each with what it is. */
function statesOf(store: Store, version: number, path = '/', within?: readonly string[]) {
  const ranges = within && rangesWithin(within.map(parsePath))
  const query = { path: parsePath(path), within: ranges, limit: 10_000 }
  return store.feed
    .statesAfter(version, query)
    .map((state) => [state.path, state.entry?.type ?? 'gone'])
}

it('has the changes after a version, oldest first', () =>
  withStore(async (store) => {
    for (const path of ['/a', '/b', '/c']) await write(store, path)
    const versions = (after: number, limit: number) =>
      store.feed.changesAfter(after, limit).map(({ version }) => version)
    expect([versions(0, 10), versions(1, 10), versions(0, 2), versions(3, 10)]).toEqual([
      [1, 2, 3],
      [2, 3],
      [1, 2],
      [],
    ])
    const [{ at } = { at: 0 }] = store.feed.changesAfter(1, 1)
    expect([store.feed.timeAt(2), store.feed.timeAt(0)]).toEqual([at, 0])
  }))

it('has what a change left at and below a path, in ranges, and after a path', () =>
  withStore(async (store) => {
    await write(store, '/a/b', '/a/c', '/a-b', '/d')
    expect(statesOf(store, 1)).toEqual([
      ['/a', 'folder'],
      ['/a-b', 'file'],
      ['/a/b', 'file'],
      ['/a/c', 'file'],
      ['/d', 'file'],
    ])
    expect(statesOf(store, 1, '/a')).toEqual([
      ['/a', 'folder'],
      ['/a/b', 'file'],
      ['/a/c', 'file'],
    ])
    expect(statesOf(store, 1, '/', ['/a/b', '/d'])).toEqual([
      ['/a/b', 'file'],
      ['/d', 'file'],
    ])
    const query = { path: parsePath('/'), after: parsePath('/a/b'), limit: 1 }
    expect(store.feed.statesAfter(1, query).map(({ path }) => path)).toEqual(['/a/c'])
    expect(store.feed.statesAfter(9, query)).toEqual([])
  }))

it('pages through the states of a large change', () =>
  withStore(async (store) => {
    const many = Array.from({ length: 1_300 }, (_, at) => `/in/${String(at).padStart(4, '0')}`)
    await write(store, ...many)
    act(store, { type: 'move', from: parsePath('/in'), to: parsePath('/out') })
    const found: StorePath[] = []
    for (let after: StorePath | undefined; ;) {
      const states = store.feed.statesAfter(2, { path: parsePath('/'), after, limit: 400 })
      found.push(...states.map(({ path }) => path))
      after = states.at(-1)?.path
      if (states.length < 400) break
    }
    const moved = many.map((path) => path.replace('/in/', '/out/'))
    expect(found).toEqual(['/in', ...many, '/out', ...moved])
  }))

it('has no state that history has dropped, and the newest of each path', () =>
  withStore(async (store) => {
    for (let at = 0; at <= MAX_HISTORY_VERSIONS; at++)
      expect(act(store, await putStep(store, '/a', `${at}`)).ok).toBe(true)
    expect(statesOf(store, 1)).toEqual([])
    expect(statesOf(store, MAX_HISTORY_VERSIONS + 1)).toEqual([['/a', 'file']])
  }))

it('has the hash of each file, and of content by its blobs', () =>
  withStore(async (store) => {
    await write(store, '/a')
    const digest = await crypto.subtle.digest('SHA-256', bytesOf('/a'))
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
    const [state] = store.feed.statesAfter(1, { path: parsePath('/a'), limit: 1 })
    expect(state?.hash).toBe(hash.join(''))
    const blob = state?.entry?.type === 'file' ? state.entry.blob : 0
    expect([...store.hashesOf([blob, blob, 999])]).toEqual([[blob, hash.join('')]])
  }))

it('knows which paths a change has concerned after a version', () =>
  withStore(async (store) => {
    await write(store, '/a', '/b')
    await write(store, '/a')
    act(store, { type: 'remove', path: parsePath('/b') })
    const after = (version: number) => [
      ...store.feed.changedAfter(['/a', '/b', '/none'].map(parsePath), version),
    ]
    expect(after(0)).toEqual([
      ['/a', 2],
      ['/b', 3],
    ])
    expect(after(2)).toEqual([['/b', 3]])
    expect(after(3)).toEqual([])
  }))

it('has no change of a draft', () =>
  runInDurableObject(newStub(), async (_, state) => {
    const store = storeOf(state)
    await write(store, '/a')
    await write(store.draft(1), '/b')
    expect(
      store
        .draft(1)
        .feed.changesAfter(0, 10)
        .map(({ version }) => version),
    ).toEqual([1])
    expect(statesOf(store, 2)).toEqual([])
  }))
