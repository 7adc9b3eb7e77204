/**
 * Storage that fails, is slow or returns stale data; alarms that fire late or twice; clients that
 * disconnect. Nothing is lost or half done, and no client gets internal details.
 */

import { SWEEP_GRACE_MS } from '#worker/limits.ts'
import { packTar } from 'modern-tar'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MODERN, modernRequest } from '../../support/worker/client.ts'
import { withFaults, type FaultyWorkspace } from '../../support/worker/faulty-storage.ts'

const LARGE = 'x'.repeat(200_000)
const SECRET = 'bucket-7 at 10.0.0.7 does not answer'

const fails = () => Promise.reject(new Error(SECRET))

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Silences the log, to which the product writes the expected errors. */
function quietly() {
  return vi.spyOn(console, 'error').mockImplementation(() => {})
}

const put = ({ fetch }: FaultyWorkspace, path: string, body: string) =>
  fetch(`/files${path}`, {
    method: 'PUT',
    headers: { 'content-length': String(body.length) },
    body,
  })

async function textOf({ fetch }: FaultyWorkspace, path: string): Promise<string | null> {
  const answer = await fetch(`/files${path}`)
  const text = await answer.text()
  return answer.ok ? text : null
}

async function call({ fetch }: FaultyWorkspace, name: string, args: object, meta: object = {}) {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    ...meta,
  }
  const params = { name, arguments: args, _meta: envelope }
  const answer = await fetch('/mcp', modernRequest('tools/call', params))
  const text = await answer.text()
  expect(text).not.toContain(SECRET)
  const { error, result } = JSON.parse(text.replace(/^[^{]*data: /s, ''))
  return { status: answer.status, code: error?.code, failed: result?.isError === true, text }
}

async function expectInternal(answer: Response): Promise<void> {
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({ code: 'INTERNAL', message: expect.any(String) })
}

const wrong = { code: -32603 }

