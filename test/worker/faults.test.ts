/**
 * Storage that fails, is slow or answers with what was; alarms that come late or twice; clients that
 * go in the middle. Nothing is lost or half done, and nobody is told more than that it went wrong.
 */

import { SWEEP_GRACE_MS } from '#worker/limits.ts'
import { packTar } from 'modern-tar'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MODERN } from './client.ts'
import { withFaults, type Frail } from './faults.ts'

const LARGE = 'x'.repeat(200_000)
const SECRET = 'bucket-7 at 10.0.0.7 does not answer'

const fails = () => Promise.reject(new Error(SECRET))

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** What goes wrong is written to the log, which these tests need not show. */
function quietly() {
  return vi.spyOn(console, 'error').mockImplementation(() => {})
}

const put = ({ fetch }: Frail, path: string, body: string) =>
  fetch(`/files${path}`, {
    method: 'PUT',
    headers: { 'content-length': String(body.length) },
    body,
  })

async function textOf({ fetch }: Frail, path: string): Promise<string | null> {
  const answer = await fetch(`/files${path}`)
  const text = await answer.text()
  return answer.ok ? text : null
}

async function call({ fetch }: Frail, name: string, args: object, meta: object = {}) {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    ...meta,
  }
  const params = { name, arguments: args, _meta: envelope }
  const answer = await fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params }),
  })
  const text = await answer.text()
  expect(text).not.toContain(SECRET)
  const { error, result } = JSON.parse(text.replace(/^[^{]*data: /s, ''))
  return { status: answer.status, code: error?.code, failed: result?.isError === true, text }
}

async function expectInternal(answer: Response): Promise<void> {
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({
    code: 'INTERNAL',
    message: 'Something went wrong here. Nothing more was done',
  })
}

const wrong = { code: -32603, text: expect.stringContaining('Something went wrong here') }

describe('R2 that fails', () => {
  it('when something is written: nothing was, and it can be sent again', async () => {
    const log = quietly()
    await withFaults(async (frail) => {
      await put(frail, '/a', 'old')
      frail.faults.put = fails
      await expectInternal(await put(frail, '/a', LARGE))
      expect(await call(frail, 'write_file', { path: 'a', content: LARGE })).toMatchObject(wrong)
      expect(await textOf(frail, '/a')).toBe('old')
      expect(await frail.broken()).toEqual({})
      expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: SECRET }))

      frail.faults.put = undefined
      expect((await put(frail, '/a', LARGE)).status).toBe(200)
      expect(await textOf(frail, '/a')).toBe(LARGE)
      expect(await frail.broken()).toEqual({})
    })
  })

  it('in the middle of an import: what is counted is there', async () => {
    quietly()
    await withFaults(async (frail) => {
      const names = Array.from({ length: 600 }, (_, at) => `f${at}`)
      const small = names.map((name) => ({ header: { name, size: 3 }, body: 'one' }))
      const large = { header: { name: 'large', size: LARGE.length }, body: LARGE }
      const archive = await packTar([
        ...small,
        large,
        { ...large, header: { name: 'z', size: 3 }, body: 'two' },
      ])
      const send = () => frail.fetch('/import', { method: 'POST', body: archive })
      frail.faults.put = fails
      const answer = await send()
      const report = await answer.json<{ files: number; error: string }>()
      expect(answer.status).toBe(422)
      expect(report.error).toMatch(/^Something went wrong here/)
      const { files } = await (await frail.fetch('/status')).json<{ files: number }>()
      expect(files).toBe(report.files)
      expect(await frail.broken()).toEqual({})

      frail.faults.put = undefined
      expect(await (await send()).json()).toMatchObject({ files: 602, skipped: 0 })
      expect(await textOf(frail, '/large')).toBe(LARGE)
      expect(await frail.broken()).toEqual({})
    })
  })

  it.each<[string, () => Promise<null>]>([
    ['fails', fails],
    ['does not know what it was given', () => Promise.resolve(null)],
  ])('when something is read and it %s: an error, and later all of it', async (_, get) => {
    quietly()
    await withFaults(async (frail) => {
      await put(frail, '/large', LARGE)
      await put(frail, '/small', 'needle')
      frail.faults.get = get
      await expectInternal(await frail.fetch('/files/large'))
      for (const meta of [{}, { progressToken: 1 }]) {
        expect(await call(frail, 'read_file', { path: 'large' }, meta)).toMatchObject(wrong)
        const edits = [{ find: 'x', replace: 'y' }]
        expect(await call(frail, 'edit_file', { path: 'large', edits }, meta)).toMatchObject(wrong)
      }
      await expect((await frail.fetch('/export')).arrayBuffer()).rejects.toThrow()
      expect(await textOf(frail, '/small')).toBe('needle')
      expect(await call(frail, 'move_file', { from: 'large', to: 'moved' })).toMatchObject({
        failed: false,
      })

      frail.faults.get = undefined
      expect(await textOf(frail, '/moved')).toBe(LARGE)
      expect(await frail.broken()).toEqual({})
    })
  })

  it('when it is indexed: the sweep goes on, and the index is filled later', async () => {
    quietly()
    await withFaults(async (frail) => {
      await put(frail, '/large', `needle ${LARGE}`)
      for (const get of [fails, () => Promise.resolve(null)]) {
        frail.faults.get = get
        await frail.state.storage.deleteAlarm()
        const asked = Date.now()
        await frail.alarm()
        // Not at once, because that would go on and on.
        expect(await frail.state.storage.getAlarm()).toBeGreaterThan(asked + 500)
      }
      frail.faults.get = undefined
      await frail.alarm()
      expect(await (await frail.fetch('/status')).json()).toMatchObject({ unindexed: 0 })
      expect((await call(frail, 'search_files', { pattern: 'needle' })).text).toContain('large')
    })
  })

  it('when something is swept: it is swept the next time, and only what nobody names', async () => {
    quietly()
    await withFaults(async (frail) => {
      await put(frail, '/kept', LARGE)
      frail.faults.exec = (statement) => {
        if (statement.includes('INTO files')) throw new Error(SECRET)
      }
      await expectInternal(await put(frail, '/lost', `${LARGE}!`))
      frail.faults.exec = undefined

      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * SWEEP_GRACE_MS })
      frail.faults.delete = fails
      await expect(frail.alarm()).rejects.toThrow(SECRET)
      expect(await frail.broken()).toEqual({})
      frail.faults.delete = undefined
      // Late, and more than once at the same time.
      await Promise.all([frail.alarm(), frail.alarm(), frail.alarm()])
      await frail.alarm()
      expect(frail.state.storage.sql.exec('SELECT key FROM trash').toArray()).toEqual([])
      expect(await textOf(frail, '/kept')).toBe(LARGE)
      expect(await frail.broken()).toEqual({})
    })
  })
})

