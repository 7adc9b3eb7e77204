/**
 * Interrupted operations: an object is evicted or crashes at every point of every operation.
 * Nothing that was confirmed is lost, and an unfinished operation leaves nothing behind.
 */

import { MAX_HISTORY_VERSIONS, INLINE_BYTES, SWEEP_GRACE_MS } from '#worker/limits.ts'
import type { MaybePromise } from '#worker/maybe-promise.ts'
import { DUE } from '#worker/search/index-due.ts'
import { parsePath, ROOT } from '#core/path.ts'
import { createR2Objects, type Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import type { Store } from '#worker/store/store.ts'

import { packTar, unpackTar, type TarEntry } from 'modern-tar'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { expectBytes, isSameBytes } from '../../support/core/expect-is.ts'
import { freshWorkspace, MODERN } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { reconnect, crash, newStub, storeOf, stubOf } from '../../support/worker/object-life.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { act, large, paths, put, textOf } from '../../support/worker/store-contract.ts'

const p = parsePath

type Workspace = ReturnType<typeof freshWorkspace>

const statusOf = async (workspace: Workspace) =>
  (await workspace.fetch('/status')).json<Record<string, number>>()

const objectsOf = (state: DurableObjectState) => createR2Objects(env.FILES, state.id.toString())

/** Runs a function inside an object that may have crashed before. */
const inside = <T>(stub: DurableObjectStub, work: (store: Store) => MaybePromise<T>): Promise<T> =>
  runInDurableObject(reconnect(stub), (_, state) => work(storeOf(state)))

/** Starts work inside an object and crashes the object as soon as the work signals it. */
async function killedAt(
  stub: DurableObjectStub,
  work: (state: DurableObjectState, here: () => Promise<never>) => Promise<unknown>,
): Promise<void> {
  let reached = false
  const here = () => {
    reached = true
    return new Promise<never>(() => {})
  }
  const end = runInDurableObject(stub, async (_, state) => {
    await work(state, here)
  }).then(
    () => 'finished',
    (error: unknown) => String(error),
  )
  await expect.poll(() => reached).toBe(true)
  await crash(stub)
  expect(await end).toContain('crash')
}

describe('an interrupted large write', () => {
  const points: [string, (objects: Objects, here: () => Promise<never>) => Objects][] = [
    ['before its object', (objects, here) => ({ ...objects, put: here })],
    [
      'between its object and its row',
      (objects, here) => ({
        ...objects,
        async put(...args) {
          await objects.put(...args)
          await here()
        },
      }),
    ],
  ]

  it.each(points)('%s has no effect, and can be repeated', async (_, stop) => {
    const stub = newStub()
    await inside(stub, (store) => put(store, '/a', 'old'))
    await killedAt(stub, async (state, here) => {
      const store = createSqliteStore(state.storage, stop(objectsOf(state), here))
      await put(store, '/a', large(1))
    })
    await expectWhole(stub)
    await inside(stub, async (store) => {
      expect(await textOf(store, '/a')).toBe('old')
      expect(store.totals).toEqual({ version: 1, files: 1, folders: 0, bytes: 3 })
      await put(store, '/a', large(1))
      expect(await textOf(store, '/a')).toHaveLength(large(1).length)
      await store.sweep(Date.now() + SWEEP_GRACE_MS + 1)
    })
    await expectWhole(stub)
    const objects = await env.FILES.list({ prefix: stub.id.toString() })
    expect(objects.objects).toHaveLength(1)
  })

  it('has no effect if it stops within its object', async () => {
    const stub = newStub()
    await killedAt(stub, async (state, here) => {
      let sent = 0
      const half = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (sent++ === 2) await here()
          controller.enqueue(new Uint8Array(INLINE_BYTES / 2))
        },
      })
      await storeOf(state).holdStream(half, 4 * INLINE_BYTES)
    })
    await expectWhole(stub)
    expect(await inside(stub, (store) => paths(store))).toEqual([])
  })

  it('is applied if it has responded', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', large(2))
    await crash(stubOf(workspace))
    expectBytes(await workspace.raw('/a'), large(2))
    await expectWhole(stubOf(workspace))
  })

  it('is applied or has no effect', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', large(3))
    const stub = stubOf(workspace)
    for (let round = 0; round < 8; round++) {
      const before = await workspace.raw('/a')
      const after = large(10 + round)
      const url = 'https://workspace/files/a'
      const answered = reconnect(stub)
        .fetch(url, { method: 'PUT', body: after })
        .then(
          async (response) => (await response.text(), response.ok),
          () => false,
        )
      await scheduler.wait(round)
      await crash(stub)
      const promised = await answered
      const now = await workspace.raw('/a')
      const which = [before, after].map((each) => isSameBytes(each, now))
      expect(now).toHaveLength(after.length)
      expect(which).toContain(true)
      if (promised) expect(which[1]).toBe(true)
      await expectWhole(stub)
    }
  })
})

