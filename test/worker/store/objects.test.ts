/** Large objects in R2 and in SQLite: complete or absent, and readable in any range. */

import {
  createR2Objects,
  createSqliteObjects,
  type Objects,
} from '#worker/store/content/objects.ts'
import { migrate } from '#worker/database/schema.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { isSameBytes } from '../../support/core/expect-is.ts'
import { newStub } from '../../support/worker/object-life.ts'

const MIB = 1024 * 1024

const bytesOf = (size: number) => new Uint8Array(size).map((_, at) => (at >> 8) ^ at)

/** A stream in pieces of the given sizes. */
function inPieces(bytes: Uint8Array, piece: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, (at += piece)))
    },
  })
}

async function read(objects: Objects, key: string, range?: { offset: number; length: number }) {
  const body = await objects.get(key, range)
  return body && new Uint8Array(await new Response(body).arrayBuffer())
}

const same = (a: Uint8Array | null, b: Uint8Array) => a !== null && isSameBytes(a, b)

describe.each<[string, (state: DurableObjectState) => Objects]>([
  ['R2', (state) => createR2Objects(env.FILES, state.id.toString())],
  ['SQLite', (state) => createSqliteObjects(state.storage.sql)],
])('objects in %s', (_, objectsOf) => {
  const within = <T>(work: (objects: Objects) => Promise<T>) =>
    runInDurableObject(newStub(), (_, state) => {
      migrate(state.storage)
      return work(objectsOf(state))
    })

  it.each([
    [1, 1],
    [MIB - 1, 4_096],
    [MIB, 4_096],
    [MIB + 1, MIB],
    [3 * MIB, 3 * MIB],
    [2 * MIB + 17, 999_983],
  ])('of %i bytes, sent in chunks of %i, are read back unchanged', async (size, piece) => {
    await within(async (objects) => {
      const bytes = bytesOf(size)
      await objects.put('streamed', inPieces(bytes, piece), size)
      await objects.put('whole', bytes, size)
      for (const key of ['streamed', 'whole'])
        expect(same(await read(objects, key), bytes)).toBe(true)
    })
  })

  it('can be read in any range', async () => {
    await within(async (objects) => {
      const bytes = bytesOf(2 * MIB + 100)
      await objects.put('a', bytes, bytes.length)
      const edge = fc.oneof(
        fc.constantFrom(0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB, bytes.length - 1),
        fc.nat(bytes.length - 1),
      )
      await fc.assert(
        fc.asyncProperty(edge, edge, async (one, other) => {
          const [offset, last] = [Math.min(one, other), Math.max(one, other)]
          const part = await read(objects, 'a', { offset, length: last - offset + 1 })
          expect(same(part, bytes.subarray(offset, last + 1))).toBe(true)
        }),
        { numRuns: 40 },
      )
    })
  })

  it('can be read in a range of no bytes, up to the end', async () => {
    await within(async (objects) => {
      const size = MIB + 100
      await objects.put('a', bytesOf(size), size)
      for (const offset of [0, 1, MIB, size])
        expect((await read(objects, 'a', { offset, length: 0 }))?.length).toBe(0)
      expect(await read(objects, 'missing', { offset: 0, length: 0 })).toBeNull()
    })
  })

  it.each([
    ['fewer bytes', MIB + 10, MIB + 11],
    ['more bytes', MIB + 10, MIB + 9],
  ])('are not stored if %s arrive than declared', async (_, sent, declared) => {
    await within(async (objects) => {
      await expect(objects.put('a', inPieces(bytesOf(sent), 65_536), declared)).rejects.toThrow()
      expect(await read(objects, 'a')).toBeNull()
    })
  })

  it('are not stored if their stream aborts', async () => {
    await within(async (objects) => {
      let sent = 0
      const broken = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent++ === 20) controller.error(new Error('the client went away'))
          else controller.enqueue(new Uint8Array(65_536))
        },
      })
      await expect(objects.put('a', broken, 4 * MIB)).rejects.toThrow()
      expect(await read(objects, 'a')).toBeNull()
    })
  })

  it('are deleted without affecting others; deleting a missing one succeeds', async () => {
    await within(async (objects) => {
      for (const key of ['a', 'b', 'c']) await objects.put(key, bytesOf(10), 10)
      await objects.delete(['a', 'missing', 'c'])
      await objects.delete([])
      expect(await read(objects, 'a')).toBeNull()
      expect(await read(objects, 'c')).toBeNull()
      expect(same(await read(objects, 'b'), bytesOf(10))).toBe(true)
      expect(await read(objects, 'missing', { offset: 0, length: 1 })).toBeNull()
    })
  })
})

it('objects of one workspace are not visible in another', async () => {
  const put = (key: string) =>
    runInDurableObject(newStub(), async (_, state) => {
      const objects = createR2Objects(env.FILES, state.id.toString())
      await objects.put(key, bytesOf(3), 3)
    })
  await put('shared')
  await runInDurableObject(newStub(), async (_, state) => {
    expect(await createR2Objects(env.FILES, state.id.toString()).get('shared')).toBeNull()
  })
})
