/**
 * The cost of a call: requests to the object, rows read and written, operations on R2. The numbers are
 * upper bounds; a change that raises one needs a reason.
 */

import { createTestOpener } from '../../support/worker/opener.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { freeCaller } from '#worker/sessions/caller.ts'
import { createChanges } from '#worker/changes/previews.ts'
import { call } from '#worker/call/call.ts'
import type { CallServices } from '#worker/call/context.ts'
import type { Env } from '#worker/env.ts'
import app from '#worker/index.ts'
import { createSearch } from '#worker/search/search.ts'
import { createAudit, type AuditOutcome } from '#worker/audit/audit.ts'
import { AUDIT_BOUNDS } from '#worker/audit/budget.ts'
import { createR2Objects, type Objects } from '#worker/store/objects.ts'
import { migrate } from '#worker/store/schema.ts'
import { createSqliteStore } from '#worker/store/sqlite.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { createExecutionContext, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MODERN } from '../../support/worker/client.ts'
import { large, put } from '../../support/worker/store-contract.ts'

interface Cost {
  read: number
  written: number
  r2: number
}

/** A storage that counts the rows of every statement. */
function countRows(storage: DurableObjectStorage) {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
  const sql = new Proxy(storage.sql, {
    get(target, key) {
      if (key !== 'exec') return Reflect.get(target, key)
      return (query: string, ...bindings: unknown[]) => {
        const cursor = target.exec(query, ...bindings)
        cursors.push(cursor)
        return cursor
      }
    },
  })
  const proxy = new Proxy(storage, {
    get(target, key) {
      if (key === 'sql') return sql
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const sum = (key: 'rowsRead' | 'rowsWritten') =>
    cursors.reduce((all, cursor) => all + cursor[key], 0)
  return { storage: proxy, cursors, sum }
}

function countedObjects(objects: Objects) {
  const count = { operations: 0 }
  const noted =
    <A extends unknown[], T>(work: (...args: A) => T) =>
    (...args: A) => {
      count.operations++
      return work(...args)
    }
  return {
    objects: { put: noted(objects.put), get: noted(objects.get), delete: noted(objects.delete) },
    count,
  }
}

/** Runs a call in a workspace of 500 files, and returns its cost. */
async function costOf(name: string, args: Record<string, unknown>): Promise<Cost> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  return runInDurableObject(stub, async (_, state) => {
    const { storage, cursors, sum } = countRows(state.storage)
    const { objects, count } = countedObjects(createR2Objects(env.FILES, state.id.toString()))
    const store = createSqliteStore(storage, objects)
    const search = createSearch(storage, store)
    const { openFor, drafts } = createTestOpener(storage.sql, store, search)
    for (let file = 0; file < 500; file++)
      await put(store, `/d${file % 10}/f${file}`, `text ${file}`)
    await put(store, '/large', large(65))
    await put(store, '/d0/many', 'one')
    while (await search.fill());
    cursors.length = 0
    count.operations = 0

    const services: CallServices = {
      tools: TOOLS,
      openFor,
      takeNews: drafts.takeNews,
      audit: store.audit,
      changes: createChanges(storage.sql),
      linksFor: () => {
        throw new Error('This context makes no links')
      },
    }
    const outcome = await call(
      { name, args, meta: {}, caller: freeCaller('test', DEFAULT_CONFIG) },
      services,
    )
    expect(outcome).toMatchObject({ ok: true })
    expect(outcome.ok && outcome.value.isError).toBeFalsy()
    return { read: sum('rowsRead'), written: sum('rowsWritten'), r2: count.operations }
  })
}

describe('rows and R2 operations', () => {
  it.each<[string, Record<string, unknown>, Cost]>([
    ['list_roots', {}, { read: 0, written: 0, r2: 0 }],
    ['read_file', { path: 'd0/f0' }, { read: 2, written: 0, r2: 0 }],
    ['read_file', { path: 'large' }, { read: 2, written: 0, r2: 1 }],
    [
      'read_multiple_files',
      { paths: ['d0/f0', 'd0/f10', 'd0/f20'] },
      { read: 6, written: 0, r2: 0 },
    ],
    ['find_files', { root: 'd1', limit: 10 }, { read: 13, written: 0, r2: 0 }],
    ['search_files', { pattern: 'text 123' }, { read: 60, written: 0, r2: 0 }],
    ['write_file', { path: 'd0/new', content: 'x' }, { read: 13, written: 9, r2: 0 }],
    ['write_file', { path: 'd0/f0', content: 'x' }, { read: 16, written: 9, r2: 0 }],
    ['write_file', { path: 'big', content: 'x'.repeat(200_000) }, { read: 15, written: 11, r2: 1 }],
    [
      'edit_file',
      { path: 'd0/many', edits: [{ find: 'one', replace: 'two' }] },
      { read: 16, written: 9, r2: 0 },
    ],
    ['move_file', { from: 'd0/f0', to: 'd0/g0' }, { read: 26, written: 14, r2: 0 }],
    ['move_file', { from: 'large', to: 'larger' }, { read: 25, written: 14, r2: 0 }],
    ['delete_file', { path: 'd0/f0' }, { read: 17, written: 9, r2: 0 }],
  ])('%s %j costs at most %j', async (name, args, most) => {
    const cost = await costOf(name, args)
    expect(cost.read, `rows read by ${JSON.stringify(cost)}`).toBeLessThanOrEqual(most.read)
    expect(cost.written, `rows written by ${JSON.stringify(cost)}`).toBeLessThanOrEqual(
      most.written,
    )
    expect(cost.r2, 'R2 operations').toBe(most.r2)
  })
})

describe('rows for an audit entry', () => {
  /** The average cost of an entry in a full audit log. */
  async function costOfEntries(outcome: AuditOutcome, who: (at: number) => string) {
    const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
    return runInDurableObject(stub, (_, state) => {
      const { storage, cursors, sum } = countRows(state.storage)
      migrate(storage)
      const bounds = { ...AUDIT_BOUNDS, applied: 1_000, allNotes: 2_000 }
      const audit = createAudit(storage.sql, bounds)
      const record = (count: number) => {
        for (let at = 0; at < count; at++) {
          const actor = { principal: who(at), session: null, label: null }
          audit.record({
            ...{ id: '', tool: '', intent: '', actor, digest: '', decision: [], at },
            ...{ outcome, version: null, paths: [] },
          })
        }
      }
      record(4_000)
      cursors.length = 0
      record(2_000)
      const average = (rows: number) => Math.ceil(rows / 2_000)
      return { read: average(sum('rowsRead')), written: average(sum('rowsWritten')) }
    })
  }

  it.each<[string, AuditOutcome, (at: number) => string, { read: number; written: number }]>([
    ['an applied call', 'applied', () => 'a', { read: 13, written: 5 }],
    ['a refused call of one principal', 'refused', () => 'a', { read: 15, written: 7 }],
    [
      'a refused call among many principals',
      'refused',
      (at) => `${at % 1_000}`,
      { read: 19, written: 8 },
    ],
    ['a refused call of a new principal', 'refused', String, { read: 26, written: 10 }],
  ])(
    '%s reads and writes a bounded number of rows in a full log',
    async (_, outcome, who, most) => {
      const cost = await costOfEntries(outcome, who)
      expect(cost.read, `rows read by ${JSON.stringify(cost)}`).toBeLessThanOrEqual(most.read)
      expect(cost.written, `rows of ${JSON.stringify(cost)}`).toBeLessThanOrEqual(most.written)
    },
  )
})

describe('requests to the object', () => {
  /** The product with bindings that count. */
  async function requestsOf(method: string, params: Record<string, unknown>): Promise<number> {
    let requests = 0
    const answer = Response.json({ jsonrpc: '2.0', id: 1, result: {} })
    const fetch = async () => (requests++, answer)
    const WORKSPACE = { idFromName: (name: string) => name, get: () => ({ fetch }) }
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': MODERN,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
    const response = await app.fetch(
      request,
      { WORKSPACE } as unknown as Env,
      createExecutionContext(),
    )
    expect(response.status).toBe(200)
    return requests
  }

  it.each([
    ['tools/list', {}, 0],
    ['server/discover', {}, 0],
    ['tools/call', { name: 'read_file', arguments: { path: 'a' } }, 1],
    ['resources/list', {}, 1],
  ])('%s %j: %i', async (method, params, expected) => {
    expect(await requestsOf(method, params)).toBe(expected)
  })
})

it('an idle workspace has no alarm', async () => {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  await stub.fetch('https://workspace/files/a', { method: 'PUT', body: 'x' })
  const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
  await expect.poll(alarm, { timeout: 5_000 }).toBeNull()
})