describe('an interrupted change of many files', () => {
  it('is applied completely or not at all if it has not responded', async () => {
    const stub = newStub()
    await inside(stub, async (store) => {
      for (const path of ['/d/a', '/d/b', '/d/e/c']) await put(store, path, path)
    })
    await killedAt(stub, async (state, here) => {
      act(storeOf(state), { type: 'move', from: p('/d'), to: p('/moved') })
      act(storeOf(state), { type: 'remove', path: p('/moved/e') })
      await here()
    })
    await expectWhole(stub)
    const found = await inside(stub, (store) => paths(store))
    expect([
      ['/d', '/d/a', '/d/b', '/d/e', '/d/e/c'],
      ['/moved', '/moved/a', '/moved/b'],
    ]).toContainEqual(found)
  })

  it('has no effect if it stops in the middle', async () => {
    const stub = newStub()
    await inside(stub, (store) => put(store, '/a', 'one'))
    await runInDurableObject(stub, (_, state) => {
      const store = storeOf(state)
      const { sql } = state.storage
      const dies = new Proxy(sql, {
        get(target, key) {
          if (key !== 'exec') return Reflect.get(target, key)
          return (query: string, ...bindings: unknown[]) => {
            if (query.includes('INSERT INTO changes')) throw new Error('the disk is gone')
            return target.exec(query, ...bindings)
          }
        },
      })
      const storage = new Proxy(state.storage, {
        get(target, key) {
          if (key === 'sql') return dies
          const value: unknown = Reflect.get(target, key)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      const broken = createSqliteStore(storage, objectsOf(state))
      const step = { type: 'move', from: p('/a'), to: p('/d/b') } as const
      expect(() => act(broken, step)).toThrow('the disk is gone')
      expect(broken.totals.version).toBe(1)
      expect(paths(store)).toEqual(['/a'])
    })
    await expectWhole(stub)
  })
})

describe('an interrupted sweep', () => {
  it.each(['before', 'after'])('%s the objects are deleted is repeated', async (when) => {
    const stub = newStub()
    await inside(stub, (store) => store.hold(large(20)))
    await killedAt(stub, async (state, here) => {
      const objects = objectsOf(state)
      const dies: Objects = {
        ...objects,
        async delete(keys) {
          if (when === 'after') await objects.delete(keys)
          await here()
        },
      }
      await createSqliteStore(state.storage, dies).sweep(Date.now() + SWEEP_GRACE_MS + 1)
    })
    await expectWhole(stub)
    expect(await inside(stub, (store) => store.sweep(Date.now()))).toBeNull()
    expect((await env.FILES.list({ prefix: stub.id.toString() })).objects).toEqual([])
    await expectWhole(stub)
  })

  it('never deletes an object that is referenced meanwhile', async () => {
    const stub = newStub()
    await runInDurableObject(stub, async (_, state) => {
      const objects = objectsOf(state)
      const store = storeOf(state)
      const held = await store.hold(large(21))
      const naming: Objects = {
        ...objects,
        async delete(keys) {
          const named = act(store, { type: 'put', path: p('/a'), content: held })
          expect(named).toMatchObject({ error: { reason: 'changed_meanwhile' } })
          await objects.delete(keys)
        },
      }
      await createSqliteStore(state.storage, naming).sweep(Date.now() + SWEEP_GRACE_MS + 1)
      await put(store, '/a', large(21))
    })
    await expectWhole(stub)
  })
})

const entryOf = (name: string, body: string | Uint8Array): TarEntry => ({
  header: { name, size: body.length, type: 'file' },
  body,
})

describe('an interrupted import', () => {
  const count = 1_300
  const entries = [
    ...Array.from({ length: count }, (_, index) =>
      entryOf(`d${index % 7}/f${index}`, `text ${index}`),
    ),
    entryOf('large', large(30)),
    entryOf('last', 'last'),
  ]

  /** Sends part of an archive, and the rest on demand. */
  async function sendPart(workspace: Workspace, share: number) {
    const archive = await packTar(entries)
    const { readable, writable } = new IdentityTransformStream()
    const stub = stubOf(workspace)
    const report = stub
      .fetch('https://workspace/import?to=/in', { method: 'POST', body: readable })
      .then(
        (response) => response.json<Record<string, unknown>>(),
        (error: unknown) => ({ died: String(error) }),
      )
    const writer = writable.getWriter()
    await writer.write(archive.slice(0, Math.floor(archive.length * share)))
    return { archive, report, writer }
  }

  async function expectPart(workspace: Workspace): Promise<number> {
    await expectWhole(stubOf(workspace))
    return inside(stubOf(workspace), async (store) => {
      const files = [...store.walk(ROOT)].filter((entry) => entry.type === 'file')
      for (const { path } of files) {
        const index = /\/f(\d+)$/.exec(path)?.[1]
        if (index !== undefined) expect(await textOf(store, path)).toBe(`text ${index}`)
        else
          expect(await textOf(store, path)).toHaveLength(path === '/in/last' ? 4 : large(30).length)
      }
      return files.length
    })
  }

  it('has stored complete files after a crash, and can be sent again', async () => {
    const workspace = freshWorkspace()
    const { archive, report, writer } = await sendPart(workspace, 0.6)
    const files = async () => (await statusOf(workspace))['files']
    await expect.poll(files).toBeGreaterThanOrEqual(500)
    await crash(stubOf(workspace))
    expect(await report).toMatchObject({ died: expect.stringContaining('crash') })
    await writer.abort().catch(() => {})
    const made = await expectPart(workspace)
    expect(made).toBeGreaterThanOrEqual(500)
    expect(made).toBeLessThan(count)

    const again = await workspace.fetch('/import?to=/in', { method: 'POST', body: archive })
    expect(await again.json()).toMatchObject({ files: entries.length })
    expect(await expectPart(workspace)).toBe(entries.length)
  })

  it.each([0.3, 0.6, 0.95])('reports its files after its sender disconnects: %d', async (share) => {
    const workspace = freshWorkspace()
    const { report, writer } = await sendPart(workspace, share)
    await writer.close()
    const outcome = await report
    expect(outcome).toMatchObject({ error: expect.any(String) })
    expect(await expectPart(workspace)).toBe(Object(outcome)['files'])
  })

  it('is finished before an eviction', async () => {
    const workspace = freshWorkspace()
    const { archive, report, writer } = await sendPart(workspace, 0.6)
    const evicted = evictDurableObject(stubOf(workspace))
    await scheduler.wait(20)
    await writer.write(archive.slice(Math.floor(archive.length * 0.6)))
    await writer.close()
    await evicted
    expect(await report).toMatchObject({ files: entries.length })
    expect(await expectPart(workspace)).toBe(entries.length)
  })

  it('keeps the last of several entries for one path, and no content of the others', async () => {
    const workspace = freshWorkspace()
    const twice = [
      entryOf('a', large(31)),
      entryOf('a', 'second'),
      entryOf('b/c', 'x'),
      entryOf('a', 'third'),
    ]
    await (await workspace.fetch('/import', { method: 'POST', body: await packTar(twice) })).json()
    expect(new TextDecoder().decode(await workspace.raw('/a'))).toBe('third')
    await expectWhole(stubOf(workspace))
  })
})

describe('an export', () => {
  /** More bytes than the buffers between the object and a stalled reader hold. */
  const blocks = 40
  const block = (index: number) => new Uint8Array(400_000).fill(index + 1)

  async function fillWorkspace(): Promise<Workspace> {
    const workspace = freshWorkspace()
    await inside(stubOf(workspace), async (store) => {
      for (let index = 0; index < blocks; index++)
        await put(store, `/b/${index + 10}`, block(index))
      await put(store, '/z', 'the end')
    })
    await evictDurableObject(stubOf(workspace))
    return workspace
  }

  async function openExport(workspace: Workspace) {
    const response = await stubOf(workspace).fetch('https://workspace/export')
    if (!response.body) throw new Error('no body')
    const reader = response.body.getReader()
    const first = await reader.read()
    const rest = async () => {
      const parts = first.value ? [first.value] : []
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return unpackTar(await new Blob(parts).arrayBuffer())
        parts.push(value)
      }
    }
    return { reader, rest }
  }

  it('that is interrupted is not a complete archive', async () => {
    const workspace = await fillWorkspace()
    const { rest } = await openExport(workspace)
    await crash(stubOf(workspace))
    await expect(rest()).rejects.toThrow()
    await expectWhole(stubOf(workspace))
    const whole = await (await openExport(workspace)).rest()
    expect(whole.filter(({ header }) => header.type === 'file')).toHaveLength(blocks + 1)
  })

  it('whose reader disconnects leaves the object consistent', async () => {
    const workspace = await fillWorkspace()
    const { reader } = await openExport(workspace)
    await reader.cancel()
    await workspace.text('write_file', { path: 'z', content: 'changed' })
    await evictDurableObject(stubOf(workspace))
    await expectWhole(stubOf(workspace))
  })

  it('has every file in an old or new version, however often it changes meanwhile', async () => {
    const workspace = await fillWorkspace()
    const { rest } = await openExport(workspace)
    for (let version = 0; version <= MAX_HISTORY_VERSIONS; version++)
      await workspace.text('write_file', { path: 'z', content: `version ${version}` })
    await workspace.text('delete_file', { path: 'b/49' })
    const texts = new Map((await rest()).map(({ header, data }) => [header.name, data]))
    expectBytes(texts.get('b/48') ?? null, block(38))
    expect(new TextDecoder().decode(texts.get('z'))).toMatch(/^the end$|^version \d+$/)
    const last = texts.get('b/49')
    if (last !== undefined) expectBytes(last, block(39))
    await expectWhole(stubOf(workspace))
  })

  it('has all unchanged files while many others change', async () => {
    const workspace = await fillWorkspace()
    const { rest } = await openExport(workspace)
    for (const path of ['b/10', 'b/30']) await workspace.text('delete_file', { path })
    await workspace.text('move_file', { from: 'b/31', to: 'b/31-moved' })
    await workspace.text('write_file', { path: 'b/32-new', content: 'new' })
    const names = (await rest()).map(({ header }) => header.name)
    const touched = ['b/10', 'b/30', 'b/31', 'b/31-moved', 'b/32-new']
    const stays = Array.from({ length: blocks }, (_, index) => `b/${index + 10}`)
    expect(names.filter((name) => !touched.includes(name))).toEqual([
      'b/',
      ...stays.filter((name) => !touched.includes(name)),
      'z',
    ])
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('the index', () => {
  it('that is interrupted while it fills is completed later', async () => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    for (let file = 0; file < 30; file++) await workspace.put(`/f${file}`, `needle ${file}`)
    for (let file = 0; file < 3; file++)
      await workspace.put(`/large${file}`, `needle\n${String(file).repeat(INLINE_BYTES)}`)
    const total = async () => {
      const { result } = await workspace.call('search_files', { pattern: 'needle' })
      return result?.structuredContent['total_files']
    }
    for (let round = 0; round < 5; round++) {
      const filling = runInDurableObject(reconnect(stub), (instance) => instance.alarm()).catch(
        () => {},
      )
      await scheduler.wait(round)
      await crash(stub)
      await filling
      expect(await total()).toBe(33)
      await expectWhole(stub)
    }
    const unindexed = async () => (await statusOf(workspace))['unindexed']
    await expect.poll(unindexed).toBe(0)
    expect(await total()).toBe(33)
    await expectWhole(stub)
  })

  it('is filled after a crash right after a write', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'needle'.repeat(DUE.bytes / 6 + 1))
    await crash(stubOf(workspace))
    const unindexed = async () => (await statusOf(workspace))['unindexed']
    await expect.poll(unindexed).toBe(0)
    await expectWhole(stubOf(workspace))
  })
})

describe('a session', () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }

  async function begun(workspace: Workspace) {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const response = await workspace.fetch('/mcp', { method: 'POST', headers, body })
    await response.text()
    const session = response.headers.get('mcp-session-id') ?? ''
    const named = { ...headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }

    async function ask(method: string, more: Record<string, unknown> = {}) {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: more })
      const answer = await workspace.fetch('/mcp', {
        method: 'POST',
        headers: named,
        body: message,
      })
      if (answer.ok) return readEvents(answer).next()
      return { status: answer.status, text: await answer.text() }
    }
    const stream = async () =>
      readEvents(
        await workspace.fetch('/mcp', { headers: { ...named, accept: 'text/event-stream' } }),
      )
    return { ask, stream }
  }

  const write = (content: string) => ({ name: 'write_file', arguments: { path: 'a', content } })

  it.each([
    ['evicted', (stub: DurableObjectStub) => evictDurableObject(reconnect(stub))],
    ['dead', crash],
  ])('continues if its object was %s between any two requests', async (_, end) => {
    const workspace = freshWorkspace()
    const stub = stubOf(workspace)
    const { ask } = await begun(workspace)
    for (let round = 0; round < 4; round++) {
      await end(stub)
      expect(await ask('tools/call', write(`round ${round}`))).toMatchObject({ result: {} })
      await end(stub)
      expect(await ask('resources/read', { uri: 'file:///a' })).toMatchObject({
        result: { contents: [{ text: `round ${round}` }] },
      })
    }
    await expectWhole(stub)
  })

  it('answers concurrent requests when it wakes up', async () => {
    const workspace = freshWorkspace()
    const { ask } = await begun(workspace)
    await workspace.put('/a', 'one')
    await evictDurableObject(stubOf(workspace))
    const asked = Array.from({ length: 8 }, () => ask('resources/read', { uri: 'file:///a' }))
    for (const answer of await Promise.all(asked))
      expect(answer).toMatchObject({ result: { contents: [{ text: 'one' }] } })
  })

  it('gets notifications on its open stream after an eviction', async () => {
    const workspace = freshWorkspace()
    const { ask, stream } = await begun(workspace)
    const events = await stream()
    await ask('resources/subscribe', { uri: 'file:///a' })
    for (let round = 0; round < 3; round++) {
      await evictDurableObject(stubOf(workspace))
      await ask('tools/call', write(`round ${round}`))
      if (round === 0)
        expect(await events.next()).toMatchObject({
          method: 'notifications/resources/list_changed',
        })
      expect(await events.next()).toMatchObject({ method: 'notifications/resources/updated' })
    }
    await events.cancel()
    await expectWhole(stubOf(workspace))
  })

  it('gets the end of its stream when its object crashes, and reconnects', async () => {
    const workspace = freshWorkspace()
    const { ask, stream } = await begun(workspace)
    await ask('resources/subscribe', { uri: 'file:///a' })
    const events = await stream()
    await crash(stubOf(workspace))
    await expect(events.next()).rejects.toThrow(/ended|crash/)
    const again = await stream()
    await ask('tools/call', write('one'))
    expect(await again.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    expect(await again.next()).toMatchObject({ method: 'notifications/resources/updated' })
    await again.cancel()
  })
})

it('a modern listener gets the end of its stream when its object crashes', async () => {
  const workspace = freshWorkspace()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourcesListChanged: true }, _meta }
  const response = await workspace.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params }),
  })
  const events = readEvents(response)
  expect(await events.next()).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
  })
  await crash(stubOf(workspace))
  await expect(events.next()).rejects.toThrow(/ended|crash/)
  await workspace.put('/a', 'one')
  await expectWhole(stubOf(workspace))
})