describe('R2 that fails', () => {
  it('during a write leaves nothing, and the write can be repeated', async () => {
    const log = quietly()
    await withFaults(async (faulty) => {
      await put(faulty, '/a', 'old')
      faulty.faults.put = fails
      await expectInternal(await put(faulty, '/a', LARGE))
      expect(await call(faulty, 'write_file', { path: 'a', content: LARGE })).toMatchObject(wrong)
      expect(await textOf(faulty, '/a')).toBe('old')
      expect(await faulty.broken()).toEqual({})
      expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: SECRET }))

      faulty.faults.put = undefined
      expect((await put(faulty, '/a', LARGE)).status).toBe(200)
      expect(await textOf(faulty, '/a')).toBe(LARGE)
      expect(await faulty.broken()).toEqual({})
    })
  })

  it('during an import leaves exactly the counted files', async () => {
    quietly()
    await withFaults(async (faulty) => {
      const names = Array.from({ length: 600 }, (_, at) => `f${at}`)
      const small = names.map((name) => ({ header: { name, size: 3 }, body: 'one' }))
      const large = { header: { name: 'large', size: LARGE.length }, body: LARGE }
      const archive = await packTar([
        ...small,
        large,
        { ...large, header: { name: 'z', size: 3 }, body: 'two' },
      ])
      const send = () => faulty.fetch('/import', { method: 'POST', body: archive })
      faulty.faults.put = fails
      const answer = await send()
      const report = await answer.json<{ files: number; error: string }>()
      expect(answer.status).toBe(422)
      expect(report.error).not.toContain(SECRET)
      const { files } = await (await faulty.fetch('/status')).json<{ files: number }>()
      expect(files).toBe(report.files)
      expect(await faulty.broken()).toEqual({})

      faulty.faults.put = undefined
      expect(await (await send()).json()).toMatchObject({ files: 602, skipped: 0 })
      expect(await textOf(faulty, '/large')).toBe(LARGE)
      expect(await faulty.broken()).toEqual({})
    })
  })

  it.each<[string, () => Promise<null>]>([
    ['fails', fails],
    ['returns null for stored objects', () => Promise.resolve(null)],
  ])('during a read, when it %s, gives an error, and a later read succeeds', async (_, get) => {
    quietly()
    await withFaults(async (faulty) => {
      await put(faulty, '/large', LARGE)
      await put(faulty, '/small', 'needle')
      faulty.faults.get = get
      await expectInternal(await faulty.fetch('/files/large'))
      for (const meta of [{}, { progressToken: 1 }]) {
        expect(await call(faulty, 'read_file', { path: 'large' }, meta)).toMatchObject(wrong)
        const edits = [{ find: 'x', replace: 'y' }]
        expect(await call(faulty, 'edit_file', { path: 'large', edits }, meta)).toMatchObject(wrong)
      }
      await expect((await faulty.fetch('/export')).arrayBuffer()).rejects.toThrow()
      expect(await textOf(faulty, '/small')).toBe('needle')
      expect(await call(faulty, 'move_file', { from: 'large', to: 'moved' })).toMatchObject({
        failed: false,
      })

      faulty.faults.get = undefined
      expect(await textOf(faulty, '/moved')).toBe(LARGE)
      expect(await faulty.broken()).toEqual({})
    })
  })

  it('during indexing does not stop the sweep, and the index is filled later', async () => {
    quietly()
    await withFaults(async (faulty) => {
      await put(faulty, '/large', `needle ${LARGE}`)
      for (const get of [fails, () => Promise.resolve(null)]) {
        faulty.faults.get = get
        await faulty.state.storage.deleteAlarm()
        const asked = Date.now()
        await faulty.alarm()
        // Not soon, because an object may be lost for ever.
        expect(await faulty.state.storage.getAlarm()).toBeGreaterThanOrEqual(asked + 60_000)
      }
      faulty.faults.get = undefined
      await faulty.alarm()
      expect(await (await faulty.fetch('/status')).json()).toMatchObject({ unindexed: 0 })
      expect((await call(faulty, 'search_files', { pattern: 'needle' })).text).toContain('large')
    })
  })

  it.each<[string, () => Promise<null>]>([
    ['cannot be read', fails],
    ['is lost', () => Promise.resolve(null)],
  ])('does not stop the index of other files while one object %s', async (_, get) => {
    quietly()
    await withFaults(async (faulty) => {
      await put(faulty, '/large', LARGE)
      for (let at = 0; at < 300; at++) await put(faulty, `/small${at}`, `text ${at}`)
      faulty.faults.get = get
      for (let round = 0; round < 3; round++) await faulty.alarm()
      expect(await (await faulty.fetch('/status')).json()).toMatchObject({ unindexed: 1 })
    })
  })

  it('during a sweep leaves unreferenced objects for the next sweep', async () => {
    quietly()
    await withFaults(async (faulty) => {
      await put(faulty, '/kept', LARGE)
      faulty.faults.exec = (statement) => {
        if (statement.includes('INTO files')) throw new Error(SECRET)
      }
      await expectInternal(await put(faulty, '/lost', `${LARGE}!`))
      faulty.faults.exec = undefined

      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * SWEEP_GRACE_MS })
      faulty.faults.delete = fails
      await faulty.state.storage.deleteAlarm()
      await faulty.alarm()
      expect(await faulty.state.storage.getAlarm()).toBe(Date.now() + 60_000)
      expect(await faulty.broken()).toEqual({})
      faulty.faults.delete = undefined
      // The alarm fires late, and several times concurrently.
      await Promise.all([faulty.alarm(), faulty.alarm(), faulty.alarm()])
      await faulty.alarm()
      expect(faulty.state.storage.sql.exec('SELECT key FROM trash').toArray()).toEqual([])
      expect(await textOf(faulty, '/kept')).toBe(LARGE)
      expect(await faulty.broken()).toEqual({})
    })
  })
})

