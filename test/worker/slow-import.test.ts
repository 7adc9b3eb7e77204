/**
 * What takes longer to arrive than the sweep waits: it is swept neither while it arrives nor before
 * somebody names it, and what never comes to its end is swept all the same.
 */

import { parsePath } from '#core/path.ts'
import { SWEEP_GRACE_MS } from '#worker/limits.ts'
import { createR2Objects, type Objects } from '#worker/store/objects.ts'
import { createSqliteStore } from '#worker/store/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { bytesOf } from './client.ts'
import { withFaults, type Frail } from './faults.ts'
import { expectWhole } from './invariants.ts'
import { newStub } from './life.ts'
import { END, file, header, joined, padded } from './raw-tar.ts'
import { act, textOf } from './store-contract.ts'

const LARGE = bytesOf('x'.repeat(200_000))
const OTHER = bytesOf('y'.repeat(300_000))

afterEach(() => void vi.useRealTimers())

/** A request whose body comes as slowly as the test wants. */
function slowly({ fetch }: Frail, method: string, path: string, headers: HeadersInit = {}) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const answer = fetch(path, { method, headers, body: readable })
  return { answer, writer }
}

/** Sets the clock, which then stands still: nothing may be polled any more. */
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

/** Lets so much time pass that the sweep comes, more than once. */
async function sweepLate(frail: Frail): Promise<void> {
  for (let hour = 0; hour < 3; hour++) {
    later(SWEEP_GRACE_MS + 1)
    await frail.alarm()
  }
}

const trash = ({ state }: Frail) =>
  state.storage.sql.exec<{ key: string; at: number }>('SELECT key, at FROM trash').toArray()

const objects = async ({ state }: Frail) =>
  (await env.FILES.list({ prefix: state.id.toString() })).objects.length

const read = async ({ fetch }: Frail, path: string) => (await fetch(path)).text()

it('an upload that takes hours is there in the end', async () => {
  await withFaults(async (frail) => {
    const length = { 'content-length': String(LARGE.length) }
    const { answer, writer } = slowly(frail, 'PUT', '/files/slow', length)
    await writer.write(LARGE.subarray(0, 100_000))
    await expect.poll(() => trash(frail)).toHaveLength(1)
    await sweepLate(frail)
    // Put off, and not asked for again at once.
    expect(trash(frail)).toMatchObject([{ at: Date.now() + SWEEP_GRACE_MS }])
    await writer.write(LARGE.subarray(100_000))
    await writer.close()
    expect((await answer).status).toBe(201)
    await sweepLate(frail)
    expect((await read(frail, '/files/slow')).length).toBe(LARGE.length)
    expect(await frail.broken()).toEqual({})
  })
})

it('an import keeps what came first, however long the rest takes', async () => {
  await withFaults(async (frail) => {
    const { answer, writer } = slowly(frail, 'POST', '/import')
    const first = joined(file('small', 'small'), header({ name: 'a', size: LARGE.length }))
    await writer.write(joined(first, padded(LARGE), header({ name: 'b', size: OTHER.length })))
    await writer.write(OTHER.subarray(0, 200_000))
    // The first large file has a name by now, and the second is on its way.
    await expect.poll(() => trash(frail)).toHaveLength(1)
    expect(await read(frail, '/files/small')).toBe('small')
    await sweepLate(frail)
    await writer.write(joined(padded(OTHER).subarray(200_000), END))
    await writer.close()
    expect(await (await answer).json()).toEqual({
      files: 3,
      folders: 0,
      bytes: 5 + LARGE.length + OTHER.length,
      skipped: 0,
      reasons: [],
    })
    await sweepLate(frail)
    expect((await read(frail, '/files/a')).length).toBe(LARGE.length)
    expect((await read(frail, '/files/b')).length).toBe(OTHER.length)
    expect(await frail.broken()).toEqual({})
  })
})

it('an upload that breaks off after hours leaves nothing for ever', async () => {
  await withFaults(async (frail) => {
    const length = { 'content-length': String(LARGE.length) }
    const { answer, writer } = slowly(frail, 'PUT', '/files/slow', length)
    await writer.write(LARGE.subarray(0, 100_000))
    await expect.poll(() => trash(frail)).toHaveLength(1)
    await sweepLate(frail)
    await writer.abort(new Error('gone'))
    expect((await answer).status).toBe(400)
    await sweepLate(frail)
    expect(trash(frail)).toEqual([])
    expect(await objects(frail)).toBe(0)
    expect(await frail.broken()).toEqual({})
  })
})

it('what took long to arrive has as much time to be named as any other', async () => {
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
