/** The read cache: it is never stale, it is bounded, and it saves repeated reads. */

import { parsePath } from '#core/path.ts'
import { createRecent } from '#worker/store/read/read-cache.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import type { FileEntry, Step } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'
import { act, put, TESTER, textOf } from '../../support/worker/store-contract.ts'

const KIB = 1024
const path = parsePath('/a')
const file = (blob: number): FileEntry => {
  return { type: 'file', path, blob, size: 1, mime: 'text/plain', version: blob, mtime: 0 }
}

/** Counts reads; the content of blob n is `size` bytes of n. */
function countReads(size: number) {
  const looked: string[] = []
  const recent = createRecent({
    stat: (where) => {
      looked.push(where)
      return null
    },
    open: (where) => {
      looked.push(`open ${where}`)
      const blob = where === path ? 1 : 2
      return { entry: file(blob), bytes: new Uint8Array(size).fill(blob) }
    },
    bytes: async ({ blob }) => {
      looked.push(String(blob))
      return new Uint8Array(size).fill(blob)
    },
  })
  return { recent, looked }
}

describe('entries', () => {
  it('are looked up once between two changes, missing ones as well', () => {
    const { recent, looked } = countReads(1)
    expect([recent.stat(path), recent.stat(path)]).toEqual([null, null])
    expect(looked).toEqual(['/a'])
    recent.changed()
    recent.stat(path)
    expect(looked).toEqual(['/a', '/a'])
  })

  it('are limited to a thousand', () => {
    const { recent, looked } = countReads(1)
    for (let at = 0; at < 1_001; at++) recent.stat(parsePath(`/${at}`))
    looked.length = 0
    recent.stat(parsePath('/1000'))
    expect(looked).toEqual([])
    recent.stat(parsePath('/0'))
    expect(looked).toEqual(['/0'])
  })
})

describe('a file that is opened', () => {
  it('comes with its content, and both are known then', async () => {
    const { recent, looked } = countReads(3)
    expect(recent.open(path)).toEqual(file(1))
    expect(await recent.bytes(file(1))).toEqual(new Uint8Array([1, 1, 1]))
    expect([recent.open(path), recent.stat(path)]).toEqual([file(1), file(1)])
    expect(looked).toEqual(['open /a'])
  })

  it('is kept from the second read on', async () => {
    const { recent, looked } = countReads(1)
    recent.open(path)
    recent.open(parsePath('/b'))
    expect(await recent.bytes(file(2))).toEqual(new Uint8Array([2]))
    looked.length = 0
    for (let read = 0; read < 2; read++)
      expect(await recent.bytes(file(1))).toEqual(new Uint8Array([1]))
    expect(looked).toEqual(['1'])
    recent.rolledBack()
    await recent.bytes(file(2))
    expect(looked).toEqual(['1', '2'])
  })

  it('is not read again where its entry is known', () => {
    const { recent, looked } = countReads(1)
    recent.stat(path)
    expect(recent.open(path)).toBe(null)
    expect(looked).toEqual(['/a'])
  })
})

describe('what a change has written', () => {
  const put = (bytes: Uint8Array): Step => {
    const content = { hash: new Uint8Array(32), size: bytes.length, encoding: 'utf-8' } as const
    return { type: 'put', path, content: { ...content, place: { type: 'inline', bytes } } }
  }

  it('is known without a read, and leaves other entries known', async () => {
    const { recent, looked } = countReads(1)
    const other = parsePath('/other')
    recent.stat(other)
    looked.length = 0
    const bytes = new Uint8Array([1, 2])
    recent.wrote(new Map([[path, file(7)]]), [put(bytes)])
    expect(recent.stat(path)).toEqual(file(7))
    expect(await recent.bytes(file(7))).toBe(bytes)
    recent.stat(other)
    expect(looked).toEqual([])
  })

  it('is unknown after moves and deletions, with every other entry', () => {
    const { recent, looked } = countReads(1)
    recent.wrote(new Map([[path, file(7)]]), [])
    recent.wrote(null, [])
    expect(recent.stat(path)).toBe(null)
    expect(looked).toEqual(['/a'])
  })

  it('is not kept if it would keep a larger buffer, or is too large', async () => {
    const { recent, looked } = countReads(1)
    recent.wrote(new Map([[path, file(1)]]), [put(new Uint8Array(10).subarray(5))])
    recent.wrote(new Map([[path, file(2)]]), [put(new Uint8Array(128 * KIB + 1))])
    await recent.bytes(file(1))
    await recent.bytes(file(2))
    expect(looked).toEqual(['1', '2'])
  })

  it('is not remembered if it is many entries', () => {
    const { recent, looked } = countReads(1)
    const many = Array.from({ length: 501 }, (_, at) => [parsePath(`/${at}`), file(at)] as const)
    recent.wrote(new Map(many), [])
    recent.stat(parsePath('/1'))
    expect(looked).toEqual(['/1'])
  })
})