it('R2 that is slow holds up who waits for it, and nobody else', async () => {
  await withFaults(async (frail) => {
    const slow = Promise.withResolvers<null>()
    await put(frail, '/a', 'old')
    await put(frail, '/large', LARGE)
    frail.faults.get = () => slow.promise
    const waiting = frail.fetch('/files/large')
    expect(await textOf(frail, '/a')).toBe('old')
    expect((await put(frail, '/a', 'new')).status).toBe(200)
    expect(await call(frail, 'move_file', { from: 'large', to: 'b' })).toMatchObject({
      failed: false,
    })
    frail.faults.get = undefined
    quietly()
    slow.resolve(null)
    await expectInternal(await waiting)
    expect(await frail.broken()).toEqual({})
  })
})

describe('SQLite that fails at any statement', () => {
  const operations: [string, (frail: Frail) => Promise<unknown>][] = [
    ['a write', (frail) => call(frail, 'write_file', { path: 'a/1', content: 'new' })],
    ['a large upload', (frail) => put(frail, '/a/1', `${LARGE}?`).then((answer) => answer.text())],
    ['a move', (frail) => call(frail, 'move_file', { from: 'a', to: 'c/d' })],
    ['a delete', (frail) => call(frail, 'delete_file', { path: 'a' })],
    ['a preview', (frail) => call(frail, 'delete_file', { path: 'a' }, { preview: true })],
  ]
  const all = async ({ fetch }: Frail) => (await fetch('/export')).text()

  it.each(operations)('%s is done, or has not happened', async (_, operate) => {
    quietly()
    await withFaults(async (frail) => {
      await put(frail, '/a/1', 'one')
      await put(frail, '/a/2', LARGE)
      const before = await all(frail)
      let failed = 0
      for (let nth = 1; nth < 200; nth++) {
        let left = nth
        frail.faults.exec = () => {
          if (--left === 0) throw new Error(SECRET)
        }
        const answer = JSON.stringify(await operate(frail))
        frail.faults.exec = undefined
        expect(answer).not.toContain(SECRET)
        expect(await frail.broken()).toEqual({})
        if (left > 0) break
        failed++
        expect(answer).toContain('wrong')
        // Two archives side by side would take a while to print.
        expect((await all(frail)) === before).toBe(true)
      }
      expect(failed).toBeGreaterThan(2)
      expect(await call(frail, 'write_file', { path: 'z', content: 'z' })).toMatchObject({
        failed: false,
      })
      expect(await frail.broken()).toEqual({})
    })
  })
})

describe('a client that goes', () => {
  it('while it sends leaves what was', async () => {
    quietly()
    await withFaults(async (frail) => {
      await put(frail, '/a', 'old')
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
        const answer = await frail.fetch(path, { method, headers, body })
        expect(answer.status, path).toBeGreaterThanOrEqual(400)
        await answer.body?.cancel()
        expect(await textOf(frail, '/a')).toBe('old')
        expect(await frail.broken()).toEqual({})
      }
    })
  })

  it('while it reads leaves everything to others', async () => {
    await withFaults(async (frail) => {
      await put(frail, '/large', LARGE)
      for (const path of ['/files/large', '/export']) {
        const reader = (await frail.fetch(path)).body?.getReader()
        await reader?.read()
        await reader?.cancel()
      }
      expect(await textOf(frail, '/large')).toBe(LARGE)
      expect((await put(frail, '/large', 'new')).status).toBe(200)
      expect(await frail.broken()).toEqual({})
    })
  })
})
