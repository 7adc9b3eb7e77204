/**
 * Full storage: every route refuses growth with 507 and one code, before the disk is full and
 * after SQLite reports it; reading, deleting and small writes still work.
 */

import { front } from '#worker/index.ts'
import { hasRoomFor, measureRoom } from '#worker/store/disk-space.ts'
import { respondInternalError } from '#worker/front/internal-error.ts'
import { Workspace } from '#worker/workspace.ts'
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { packTar } from 'modern-tar'
import { STORAGE_FULL } from '#worker/errors/problem.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ENVELOPE, modernRequest } from '../../support/worker/client.ts'
import { newStub } from '../../support/worker/object-life.ts'

const LARGE = 'x'.repeat(200_000)

let now = Date.now()

/** Ends the time for which the last measurement is valid; the clock is stopped. */
const forget = () => void vi.setSystemTime((now += 120))

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }))

/** A disk with the given free space (bytes). */
function diskWith(room: () => number): Fetcher {
  const handler = { fetch: async () => new Response(String(room())) }
  return new Proxy(env.ASSETS, { get: (_, key) => Reflect.get(handler, key) })
}

interface OnDisk {
  room: number
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly call: (name: string, args: object) => Promise<Record<string, unknown>>
}

/** A workspace on a disk of its own, behind the real front. */
function onDisk(work: (disk: OnDisk) => Promise<void>): Promise<void> {
  return runInDurableObject(newStub(), async (_, state) => {
    const object = new Workspace(state, env)
    const WORKSPACE = new Proxy(env.WORKSPACE, {
      get: (target, key) =>
        key === 'get'
          ? () => ({ fetch: (...args: [Request]) => object.fetch(new Request(...args)) })
          : Reflect.get(target, key).bind(target),
    })
    const DISK = diskWith(() => disk.room)
    const disk: OnDisk = {
      room: Infinity,
      async fetch(path, init) {
        forget()
        const request = new Request(`http://localhost${path}`, init)
        return front.fetch(request, { ...env, WORKSPACE, DISK }, createExecutionContext())
      },
      async call(name, args) {
        const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': {} }
        const params = { name, arguments: args, _meta }
        const answer = await disk.fetch('/mcp', modernRequest('tools/call', params))
        return (await answer.json<{ result: Record<string, unknown> }>()).result
      },
    }
    await work(disk)
  })
}

const put = ({ fetch }: OnDisk, path: string, body: string) =>
  fetch(`/files${path}`, {
    method: 'PUT',
    headers: { 'content-length': String(body.length) },
    body,
  })

async function expectFull(answer: Response): Promise<void> {
  expect(await answer.json()).toMatchObject({
    code: 'STORAGE_FULL',
    message: STORAGE_FULL,
  })
  expect(answer.status).toBe(507)
}

afterEach(async () => {
  forget()
  await measureRoom(diskWith(() => Infinity))
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a full disk', () => {
  it('refuses growth on every route, and still reads, moves and deletes', async () => {
    await onDisk(async (disk) => {
      expect((await put(disk, '/small', 'small')).status).toBe(201)
      expect((await put(disk, '/large', LARGE)).status).toBe(201)
      disk.room = 0
      await expectFull(await put(disk, '/more', 'x'))
      await expectFull(await put(disk, '/small', 'other'))
      await expectFull(await put(disk, '/larger', `${LARGE}!`))
      for (const content of ['x', `${LARGE}?`]) {
        const refused = await disk.call('write_file', { path: 'more', content })
        expect(refused).toMatchObject({ isError: true })
        expect(JSON.stringify(refused)).toContain('STORAGE_FULL')
      }
      const archive = await packTar([
        { header: { name: 'one', size: 3 }, body: 'one' },
        { header: { name: 'two', size: LARGE.length + 1 }, body: `${LARGE}#` },
        { header: { name: 'three', size: 3 }, body: '333' },
      ])
      const imported = await disk.fetch('/import', { method: 'POST', body: archive })
      expect(await imported.json()).toMatchObject({
        files: 0,
        error: STORAGE_FULL,
      })
      expect(imported.status).toBe(422)

      expect(await (await disk.fetch('/files/small')).text()).toBe('small')
      expect(await (await disk.fetch('/files/large')).text()).toBe(LARGE)
      expect(await disk.call('search_files', { pattern: 'small' })).not.toHaveProperty('isError')
      const moved = await disk.call('move_file', { from: 'large', to: 'moved' })
      expect(moved).not.toHaveProperty('isError')
      expect((await disk.fetch('/files/moved', { method: 'DELETE' })).status).toBe(204)
      disk.room = 100
      expect((await put(disk, '/more', 'x')).status).toBe(201)
      await expectFull(await put(disk, '/most', LARGE))
    })
  })

  it('is checked again only after a delay', async () => {
    let asked = 0
    forget()
    const disk = diskWith(() => (asked++, 100))
    for (let times = 0; times < 10; times++) await measureRoom(disk)
    expect(asked).toBe(1)
    expect(hasRoomFor(99)).toBe(true)
    expect(hasRoomFor(100)).toBe(false)
  })
})

it.each(['database or disk is full: SQLITE_FULL', 'SQLITE_FULL', 'ENOSPC: no space left'])(
  '%s gets a 507',
  async (message) => {
    vi.spyOn(console, 'error').mockReturnValue()
    await expectFull(respondInternalError(new Error(message)))
  },
)
