/** The index is filled as soon as enough waits for it, and what waits is found all the same. */

import { DUE } from '#worker/search/index-due.ts'
import { SWEEP_GRACE_MS } from '#worker/limits.ts'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { holdAlarm, seed, stubOf } from '../../support/worker/object-life.ts'
import * as tar from '../../support/worker/raw-tar.ts'

/** A workspace whose alarm rings only when the test has it ring. */
async function heldWorkspace() {
  const workspace = freshWorkspace()
  const stub = stubOf(workspace)
  await holdAlarm(stub)
  const unindexed = async () =>
    (await (await workspace.fetch('/status')).json<{ unindexed: number }>()).unindexed
  return {
    ...workspace,
    stub,
    unindexed,
    /** When the alarm rings; null if it is not set. */
    alarm: () =>
      runInDurableObject(stub, async (_, { storage }) => {
        const time = await storage.getAlarm()
        return time === null ? null : time - Date.now() < SWEEP_GRACE_MS / 2 ? 'soon' : 'later'
      }),
    ring: () => runDurableObjectAlarm(stub),
    /** The object forgets what it has counted. */
    restart: async () => {
      await evictDurableObject(stub)
      await holdAlarm(stub)
    },
    write: async (first: number, count: number) => {
      for (let at = first; at < first + count; at++)
        await workspace.put(`/f${String(at).padStart(2, '0')}`, `needle ${at}`)
    },
    found: async () => {
      const { result } = await workspace.call('search_files', { pattern: 'needle' })
      return result?.structuredContent['total_files']
    },
  }
}

describe('the alarm that fills the index', () => {
  it('is set by the change with which enough contents wait, and not before', async () => {
    const { write, alarm, unindexed, ring, found } = await heldWorkspace()
    await write(0, DUE.contents - 1)
    expect([await alarm(), await unindexed()]).toEqual([null, DUE.contents - 1])
    await write(DUE.contents - 1, 1)
    expect([await alarm(), await unindexed()]).toEqual(['soon', DUE.contents])
    expect(await ring()).toBe(true)
    expect([await alarm(), await unindexed()]).toEqual([null, 0])
    await write(DUE.contents, DUE.contents - 1)
    expect([await alarm(), await unindexed()]).toEqual([null, DUE.contents - 1])
    await write(2 * DUE.contents - 1, 1)
    expect(await alarm()).toBe('soon')
    expect(await found()).toBe(2 * DUE.contents)
  })

  it('counts what waited before an eviction, of which it reads no more than it needs', async () => {
    const { write, alarm, restart } = await heldWorkspace()
    await write(0, DUE.contents - 2)
    await restart()
    await write(DUE.contents - 2, 1)
    await restart()
    expect(await alarm()).toBeNull()
    await write(DUE.contents - 1, 1)
    expect(await alarm()).toBe('soon')
  })

  it('counts each content of one file, of which the index gets the last', async () => {
    const { write, put, alarm, ring, unindexed, stub } = await heldWorkspace()
    for (let at = 1; at < DUE.contents; at++) await put('/one', `needle ${at} of one`)
    expect(await alarm()).toBeNull()
    await write(0, 1)
    expect(await alarm()).toBe('soon')
    await ring()
    expect(await unindexed()).toBe(0)
    const indexed = await runInDurableObject(
      stub,
      (_, { storage }) =>
        storage.sql.exec<{ count: number }>('SELECT count(*) AS count FROM trigrams').one().count,
    )
    expect(indexed).toBe(2)
  })

  it('is set by much text, in one change or in some', async () => {
    const some = await heldWorkspace()
    await some.put('/a', 'x'.repeat(DUE.bytes / 2))
    expect(await some.alarm()).toBeNull()
    await some.put('/b', 'y'.repeat(DUE.bytes / 2))
    expect(await some.alarm()).toBe('soon')
    const one = await heldWorkspace()
    await one.put('/a', 'x'.repeat(DUE.bytes))
    expect(await one.alarm()).toBe('soon')
  })

  it('is not set by bytes that no search reads', async () => {
    const { put, write, alarm, restart } = await heldWorkspace()
    const binary = (seed: number) => new Uint8Array(DUE.bytes - 1).fill(seed).fill(0, 0, 9)
    await put('/a', binary(1))
    await put('/b', binary(2))
    await restart()
    await write(0, 1)
    expect(await alarm()).toBeNull()
  })

  it('is not set by moving and deleting, unless there are many names to index', async () => {
    const few = await heldWorkspace()
    await few.put('/d/a', 'one')
    await few.call('move_file', { from: 'd', to: 'e' })
    await few.call('delete_file', { path: 'e' })
    expect(await few.alarm()).toBeNull()
    const many = freshWorkspace()
    await seed(
      stubOf(many),
      Array.from({ length: 2_000 }, (_, at) => `/d/f${at}`),
    )
    const stub = stubOf(many)
    await holdAlarm(stub)
    await many.put('/a', 'one')
    const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
    expect(await alarm()).toBeNull()
    await many.call('move_file', { from: 'd', to: 'e' })
    expect(await alarm()).not.toBeNull()
  })

  it('is set by an import as by any large change, and by every proposal', async () => {
    const { fetch, alarm, ring, unindexed, call } = await heldWorkspace()
    const files = Array.from({ length: DUE.contents }, (_, at) => tar.file(`f${at}`, `text ${at}`))
    const body = tar.join(...files, tar.END)
    expect((await fetch('/import', { method: 'POST', body })).status).toBe(200)
    expect(await alarm()).toBe('soon')
    await ring()
    expect([await alarm(), await unindexed()]).toEqual([null, 0])
    await fetch('/config', { method: 'PUT', body: '{"approval":"review"}' })
    await call('write_file', { path: '/held', content: 'held needle' })
    expect(await alarm()).not.toBeNull()
    await ring()
    expect(await unindexed()).toBe(0)
  })
})

it('few texts wait for ever, and every search finds them', async () => {
  const { write, found, unindexed, restart, alarm, ring, call, stub } = await heldWorkspace()
  await write(0, DUE.contents - 1)
  for (let round = 0; round < 3; round++) {
    expect([await found(), await unindexed()]).toEqual([DUE.contents - 1, DUE.contents - 1])
    await restart()
  }
  expect([await alarm(), await ring()]).toEqual([null, false])
  const { result } = await call('search_files', { pattern: 'needle 17', root: '/' })
  expect(result?.structuredContent).toMatchObject({ files: [{ path: 'f17' }] })
  await expectWhole(stub)
})

it('an object that no version has any more is swept, although nothing is indexed', async () => {
  const { fetch, put, alarm, ring } = await heldWorkspace()
  await fetch('/config', { method: 'PUT', body: '{"history_versions":1}' })
  await put('/a', bytesOf(`\0${'x'.repeat(2 * DUE.bytes)}`))
  // What its own arrival asked for is over.
  await ring()
  expect(await alarm()).toBeNull()
  await put('/a', 'small')
  expect(await alarm()).toBe('later')
})