describe('content', () => {
  it('is shared by its readers, which therefore cannot modify it', async () => {
    const { recent } = countReads(1)
    const read = await recent.bytes(file(1))
    expect(await recent.bytes(file(1))).toBe(read)
    // @ts-expect-error: read-only
    const write = () => (read[0] = 2)
    // @ts-expect-error: what could modify bytes does not get them
    const all: Uint8Array = read
    // @ts-expect-error: nor a part of them
    const part: Uint8Array = read.subarray()
    expect([write, all, part]).toHaveLength(3)
  })

  it('is read once, also across changes', async () => {
    const { recent, looked } = countReads(10)
    const first = await recent.bytes(file(7))
    recent.changed()
    expect(await recent.bytes(file(7))).toEqual(first)
    expect(first).toEqual(new Uint8Array(10).fill(7))
    expect(looked).toEqual(['7'])
  })

  it('is not kept above 128 KiB', async () => {
    const { recent, looked } = countReads(128 * KIB + 1)
    await recent.bytes(file(1))
    await recent.bytes(file(1))
    expect(looked).toEqual(['1', '1'])
  })

  it('is limited to 2 MiB, and the oldest is dropped', async () => {
    const { recent, looked } = countReads(128 * KIB)
    for (let blob = 1; blob <= 17; blob++) await recent.bytes(file(blob))
    looked.length = 0
    for (let blob = 2; blob <= 17; blob++) await recent.bytes(file(blob))
    expect(looked).toEqual([])
    await recent.bytes(file(1))
    expect(looked).toEqual(['1'])
  })

  it('is limited to a thousand files, however small', async () => {
    const { recent, looked } = countReads(1)
    for (let blob = 1; blob <= 1_001; blob++) await recent.bytes(file(blob))
    looked.length = 0
    for (let blob = 2; blob <= 1_001; blob++) await recent.bytes(file(blob))
    expect(looked).toEqual([])
    await recent.bytes(file(1))
    expect(looked).toEqual(['1'])
  })

  it('that is requested twice concurrently counts once', async () => {
    const { recent, looked } = countReads(128 * KIB)
    await Promise.all(Array.from({ length: 40 }, async () => recent.bytes(file(1))))
    for (let blob = 2; blob <= 16; blob++) await recent.bytes(file(blob))
    looked.length = 0
    await recent.bytes(file(1))
    expect(looked).toEqual([])
  })
})

/** Runs with a store of its own in a fresh object. */
const withStore = (work: (store: SqliteStore) => Promise<void>) =>
  runInDurableObject(newStub(), (_, { storage }) =>
    work(createSqliteStore(storage, createR2Objects(env.FILES, 'recent'))),
  )

describe('a store', () => {
  it('shows writes, moves and deletions at once', () =>
    withStore(async (store) => {
      expect(await textOf(store, '/a')).toBeNull()
      await put(store, '/a', 'one')
      expect(await textOf(store, '/a')).toBe('one')
      await put(store, '/a', 'two')
      expect(await textOf(store, '/a')).toBe('two')
      act(store, { type: 'move', from: path, to: parsePath('/b') })
      expect([await textOf(store, '/a'), await textOf(store, '/b')]).toEqual([null, 'two'])
      act(store, { type: 'remove', path: parsePath('/b') })
      expect(await textOf(store, '/b')).toBeNull()
    }))

  it('forgets entries and content that were rolled back', () =>
    withStore(async (store) => {
      const contents = ['rolled back', 'written'].map((text) => new TextEncoder().encode(text))
      const [first, second] = await Promise.all(contents.map((bytes) => store.hold(bytes)))
      if (!first || !second) throw new Error('Nothing was held')
      const fail = () => {
        expect(act(store, { type: 'put', path, content: first }).ok).toBe(true)
        throw new Error('rolled back')
      }
      expect(() => store.transaction(fail)).toThrow('rolled back')
      expect(await textOf(store, '/a')).toBeNull()
      act(store, { type: 'put', path, content: second })
      expect(await textOf(store, '/a')).toBe('written')
    }))

  it('keeps the cache unchanged for a refused change or a dry run', () =>
    withStore(async (store) => {
      await put(store, '/a', 'one')
      expect(await textOf(store, '/a')).toBe('one')
      const content = await store.hold(new TextEncoder().encode('two'))
      const note = { tool: '', intent: '', decision: [], actor: TESTER }
      const steps = [{ type: 'put', path, content } as const]
      const basis = store.totals.version
      expect(store.apply({ basis, steps, note, dryRun: true }).ok).toBe(true)
      expect(store.apply({ basis: basis - 1, steps, note }).ok).toBe(false)
      expect(await textOf(store, '/a')).toBe('one')
    }))
})
