/**
 * Uploads that take longer than the sweep's grace period: their objects are deleted neither during the upload nor
 * before a row references them, and the objects of an aborted upload are deleted.
 */

import { parsePath } from '#core/path.ts'
import { SWEEP_GRACE_MS } from '#worker/limits.ts'
import { createR2Objects, type Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { bytesOf } from '../../support/worker/client.ts'
import { withFaults, type FaultyWorkspace } from '../../support/worker/faulty-storage.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { END, file, header, join, pad } from '../../support/worker/raw-tar.ts'
import { act, textOf } from '../../support/worker/store-contract.ts'

const LARGE = bytesOf('x'.repeat(200_000))
const OTHER = bytesOf('y'.repeat(300_000))

afterEach(() => void vi.useRealTimers())

/** A request whose body arrives under the control of the test. */
function slowly(
  { fetch }: FaultyWorkspace,
  method: string,
  path: string,
  headers: HeadersInit = {},
) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const answer = fetch(path, { method, headers, body: readable })
  return { answer, writer }
}

/** Sets the clock and freezes it, so `expect.poll` cannot be used afterwards. */
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

/** Advances the clock far enough for several sweeps. */
async function sweepLate(faulty: FaultyWorkspace): Promise<void> {
  for (let hour = 0; hour < 3; hour++) {
    later(SWEEP_GRACE_MS + 1)
    await faulty.alarm()
  }
}

const trash = ({ state }: FaultyWorkspace) =>
  state.storage.sql.exec<{ key: string; at: number }>('SELECT key, at FROM trash').toArray()

const objects = async ({ state }: FaultyWorkspace) =>
  (await env.FILES.list({ prefix: state.id.toString() })).objects.length

const read = async ({ fetch }: FaultyWorkspace, path: string) => (await fetch(path)).text()

it('an upload that takes hours is stored', async () => {
  await withFaults(async (faulty) => {
    const length = { 'content-length': String(LARGE.length) }
    const { answer, writer } = slowly(faulty, 'PUT', '/files/slow', length)
    await writer.write(LARGE.subarray(0, 100_000))
    await expect.poll(() => trash(faulty)).toHaveLength(1)
    await sweepLate(faulty)
    // The alarm is postponed, and not set to run at once.
    expect(trash(faulty)).toMatchObject([{ at: Date.now() + SWEEP_GRACE_MS }])
    await writer.write(LARGE.subarray(100_000))
    await writer.close()
    expect((await answer).status).toBe(201)
    await sweepLate(faulty)
    expect((await read(faulty, '/files/slow')).length).toBe(LARGE.length)
    expect(await faulty.broken()).toEqual({})
  })
})

it('an import keeps its first files, however long the rest takes', async () => {
  await withFaults(async (faulty) => {
    const { answer, writer } = slowly(faulty, 'POST', '/import')
    const first = join(file('small', 'small'), header({ name: 'a', size: LARGE.length }))
    await writer.write(join(first, pad(LARGE), header({ name: 'b', size: OTHER.length })))
    await writer.write(OTHER.subarray(0, 200_000))
    // The first large file is referenced now, and the second is still arriving.
    await expect.poll(() => trash(faulty)).toHaveLength(1)
    expect(await read(faulty, '/files/small')).toBe('small')
    await sweepLate(faulty)
    await writer.write(join(pad(OTHER).subarray(200_000), END))
    await writer.close()
    expect(await (await answer).json()).toEqual({
      files: 3,
      folders: 0,
      bytes: 5 + LARGE.length + OTHER.length,
      skipped: 0,
      reasons: [],
    })
    await sweepLate(faulty)
    expect((await read(faulty, '/files/a')).length).toBe(LARGE.length)
    expect((await read(faulty, '/files/b')).length).toBe(OTHER.length)
    expect(await faulty.broken()).toEqual({})
  })
})

it('an upload that aborts after hours leaves no object behind', async () => {
  await withFaults(async (faulty) => {
    const length = { 'content-length': String(LARGE.length) }
    const { answer, writer } = slowly(faulty, 'PUT', '/files/slow', length)
    await writer.write(LARGE.subarray(0, 100_000))
    await expect.poll(() => trash(faulty)).toHaveLength(1)
    await sweepLate(faulty)
    await writer.abort(new Error('gone'))
    expect((await answer).status).toBe(400)
    await sweepLate(faulty)
    expect(trash(faulty)).toEqual([])
    expect(await objects(faulty)).toBe(0)
    expect(await faulty.broken()).toEqual({})
  })
})

it('the grace period of a slow upload begins when it is complete', async () => {
  const stub = newStub()
  await runInDurableObject(stub, async (_, { id, storage }) => {
    const bucket = createR2Objects(env.FILES, id.toString())
    const slow: Objects = {
      ...bucket,
      async put(...args) {
        await bucket.put(...args)
        later(SWEEP_GRACE_MS - 1)
      },
    }
    const store = createSqliteStore(storage, slow)
    const content = await store.hold(LARGE)
    later(2)
    await store.sweep(Date.now())
    const step = { type: 'put', path: parsePath('/late'), content } as const
    expect(act(store, step)).toMatchObject({ ok: true })
    expect((await textOf(store, '/late'))?.length).toBe(LARGE.length)
  })
  await expectWhole(stub)
})
