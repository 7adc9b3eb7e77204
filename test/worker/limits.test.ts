/** Limits: up to each edge, and one step over it, where a clear code says so and nothing changes. */

import { DEFAULT_CONFIG } from '#core/config.ts'
import * as limits from '#worker/limits.ts'
import { createSessions } from '#worker/sessions/sessions.ts'
import { createStreams } from '#worker/mcp/streams.ts'
import { createSqliteObjects } from '#worker/store/objects.ts'
import { createSqliteStore } from '#worker/store/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from './client.ts'
import { put } from './store-contract.ts'

const fresh = () => env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
const text = (bytes: number) => new Uint8Array(bytes).fill(97)

describe('files', () => {
  it('of more than MAX_EDIT_BYTES are not edited', async () => {
    const { code, put: upload } = freshWorkspace()
    await upload('/edge', text(limits.MAX_EDIT_BYTES))
    await upload('/over', text(limits.MAX_EDIT_BYTES + 1))
    const edits = [{ find: 'b', replace: 'c' }]
    expect(await code('edit_file', { path: 'edge', edits })).toBe('FIND_NOT_FOUND')
    expect(await code('edit_file', { path: 'over', edits })).toBe('FILE_TOO_LARGE')
  })

  it('of more than MAX_IMAGE_BYTES are not shown as images', async () => {
    const { call, code, put: upload } = freshWorkspace()
    await upload('/edge.png', text(limits.MAX_IMAGE_BYTES))
    await upload('/over.png', text(limits.MAX_IMAGE_BYTES + 1))
    expect((await call('read_file', { path: 'edge.png' })).result?.isError).toBeUndefined()
    expect(await code('read_file', { path: 'over.png' })).toBe('FILE_TOO_LARGE')
  })

  it('of more than MAX_RESOURCE_BYTES are not read as resources', async () => {
    const { put: upload, send } = freshWorkspace()
    await upload('/edge', text(limits.MAX_RESOURCE_BYTES))
    await upload('/over', text(limits.MAX_RESOURCE_BYTES + 1))
    expect((await send('resources/read', { uri: 'file:///edge' })).error).toBeUndefined()
    expect(await send('resources/read', { uri: 'file:///over' })).toMatchObject({
      error: { code: -32602 },
    })
  })

  it('of more than MAX_SEARCH_FILE_BYTES are not searched, and counted', async () => {
    const { call, put: upload } = freshWorkspace()
    await upload('/edge', text(limits.MAX_SEARCH_FILE_BYTES))
    await upload('/over', text(limits.MAX_SEARCH_FILE_BYTES + 1))
    const found = (await call('search_files', { pattern: 'aaa' })).result?.structuredContent
    expect(found).toMatchObject({ total_files: 1, skipped: 1 })
  })

  it('of more than MAX_FILE_BYTES are refused before they are read', async () => {
    const { fetch } = freshWorkspace()
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue(text(1024)) })
    const length = String(limits.MAX_FILE_BYTES + 1)
    const response = await fetch('/files/over', {
      method: 'PUT',
      body: stream,
      headers: { 'content-length': length },
    })
    expect([411, 413]).toContain(response.status)
    await response.body?.cancel()
  })
})

describe('a workspace', () => {
  it.each([
    ['MAX_FILES', { files: limits.MAX_FILES - 1, bytes: 0 }],
    ['MAX_WORKSPACE_BYTES', { files: 0, bytes: limits.MAX_WORKSPACE_BYTES - 1 }],
  ])('holds %s and no more', async (_, { files, bytes }) => {
    await runInDurableObject(fresh(), async (_instance, { storage }) => {
      const open = () => createSqliteStore(storage, createSqliteObjects(storage.sql))
      open()
      storage.sql.exec(
        `INSERT INTO changes (version, id, tool, intent, actor, at, files, bytes)
         VALUES (1, 'x', 'test', '', '', 0, ?, ?)`,
        files,
        bytes,
      )
      const store = open()
      expect(await put(store, '/edge', '1')).toMatchObject({ ok: true })
      expect(await put(store, '/over', '2')).toMatchObject({ error: { reason: 'workspace_full' } })
      expect(store.totals.version).toBe(2)
    })
  })
})