it('slow R2 delays only the requests that use it', async () => {
  await withFaults(async (faulty) => {
    const slow = Promise.withResolvers<null>()
    await put(faulty, '/a', 'old')
    await put(faulty, '/large', LARGE)
    faulty.faults.get = () => slow.promise
    const waiting = faulty.fetch('/files/large')
    expect(await textOf(faulty, '/a')).toBe('old')
    expect((await put(faulty, '/a', 'new')).status).toBe(200)
    expect(await call(faulty, 'move_file', { from: 'large', to: 'b' })).toMatchObject({
      failed: false,
    })
    faulty.faults.get = undefined
    quietly()
    slow.resolve(null)
    await expectInternal(await waiting)
    expect(await faulty.broken()).toEqual({})
  })
})

describe('SQLite that fails at any statement', () => {
  const operations: [string, (faulty: FaultyWorkspace) => Promise<unknown>][] = [
    ['a write', (faulty) => call(faulty, 'write_file', { path: 'a/1', content: 'new' })],
    [
      'a large upload',
      (faulty) => put(faulty, '/a/1', `${LARGE}?`).then((answer) => answer.text()),
    ],
    ['a move', (faulty) => call(faulty, 'move_file', { from: 'a', to: 'c/d' })],
    ['a delete', (faulty) => call(faulty, 'delete_file', { path: 'a' })],
    ['a preview', (faulty) => call(faulty, 'delete_file', { path: 'a' }, { preview: true })],
  ]
  const all = async ({ fetch }: FaultyWorkspace) => (await fetch('/export')).text()

  it.each(operations)('%s is applied or has no effect', async (_, operate) => {
    quietly()
    await withFaults(async (faulty) => {
      await put(faulty, '/a/1', 'one')
      await put(faulty, '/a/2', LARGE)
      const before = await all(faulty)
      let failed = 0
      for (let nth = 1; nth < 200; nth++) {
        let left = nth
        faulty.faults.exec = () => {
          if (--left === 0) throw new Error(SECRET)
        }
        const answer = JSON.stringify(await operate(faulty))
        faulty.faults.exec = undefined
        expect(answer).not.toContain(SECRET)
        expect(await faulty.broken()).toEqual({})
        if (left > 0) break
        failed++
        expect(answer).toMatch(/-32603|INTERNAL/)
        // A diff of two archives would take long to print.
        expect((await all(faulty)) === before).toBe(true)
      }
      expect(failed).toBeGreaterThan(2)
      expect(await call(faulty, 'write_file', { path: 'z', content: 'z' })).toMatchObject({
        failed: false,
      })
      expect(await faulty.broken()).toEqual({})
    })
  })
})

describe('a client that disconnects', () => {
  it('while it sends changes nothing', async () => {
    quietly()
    await withFaults(async (faulty) => {
      await put(faulty, '/a', 'old')
      for (const [path, headers] of [
        ['/files/a', { 'content-length': '200000' }],
        ['/mcp', { 'content-type': 'application/json' }],
        ['/import', {}],
      ] as const) {
        let sent = 0
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            if (sent++ < 3) controller.enqueue(new Uint8Array(10_000).fill(120))
            else controller.error(new Error(SECRET))
          },
        })
        const method = path === '/files/a' ? 'PUT' : 'POST'
        const answer = await faulty.fetch(path, { method, headers, body })
        expect(answer.status, path).toBeGreaterThanOrEqual(400)
        await answer.body?.cancel()
        expect(await textOf(faulty, '/a')).toBe('old')
        expect(await faulty.broken()).toEqual({})
      }
    })
  })

  it('while it reads does not affect others', async () => {
    await withFaults(async (faulty) => {
      await put(faulty, '/large', LARGE)
      for (const path of ['/files/large', '/export']) {
        const reader = (await faulty.fetch(path)).body?.getReader()
        await reader?.read()
        await reader?.cancel()
      }
      expect(await textOf(faulty, '/large')).toBe(LARGE)
      expect((await put(faulty, '/large', 'new')).status).toBe(200)
      expect(await faulty.broken()).toEqual({})
    })
  })
})