describe('sessions and streams', () => {
  it('MAX_SESSIONS: the one that was idle longest makes room', async () => {
    await runInDurableObject(fresh(), (_instance, { storage }) => {
      createSqliteStore(storage, createSqliteObjects(storage.sql))
      const sessions = createSessions(storage.sql)
      const blank = {
        parent: null,
        principal: 'p',
        config: null,
        policy: null,
        scopes: null,
        initialize: {},
        expires: null,
      }
      for (let at = 0; at <= limits.MAX_SESSIONS; at++) {
        sessions.make({ ...blank, id: `s${at}`, label: '' }, null)
        storage.sql.exec('UPDATE sessions SET seen = ? WHERE id = ?', Date.now() + at, `s${at}`)
      }
      expect(sessions.find('s0')).toBeNull()
      expect(sessions.find('s1')).not.toBeNull()
      expect(sessions.list(10_000)).toHaveLength(limits.MAX_SESSIONS)
    })
  })

  it('MAX_SUBSCRIPTIONS', async () => {
    await runInDurableObject(fresh(), (_instance, state) => {
      createSqliteStore(state.storage, createSqliteObjects(state.storage.sql))
      const streams = createStreams(state)
      for (let at = 0; at < limits.MAX_SUBSCRIPTIONS; at++)
        expect(streams.subscribe('s', `u${at}`)).toBe(true)
      expect(streams.subscribe('s', 'over')).toBe(false)
    })
  })

  it('MAX_STREAMS', async () => {
    await runInDurableObject(fresh(), (_instance, state) => {
      const streams = createStreams(state)
      for (let at = 0; at < limits.MAX_STREAMS; at++)
        expect(streams.open(undefined, null).status).toBe(101)
      expect(streams.open(undefined, null).status).toBe(429)
    })
  })

  it('MAX_DELEGATION_DEPTH and MAX_DELEGATION_SECONDS', async () => {
    let giver = freshWorkspace()
    for (let depth = 0; depth < limits.MAX_DELEGATION_DEPTH; depth++) {
      const { result } = await giver.call('delegate', { label: `child ${depth}` })
      giver = freshWorkspace(String(result?.structuredContent['url']))
    }
    expect(await giver.text('list_roots')).toBe('/ (default)')
    expect(await giver.code('delegate', { label: 'one too deep' })).toBe('TOO_DEEP')
    const ttl_seconds = limits.MAX_DELEGATION_SECONDS + 1
    expect(await freshWorkspace().code('delegate', { label: 'x', ttl_seconds })).toBe(
      'INVALID_TTL_SECONDS',
    )
  })
})

describe('arguments', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'MAX_EDITS',
      'edit_file',
      {
        path: 'a',
        edits: Array.from({ length: limits.MAX_EDITS + 1 }, () => ({ find: 'a', replace: 'a' })),
      },
      'INVALID_EDITS',
    ],
    [
      'MAX_GLOBS',
      'find_files',
      { exclude: Array.from({ length: limits.MAX_GLOBS + 1 }, () => '*') },
      'INVALID_EXCLUDE',
    ],
    ['FOLDER_PAGE', 'list_folder', { limit: limits.FOLDER_PAGE + 1 }, 'INVALID_LIMIT'],
  ])('%s', async (_, name, args, code) => {
    expect(await freshWorkspace().code(name, args)).toBe(code)
  })

  it('MAX_FIND_STEPS: a pattern that would take too long says so', async () => {
    const workspace = freshWorkspace()
    const long = 'n'.repeat(900)
    for (let at = 0; at < 30; at++) await workspace.put(`/${at}${long}`, '')
    const pattern = `${'?'.repeat(1_000)}*x`
    expect(
      (await workspace.call('find_files', { pattern, glob: true })).result?.isError,
    ).toBeUndefined()
    expect(limits.MAX_FIND_STEPS).toBeGreaterThan(30 * 901 * 32)
  })
})

it('MAX_DIFF_FILES: a change of many files tells their number', async () => {
  const workspace = freshWorkspace()
  for (let at = 0; at < limits.MAX_DIFF_FILES + 5; at++) await workspace.put(`/d/${at}`, 'x')
  const { result } = await workspace.call('delete_file', { path: 'd' }, { preview: true })
  expect(result?._meta['dev.edgewise/change']).toMatchObject({
    stats: { files: limits.MAX_DIFF_FILES + 5 },
  })
})

it('what is configured by default is not above what is possible', () => {
  expect(DEFAULT_CONFIG.history_versions).toBe(limits.HISTORY_VERSIONS)
  expect(DEFAULT_CONFIG.max_file_bytes).toBe(limits.MAX_FILE_BYTES)
  expect(DEFAULT_CONFIG.max_workspace_bytes).toBe(limits.MAX_WORKSPACE_BYTES)
  expect(DEFAULT_CONFIG.find_limit).toBeLessThanOrEqual(limits.MAX_FIND_LIMIT)
})
