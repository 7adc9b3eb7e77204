/** Every limit: the limit itself is accepted, and one more is refused and writes nothing. */

import { createTestOpener } from '../support/worker/opener.ts'
import { ownerAccess } from '#worker/access/access.ts'
import { NO_COMMENTS } from '#worker/access/comment-view.ts'
import { NO_LEASES } from '#worker/access/lease-view.ts'
import { NO_DRAFT } from '#worker/access/draft-view.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath, ROOT } from '#core/path.ts'
import {
  FOLDER_PAGE,
  MAX_HISTORY_VERSIONS,
  INLINE_BYTES,
  MAX_CONTEXT_LINES,
  MAX_DELEGATION_DEPTH,
  MAX_DELEGATION_SECONDS,
  MAX_DIFF_BYTES,
  MAX_DIFF_FILES,
  MAX_DIFF_LINES,
  MAX_EDIT_BYTES,
  MAX_EDITS,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_FIND_LIMIT,
  MAX_FIND_STEPS,
  MAX_GLOBS,
  MAX_IMAGE_BYTES,
  MAX_JSON_DEPTH,
  MAX_MESSAGE_BYTES,
  MAX_LISTED_PATHS,
  MAX_PREVIEWS,
  MAX_READ_FILES,
  MAX_RESOURCE_BYTES,
  MAX_SEARCH_FILE_BYTES,
  MAX_SEARCH_MS,
  MAX_SEARCH_SCAN_BYTES,
  MAX_SESSIONS,
  MAX_STREAMS,
  MAX_SUBSCRIPTIONS,
  MAX_WORKSPACE_BYTES,
  RESOURCE_PAGE,
  SESSION_IDLE_HOURS,
  SWEEP_GRACE_MS,
} from '#worker/limits.ts'
import { compilePattern } from '#worker/search/pattern.ts'
import type { Search } from '#worker/search/search.ts'
import type { FileEntry, Totals } from '#worker/store/store.ts'
import { searchFiles } from '#worker/tools/search-files.ts'
import type { ToolContext } from '#worker/tools/lib/tool.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { packTar } from 'modern-tar'
import { describe, expect, it, vi } from 'vitest'
import { bytesOf, freshWorkspace, MODERN, withoutVersion } from '../support/worker/client.ts'
import { expectWhole } from '../support/worker/invariants.ts'
import { newStub, seed, storeOf, stubOf } from '../support/worker/object-life.ts'
import { readEvents } from '../support/worker/event-stream.ts'
import { act, large, put, textOf } from '../support/worker/store-contract.ts'
import { PNG } from '../support/worker/media-samples.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const p = parsePath
const numbered = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index))

/** A stream of the given length that holds only one chunk in memory. */
function zeros(size: number): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(256 * 1024)
  let left = size
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close()
      const some = chunk.subarray(0, Math.min(left, chunk.length))
      left -= some.length
      controller.enqueue(some.slice())
    },
  })
}

const totalsOf = async (workspace: Workspace) =>
  (await workspace.fetch('/status')).json<Record<string, unknown>>()

/** Runs a function and expects that it writes nothing. */
async function expectUntouched<T>(workspace: Workspace, work: () => Promise<T>): Promise<T> {
  const before = await totalsOf(workspace)
  const result = await work()
  expect(await totalsOf(workspace)).toEqual(before)
  await expectWhole(stubOf(workspace))
  return result
}

describe('a file', () => {
  it.each([
    [INLINE_BYTES, 'a row'],
    [INLINE_BYTES + 1, 'an object'],
  ])('of %i bytes is %s', async (size, place) => {
    const stub = newStub()
    await runInDurableObject(stub, async (_, state) => {
      await put(storeOf(state), '/a', new Uint8Array(size))
      const [blob] = state.storage.sql.exec('SELECT bytes, key FROM blobs').toArray()
      expect(blob?.['bytes'] === null ? 'an object' : 'a row').toBe(place)
      expect(blob?.['key'] === null ? 'a row' : 'an object').toBe(place)
    })
    await expectWhole(stub)
  })

  it('may have MAX_FILE_BYTES over HTTP', async () => {
    const workspace = freshWorkspace()
    const send = (size: number) =>
      workspace.fetch('/files/a', {
        method: 'PUT',
        body: zeros(size).pipeThrough(new FixedLengthStream(size)),
        headers: { 'content-length': String(size) },
      })
    const sent = await send(MAX_FILE_BYTES)
    expect(await sent.json()).toMatchObject({ size: MAX_FILE_BYTES })
    await expectUntouched(workspace, async () => {
      const refused = await send(MAX_FILE_BYTES + 1)
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({ code: 'FILE_TOO_LARGE' })
    })
  })

  it('has the length that it declares to the store', async () => {
    const stub = newStub()
    await runInDurableObject(stub, async (_, state) => {
      const store = storeOf(state)
      const over = { reason: 'file_too_large', limit: MAX_FILE_BYTES }
      expect(await store.holdStream(zeros(10), MAX_FILE_BYTES + 1)).toEqual({
        ok: false,
        error: over,
      })
      const small = await store.hold(new Uint8Array(1))
      const claimed = { ...small, size: MAX_FILE_BYTES + 1 }
      const step = { type: 'put', path: p('/a'), content: claimed } as const
      expect(act(store, step)).toEqual({ ok: false, error: over })
      expect(store.totals.version).toBe(0)
    })
    await expectWhole(stub)
  })

  it('above the limit is skipped in an import, and the rest is imported', async () => {
    const workspace = freshWorkspace()
    const small = { header: { name: 'b', size: 1, type: 'file' }, body: 'x' } as const
    const after = await packTar([small])
    const header = (await packTar([{ ...small, header: { ...small.header, name: 'a' } }])).slice(
      0,
      512,
    )
    const over = MAX_FILE_BYTES + 1
    tellSize(header, over)
    const parts = [new Blob([header]).stream(), zeros(over + ((512 - (over % 512)) % 512))]
    const body = join([...parts, new Blob([after]).stream()])
    const report = await (await workspace.fetch('/import', { method: 'POST', body })).json()
    expect(report).toEqual({
      files: 1,
      folders: 0,
      bytes: 1,
      skipped: 1,
      reasons: [{ name: 'a', reason: expect.stringContaining(String(MAX_FILE_BYTES)) }],
    })
    expect(await workspace.text('find_files')).toBe('b')
  })
})

/** Changes the size in the header of a tar entry, and its checksum with it. */
function tellSize(header: Uint8Array, size: number): void {
  const octal = (at: number, digits: number, value: number) =>
    header.set(new TextEncoder().encode(value.toString(8).padStart(digits, '0')), at)
  octal(124, 11, size)
  header.fill(32, 148, 156)
  octal(
    148,
    6,
    header.reduce((sum, byte) => sum + byte, 0),
  )
  header[154] = 0
}

function join(streams: readonly ReadableStream<Uint8Array>[]): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream()
  const send = async () => {
    for (const stream of streams) await stream.pipeTo(writable, { preventClose: true })
    await writable.close()
  }
  void send()
  return readable
}

describe('a workspace', () => {
  /** A workspace with one file of ten bytes and changed totals. */
  async function createFilled(totals: Partial<Totals>): Promise<Workspace> {
    const workspace = freshWorkspace()
    await workspace.put('/old', '0123456789')
    const { files = 1, bytes = 10 } = totals
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      storage.sql.exec('UPDATE changes SET files = ?, bytes = ?', files, bytes)
    })
    await evictDurableObject(stubOf(workspace))
    return workspace
  }

  const sizes = async (workspace: Workspace) => {
    const { files, bytes } = await totalsOf(workspace)
    return { files, bytes }
  }

  it('refuses bytes above MAX_WORKSPACE_BYTES', async () => {
    const workspace = await createFilled({ bytes: MAX_WORKSPACE_BYTES - 5 })
    const { fetch, code, text } = workspace
    expect(await workspace.put('/five', '12345')).toMatchObject({ size: 5 })
    const full = { files: 2, bytes: MAX_WORKSPACE_BYTES }
    expect(await sizes(workspace)).toEqual(full)

    const refused = await fetch('/files/six', { method: 'PUT', body: '1' })
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({ code: 'WORKSPACE_FULL' })
    expect(await code('write_file', { path: 'a/six', content: '1' })).toBe('WORKSPACE_FULL')
    const edits = [{ find: '12345', replace: '123456' }]
    expect(await code('edit_file', { path: 'five', edits })).toBe('WORKSPACE_FULL')
    expect(await sizes(workspace)).toEqual(full)
    expect(await text('find_files')).toBe('five\nold')

    await text('write_file', { path: 'empty', content: '' })
    await text('move_file', { from: 'five', to: 'moved' })
    await text('write_file', { path: 'moved', content: '1234' })
    await text('delete_file', { path: 'old' })
    await text('write_file', { path: 'eleven', content: '12345678901' })
    expect(await sizes(workspace)).toEqual({ files: 3, bytes: MAX_WORKSPACE_BYTES })
  })

  it('refuses files above MAX_FILES', async () => {
    const workspace = await createFilled({ files: MAX_FILES - 1 })
    const { code, text } = workspace
    await text('write_file', { path: 'last', content: '' })
    expect(await code('write_file', { path: 'over', content: '' })).toBe('WORKSPACE_FULL')
    await text('write_file', { path: 'last', content: 'more' })
    expect(await text('find_files')).toBe('last\nold')
    await text('delete_file', { path: 'old' })
    await text('write_file', { path: 'over', content: '' })
    expect(await sizes(workspace)).toEqual({ files: MAX_FILES, bytes: 4 })
  })

  it('that is full ends an import, which has stored exactly what it reports', async () => {
    const workspace = await createFilled({ files: MAX_FILES - 700 })
    const archive = await packTar(
      numbered(1_200, (index) => `f${index}`).map((name) => ({
        header: { name, size: 1, type: 'file' },
        body: 'x',
      })),
    )
    const response = await workspace.fetch('/import', { method: 'POST', body: archive })
    expect(response.status).toBe(422)
    const { files, bytes, error } = await response.json<Record<string, unknown>>()
    expect(error).toContain(String(MAX_FILES))
    const found = await workspace.call('find_files', { pattern: '^f', limit: MAX_FIND_LIMIT })
    const count = found.result?.structuredContent['count']
    expect({ files, bytes }).toEqual({ files: count, bytes: count })
  })
})

describe('history', () => {
  const statesOf = (stub: DurableObjectStub, path: string) =>
    runInDurableObject(stub, (_, state) => storeOf(state).history(p(path), 1_000).length)

  it('keeps a limited number of versions of a file', async () => {
    const stub = newStub()
    await runInDurableObject(stub, async (_, state) => {
      const store = storeOf(state)
      for (let version = 1; version <= MAX_HISTORY_VERSIONS; version++)
        await put(store, '/a', `version ${version}`)
      expect(store.history(p('/a'), 1_000).at(-1)?.version).toBe(1)
      await put(store, '/a', 'one more')
      expect(store.history(p('/a'), 1_000).at(-1)?.version).toBe(2)
      expect(await textOf(store, '/a')).toBe('one more')
    })
    expect(await statesOf(stub, '/a')).toBe(MAX_HISTORY_VERSIONS)
    await expectWhole(stub)
  })

  it('keeps no more versions of a file that is deleted and written repeatedly', async () => {
    const stub = newStub()
    await runInDurableObject(stub, async (_, state) => {
      const store = storeOf(state)
      for (let round = 0; round < MAX_HISTORY_VERSIONS; round++) {
        await put(store, '/a', `round ${round}`)
        act(store, { type: 'remove', path: p('/a') })
      }
    })
    expect(await statesOf(stub, '/a')).toBe(MAX_HISTORY_VERSIONS)
    await expectWhole(stub)
  })

  it('keeps no more versions of a path that is moved back and forth', async () => {
    const stub = newStub()
    await runInDurableObject(stub, async (_, state) => {
      const store = storeOf(state)
      await put(store, '/d/a', large(70))
      for (let round = 0; round <= MAX_HISTORY_VERSIONS / 2; round++) {
        act(store, { type: 'move', from: p('/d'), to: p('/e') })
        act(store, { type: 'move', from: p('/e'), to: p('/d') })
      }
      expect(await textOf(store, '/d/a')).toHaveLength(large(70).length)
    })
    expect(await statesOf(stub, '/d/a')).toBe(MAX_HISTORY_VERSIONS)
    expect(await statesOf(stub, '/e/a')).toBe(MAX_HISTORY_VERSIONS)
    await expectWhole(stub)
  })
})

describe('the text tools', () => {
  it('load a file up to a size limit to edit it', async () => {
    const workspace = freshWorkspace()
    const edge = 'needle'.padEnd(MAX_EDIT_BYTES, '.')
    await workspace.put('/edge', edge)
    await workspace.put('/over', `${edge}.`)
    const edits = [{ find: 'needle', replace: 'pin' }]
    await workspace.text('edit_file', { path: 'edge', edits })
    await expectUntouched(workspace, async () => {
      expect(await workspace.code('edit_file', { path: 'over', edits })).toBe('FILE_TOO_LARGE')
    })
  })

  it.each(['append', 'prepend'])('%s to a larger file without loading it', async (mode) => {
    const workspace = freshWorkspace()
    const over = '.'.repeat(MAX_EDIT_BYTES + 1)
    await workspace.put('/over', over)
    await workspace.text('write_file', { path: 'over', content: 'more', mode })
    const text = new TextDecoder().decode(await workspace.raw('/over'))
    expect(text === (mode === 'append' ? `${over}\nmore` : `more\n${over}`)).toBe(true)
  })

  it('make a limited number of edits per call', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', numbered(MAX_EDITS + 1, (index) => `<${index}>`).join(''))
    const edits = numbered(MAX_EDITS + 1, String).map((index) => ({
      find: `<${index}>`,
      replace: '.',
    }))
    await expectUntouched(workspace, async () => {
      expect(await workspace.code('edit_file', { path: 'a', edits })).toBe('INVALID_EDITS')
    })
    await workspace.text('edit_file', { path: 'a', edits: edits.slice(1) })
    expect(await workspace.text('read_file', { path: 'a' })).toBe(`1: <0>${'.'.repeat(MAX_EDITS)}`)
  })

  it('read a limited number of files per call', async () => {
    const { code, call, put } = freshWorkspace()
    await put('/a', 'x')
    const paths = numbered(MAX_READ_FILES, () => 'a')
    const { result } = await call('read_multiple_files', { paths })
    expect(result?.structuredContent['files']).toHaveLength(MAX_READ_FILES)
    expect(await code('read_multiple_files', { paths: [...paths, 'a'] })).toBe('INVALID_PATHS')
  })

  it('show an image up to a size limit', async () => {
    const { call, code, put } = freshWorkspace()
    const edge = new Uint8Array(MAX_IMAGE_BYTES)
    edge.set(PNG)
    await put('/edge.png', edge)
    await put('/over.png', new Uint8Array(MAX_IMAGE_BYTES + 1))
    const { result } = await call('read_file', { path: 'edge.png' })
    expect(atob(result?.content[1]?.data ?? '')).toHaveLength(MAX_IMAGE_BYTES)
    expect(await code('read_file', { path: 'over.png' })).toBe('FILE_TOO_LARGE')
  })

  it.each(['x', 'é', '😀'])('count the hidden bytes of a long line: %s', async (char) => {
    const { call, put } = freshWorkspace()
    const line = `>${char.repeat(700_000)}`
    await put('/a', `${line}${line}\nshort\n${line}`)
    const { result } = await call('read_file', { path: 'a' })
    const lines = String(result?.structuredContent['content']).split('\n')
    const shown = lines.map((each) =>
      /^(\d+): (.*?)(?:\[TRUNCATED: (\d+) bytes hidden\])?$/.exec(each),
    )
    const bytes = shown.map((each) => bytesOf(each?.[2] ?? '').length + Number(each?.[3] ?? 0))
    expect(bytes.slice(0, 2)).toEqual([2 * bytesOf(line).length, 5])
    expect(result?.structuredContent).toMatchObject({ total: 3 })
  })

  it.each([
    ['find_files', { exclude: numbered(MAX_GLOBS, () => 'none') }, 'INVALID_EXCLUDE'],
    ['search_files', { pattern: 'x', glob: numbered(MAX_GLOBS, () => 'a') }, 'INVALID_GLOB'],
  ])('take a limited number of globs: %s', async (name, args, refusal) => {
    const { code, text, put } = freshWorkspace()
    await put('/a', 'x')
    expect(await text(name, args)).toContain('a')
    const more = Object.entries(args).map(([key, value]) => [
      key,
      Array.isArray(value) ? [...value, 'a'] : value,
    ])
    expect(await code(name, Object.fromEntries(more))).toBe(refusal)
  })
})

describe('find_files', () => {
  it('returns a limited number of names per call', async () => {
    const workspace = freshWorkspace()
    await seed(
      stubOf(workspace),
      numbered(MAX_FIND_LIMIT + 1, (index) => `/f${index}`),
    )
    const { result } = await workspace.call('find_files', { limit: MAX_FIND_LIMIT })
    expect(result?.structuredContent).toMatchObject({ count: MAX_FIND_LIMIT, truncated: true })
    expect(await workspace.code('find_files', { limit: MAX_FIND_LIMIT + 1 })).toBe('INVALID_LIMIT')
  })

  it('stops after a maximum number of steps', async () => {
    const workspace = freshWorkspace()
    // No two names reach the same state of the automaton, so each one takes steps.
    const pattern = 'a[ab]{60}[x-z]'
    const name = (index: number) => {
      const from = BigInt.asUintN(64, 0x9e3779b97f4a7c15n * BigInt(index + 1)).toString(2)
      return from.padStart(64, '0').repeat(3).replaceAll('0', 'a').replaceAll('1', 'b')
    }
    const names = numbered(2_000, name).sort()
    const most = namesWithin(MAX_FIND_STEPS, pattern, names)
    await seed(
      stubOf(workspace),
      names.slice(0, most).map((each) => `/${each}`),
    )
    expect(await workspace.text('find_files', { pattern })).toBe('Nothing found')
    await workspace.put(`/${names[most]}`, 'x')
    expect(await workspace.code('find_files', { pattern })).toBe('OVER_BUDGET')
  })

  /** The number of names that a pattern can be matched with; each name takes a step and an eighth of its length. */
  function namesWithin(steps: number, pattern: string, names: readonly string[]): number {
    const compiled = compilePattern(pattern, { case: 'auto' })
    if (!compiled.ok) throw new Error(compiled.error)
    const meter = { left: steps }
    const over = names.findIndex((name) => {
      meter.left -= 1 + name.length / 8
      return compiled.value.tryLine(name, meter) === null || meter.left < 0
    })
    if (over === -1) throw new Error('These are too few names')
    return over
  }
})

describe('search_files', () => {
  const ACCESS = ownerAccess(DEFAULT_CONFIG)

  /** A tool context with invented files. */
  function createToolContext(
    files: readonly FileEntry[],
    text: Search['text'],
  ): Promise<ToolContext> {
    const search: Search = {
      candidates: () => ({ count: files.length, files }),
      binaries: () => ({ files: [], isComplete: true }),
      isText: () => true,
      text,
      first: (work) => work(),
      fill: async () => false,
      filled: () => 0,
      unindexed: () => 0,
    }
    const searches = { ...search, draft: () => search, isDueAfter: () => false }
    return runInDurableObject(newStub(), (_, state) => ({
      store: createTestOpener(state.storage.sql, storeOf(state), searches).openFor(ACCESS, null)
        .store,
      config: DEFAULT_CONFIG,
      maxFound: 0,
      search,
      access: ACCESS,
      draft: NO_DRAFT,
      comments: NO_COMMENTS,
      leases: NO_LEASES,
      base: '',
      budget: 'test',
      highlight: false,
      showsApps: false,
    }))
  }

  const fileOf = (index: number, size: number): FileEntry => ({
    type: 'file',
    path: p(`/f${index}`),
    blob: index,
    size,
    mime: 'text/plain',
    version: 1,
    mtime: 0,
  })

  async function runSearch(context: ToolContext) {
    if (searchFiles.kind !== 'read') throw new Error('search_files reads')
    const input = searchFiles.parse({ pattern: 'ab' })
    if (!input.ok) throw new Error('the arguments are fine')
    return searchFiles.read(input.value.input, [ROOT], context)
  }

  it.each(['needle', 'ne'])(
    'searches files up to a size limit, and counts the others: %s',
    async (pattern) => {
      const workspace = freshWorkspace()
      const edge = 'needle\n'.padEnd(MAX_SEARCH_FILE_BYTES, '.')
      await workspace.put('/edge', edge)
      await workspace.put('/over', `${edge}.`)
      await workspace.put('/small', 'needle')
      const found = async () => {
        const { result } = await workspace.call('search_files', { pattern })
        const { files, skipped } = result?.structuredContent ?? {}
        return { files, skipped }
      }
      const expected = {
        files: [
          expect.objectContaining({ path: 'edge' }),
          expect.objectContaining({ path: 'small' }),
        ],
        skipped: 1,
      }
      expect(await found()).toEqual(expected)
      await expect.poll(() => totalsOf(workspace)).toMatchObject({ unindexed: 0 })
      expect(await found()).toEqual(expected)
    },
  )

  it('scans a limited number of bytes', async () => {
    const whole = MAX_SEARCH_SCAN_BYTES / MAX_SEARCH_FILE_BYTES
    const files = numbered(whole, String).map((_, index) => fileOf(index, MAX_SEARCH_FILE_BYTES))
    const text = async ({ size }: FileEntry) => 'ab'.padEnd(size)
    const edge = await runSearch(await createToolContext(files, text))
    expect(edge).toMatchObject({ value: { structured: { total_files: whole } } })
    expect(edge.ok && edge.value.structured?.['skipped']).toBeUndefined()
    const over = await runSearch(await createToolContext([...files, fileOf(whole, 1)], text))
    expect(over).toMatchObject({ value: { structured: { total_files: whole, skipped: 1 } } })
  })

  it('does not count the bytes of skipped files', async () => {
    const tooLarge = Math.ceil(MAX_SEARCH_SCAN_BYTES / MAX_FILE_BYTES)
    const files = numbered(tooLarge, String).map((_, index) => fileOf(index, MAX_FILE_BYTES))
    const text = async ({ size }: FileEntry) => (size > MAX_SEARCH_FILE_BYTES ? null : 'ab')
    const answer = await runSearch(await createToolContext([...files, fileOf(tooLarge, 2)], text))
    expect(answer).toMatchObject({ value: { structured: { total_files: 1, skipped: tooLarge } } })
  })

  it('stops after MAX_SEARCH_MS', async () => {
    const context = await createToolContext(
      [fileOf(0, 1_000_000), fileOf(1, 1_000_000)],
      async ({ size }) => 'ab'.padEnd(size),
    )
    const clock = vi.spyOn(Date, 'now')
    const took = async (milliseconds: number) => {
      let now = 0
      clock.mockImplementation(() => now)
      const progress = async () => void (now = milliseconds)
      return runSearch({ ...context, progress })
    }
    try {
      expect(await took(MAX_SEARCH_MS - 1)).toMatchObject({ ok: true })
      expect(await took(MAX_SEARCH_MS)).toMatchObject({ error: { reason: 'over_budget' } })
    } finally {
      clock.mockRestore()
    }
  })

  it('shows a limited number of context lines', async () => {
    const { call, code, put } = freshWorkspace()
    await put('/a', numbered(301, (index) => (index === 150 ? 'here' : 'line')).join('\n'))
    const args = { pattern: 'here', context: MAX_CONTEXT_LINES }
    const { result } = await call('search_files', args)
    const lines = JSON.stringify(result?.structuredContent['files']).match(/\d+[:-] (line|here)/g)
    expect(lines).toHaveLength(2 * MAX_CONTEXT_LINES + 1)
    for (const name of ['context', 'before_context', 'after_context'])
      expect(await code('search_files', { pattern: 'x', [name]: MAX_CONTEXT_LINES + 1 })).toBe(
        `INVALID_${name.toUpperCase()}`,
      )
  })
})

describe('resources', () => {
  /** Two views, the draft and the comments are on the first page and count towards its size. */
  const NO_FILES = 4

  it('are listed in pages of RESOURCE_PAGE', async () => {
    const workspace = freshWorkspace()
    const files = numbered(
      RESOURCE_PAGE - NO_FILES,
      (index) => `/f${String(index).padStart(5, '0')}`,
    )
    await seed(stubOf(workspace), files)
    const whole = await workspace.send('resources/list')
    expect(whole.result?.['resources']).toHaveLength(RESOURCE_PAGE)
    expect(whole.result?.['nextCursor']).toBeUndefined()

    await workspace.put('/g', 'x')
    const first = await workspace.send('resources/list')
    expect(first.result?.['resources']).toHaveLength(RESOURCE_PAGE)
    const cursor = first.result?.['nextCursor']
    const second = await workspace.send('resources/list', { cursor })
    expect(second.result?.['resources']).toMatchObject([{ uri: 'file:///g' }])
    expect(second.result?.['nextCursor']).toBeUndefined()
  })

  it('are read up to a size limit', async () => {
    const { send, put } = freshWorkspace()
    await put('/edge', 'x'.repeat(MAX_RESOURCE_BYTES))
    await put('/over', 'x'.repeat(MAX_RESOURCE_BYTES + 1))
    const { result } = await send('resources/read', { uri: 'file:///edge' })
    expect(result?.['contents']).toMatchObject([{ text: 'x'.repeat(MAX_RESOURCE_BYTES) }])
    expect(await send('resources/read', { uri: 'file:///over' })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('/files/over') },
    })
  })
})

describe('a change', () => {
  const changeOf = async (workspace: Workspace, name: string, args: Record<string, unknown>) => {
    const { result } = await workspace.call(name, args, { preview: true })
    return result?._meta['dev.edgewise/change']
  }

  it('lists a limited number of files, and counts the others', async () => {
    const workspace = freshWorkspace()
    const names = (count: number) => numbered(count, (index) => `/d${count}/f${index}`)
    await seed(stubOf(workspace), [...names(MAX_DIFF_FILES), ...names(MAX_DIFF_FILES + 5)])
    for (const files of [MAX_DIFF_FILES, MAX_DIFF_FILES + 5])
      expect(await changeOf(workspace, 'delete_file', { path: `d${files}` })).toMatchObject({
        stats: { files },
      })
  })

  it('names a limited number of paths when it is undone, and counts the others', async () => {
    const workspace = freshWorkspace()
    const names = (count: number) => numbered(count, (index) => `/d${count}/f${index}`)
    // The folder comes back as well.
    const counts = [MAX_LISTED_PATHS - 1, MAX_LISTED_PATHS, 1_302]
    for (const files of counts) await seed(stubOf(workspace), names(files))
    for (const files of counts) {
      const gone = await workspace.call('delete_file', { path: `d${files}` })
      const { id } = Object(gone.result?._meta['dev.edgewise/change'])
      const { result } = await workspace.call('undo_change', { id })
      const left = Math.max(0, files + 1 - MAX_LISTED_PATHS)
      const paths = expect.objectContaining({ length: files + 1 - left })
      expect(result?.structuredContent).toMatchObject({ id, paths, count: files + 1, more: left })
      const text = withoutVersion(result?.content[0]?.text ?? '')
      expect(text.split(', ')).toHaveLength(files + 1 - left)
      expect(text.length).toBeLessThan(1_000)
      if (left > 0) expect(text).toMatch(new RegExp(` and ${left} more$`))
      else expect(text).not.toContain('more')
      const meta = Object(result?._meta['dev.edgewise/change'])
      expect([meta.paths.length, meta.paths_left_out ?? 0]).toEqual([files + 1 - left, left])
    }
  })

  it('carries a limited number of diff lines', async () => {
    const workspace = freshWorkspace()
    const change = (lines: number) =>
      changeOf(workspace, 'write_file', { path: 'a', content: 'line\n'.repeat(lines) })
    expect(await change(MAX_DIFF_LINES)).toMatchObject({ hunks: [{ path: '/a' }] })
    expect(await change(MAX_DIFF_LINES)).not.toHaveProperty('hunks_left_out')
    expect(await change(MAX_DIFF_LINES + 1)).toMatchObject({ hunks: [], hunks_left_out: true })
  })

  it('shows the lines of a file up to a size limit', async () => {
    const workspace = freshWorkspace()
    const change = (bytes: number) =>
      changeOf(workspace, 'write_file', { path: 'a', content: 'x'.repeat(bytes) })
    // The result leaves out a line of this length; the resources of the change have it.
    expect(await change(MAX_DIFF_BYTES)).toMatchObject({
      hunks_left_out: true,
      stats: { added: 1 },
    })
    expect(await change(MAX_DIFF_BYTES + 1)).toMatchObject({ hunks: [], stats: { added: 0 } })
  })

  it('that is previewed displaces the oldest preview above the limit', async () => {
    const workspace = freshWorkspace()
    const config = JSON.stringify({ preview_cache_size: 0 })
    const configured = await workspace.fetch('/config', { method: 'PUT', body: config })
    expect(configured.status, await configured.text()).toBe(200)
    await workspace.call('write_file', { path: 'first', content: '' }, { preview: true })
    const previews = () =>
      runInDurableObject(stubOf(workspace), (_, { storage }) =>
        storage.sql.exec<{ facts: string }>('SELECT facts FROM previews ORDER BY used').toArray(),
      )
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      for (let more = 1; more < MAX_PREVIEWS; more++)
        storage.sql.exec(
          `INSERT INTO previews SELECT ?, session, digest, basis, 'copy', expires, used + ?, budget, draft
           FROM previews WHERE facts <> 'copy'`,
          `copy ${more}`,
          more,
        )
    })
    expect(await previews()).toHaveLength(MAX_PREVIEWS)
    expect((await previews())[0]?.facts).toContain('first')
    await workspace.call('write_file', { path: 'last', content: '' }, { preview: true })
    const left = await previews()
    expect(left).toHaveLength(MAX_PREVIEWS)
    expect(left[0]?.facts).toBe('copy')
    expect(left.at(-1)?.facts).toContain('last')
  })
})

it('a folder is listed in pages of FOLDER_PAGE', async () => {
  const { code, text } = freshWorkspace()
  await text('list_folder', { limit: FOLDER_PAGE })
  expect(await code('list_folder', { limit: FOLDER_PAGE + 1 })).toBe('INVALID_LIMIT')
})

it('a folder over HTTP is listed in pages', async () => {
  const workspace = freshWorkspace()
  await seed(
    stubOf(workspace),
    numbered(FOLDER_PAGE + 1, (index) => `/d/f${String(index).padStart(5, '0')}`),
  )
  const page = async (query: string) => {
    const response = await workspace.fetch(`/files/d?${query}`)
    return response.json<{ entries: { name: string }[]; next: string | null }>()
  }
  const { entries, next } = await page(`limit=${FOLDER_PAGE + 1}`)
  expect(entries).toHaveLength(FOLDER_PAGE)
  expect(next).toBe(entries.at(-1)?.name)
  expect(await page(`limit=5&after=${next}`)).toMatchObject({ entries: [{}], next: null })
})

describe('a message', () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
  }

  const message = (filler: unknown) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'write_file',
        arguments: { path: 'a', content: filler },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    })

  const post = (workspace: Workspace, body: BodyInit) =>
    workspace.fetch('/mcp', {
      method: 'POST',
      headers: { ...headers, 'mcp-method': 'tools/call', 'mcp-name': 'write_file' },
      body,
    })

  const ofSize = (bytes: number) => message('x'.repeat(bytes - message('').length))
  const streamed = (text: string) =>
    new Blob([text]).stream().pipeThrough(new IdentityTransformStream())

  it.each<[string, (text: string) => BodyInit]>([
    ['declared', (text) => text],
    ['not declared', streamed],
  ])('may have MAX_MESSAGE_BYTES, if its length is %s', async (_, bodyOf) => {
    const workspace = freshWorkspace()
    await expectUntouched(workspace, async () => {
      const over = await post(workspace, bodyOf(ofSize(MAX_MESSAGE_BYTES + 1)))
      expect(over.status).toBe(413)
      expect(await over.json()).toMatchObject({ error: { code: -32000 } })
    })
    const edge = await post(workspace, bodyOf(ofSize(MAX_MESSAGE_BYTES)))
    expect(await edge.json()).toMatchObject({ result: { structuredContent: { path: 'a' } } })
  })

  it('has a maximum nesting depth', async () => {
    const workspace = freshWorkspace()
    // The message, its params and their arguments are three levels.
    const nested = (depth: number) =>
      message(0).replace(
        '"content":0',
        `"content":${'['.repeat(depth - 3)}${']'.repeat(depth - 3)}`,
      )
    await expectUntouched(workspace, async () => {
      const edge = await post(workspace, nested(MAX_JSON_DEPTH))
      expect(await edge.json()).toMatchObject({
        result: { _meta: { 'dev.edgewise/error': { code: 'INVALID_CONTENT' } } },
      })
      const over = await post(workspace, nested(MAX_JSON_DEPTH + 1))
      expect(over.status).toBe(400)
      expect(await over.json()).toMatchObject({ error: { code: -32600 } })
      const quoted = await post(workspace, message('['.repeat(1_000)).replace('"a"', '5'))
      expect(await quoted.json()).toMatchObject({
        result: { _meta: { 'dev.edgewise/error': { code: 'INVALID_PATH' } } },
      })
    })
  })
})

describe('sessions', () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }

  async function begin(workspace: Workspace): Promise<string> {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const response = await workspace.fetch('/mcp', { method: 'POST', headers, body })
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }

  async function ask(workspace: Workspace, session: string, method: string, params = {}) {
    const response = await workspace.fetch('/mcp', {
      method: 'POST',
      headers: { ...headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return response.ok ? readEvents(response).next() : (response.text(), response.status)
  }

  it('are limited, and the one that is idle longest ends', async () => {
    const workspace = freshWorkspace()
    const [idle, busy] = [await begin(workspace), await begin(workspace)]
    for (let more = 2; more < MAX_SESSIONS; more++) await begin(workspace)
    const hours = (count: number) => Date.now() - count * 3_600_000
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      storage.sql.exec('UPDATE sessions SET seen = ? WHERE id = ?', hours(2), idle)
      storage.sql.exec('UPDATE sessions SET seen = ? WHERE id = ?', hours(3), busy)
    })
    expect(await ask(workspace, busy, 'ping')).toMatchObject({ result: {} })
    await begin(workspace)
    expect(await ask(workspace, idle, 'ping')).toBe(404)
    expect(await ask(workspace, busy, 'ping')).toMatchObject({ result: {} })
  })

  it('end after SESSION_IDLE_HOURS without a request', async () => {
    const workspace = freshWorkspace()
    const [young, old] = [await begin(workspace), await begin(workspace)]
    const idle = SESSION_IDLE_HOURS * 3_600_000
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      const set = 'UPDATE sessions SET seen = ? WHERE id = ?'
      storage.sql.exec(set, Date.now() - idle + 60_000, young)
      storage.sql.exec(set, Date.now() - idle - 60_000, old)
    })
    expect(await ask(workspace, young, 'ping')).toMatchObject({ result: {} })
    expect(await ask(workspace, old, 'ping')).toBe(404)
  })

  it('have at most MAX_SUBSCRIPTIONS subscriptions', async () => {
    const workspace = freshWorkspace()
    const session = await begin(workspace)
    const subscribe = (index: number) =>
      ask(workspace, session, 'resources/subscribe', { uri: `file:///f${index}` })
    for (let index = 0; index < MAX_SUBSCRIPTIONS; index++)
      expect(await subscribe(index)).toMatchObject({ result: {} })
    expect(await subscribe(MAX_SUBSCRIPTIONS)).toMatchObject({ error: { code: -32602 } })
    // A repeated subscription is accepted, and an unsubscription makes room.
    expect(await subscribe(0)).toMatchObject({ result: {} })
    await ask(workspace, session, 'resources/unsubscribe', { uri: 'file:///f0' })
    expect(await subscribe(MAX_SUBSCRIPTIONS)).toMatchObject({ result: {} })
  })
})

it('sessions have a maximum depth and a maximum lifetime', async () => {
  let giver = freshWorkspace()
  for (let depth = 0; depth < MAX_DELEGATION_DEPTH; depth++) {
    const { result } = await giver.call('delegate', { label: `child ${depth}` })
    giver = freshWorkspace(String(result?.structuredContent['url']))
  }
  expect(await giver.text('list_roots')).toBe('/ (default)')
  expect(await giver.code('delegate', { label: 'one too deep' })).toBe('TOO_DEEP')

  const { code, call } = freshWorkspace()
  const label = 'child'
  const edge = await call('delegate', { label, ttl_seconds: MAX_DELEGATION_SECONDS })
  expect(edge.result?.isError).toBeUndefined()
  expect(await code('delegate', { label, ttl_seconds: MAX_DELEGATION_SECONDS + 1 })).toBe(
    'INVALID_TTL_SECONDS',
  )
})

it('the default configuration is within the limits', () => {
  expect(DEFAULT_CONFIG.history_versions).toBe(MAX_HISTORY_VERSIONS)
  expect(DEFAULT_CONFIG.max_file_bytes).toBe(MAX_FILE_BYTES)
  expect(DEFAULT_CONFIG.max_workspace_bytes).toBe(MAX_WORKSPACE_BYTES)
  expect(DEFAULT_CONFIG.find_limit).toBeLessThanOrEqual(MAX_FIND_LIMIT)
})

describe('streams', () => {
  async function socketOf(stub: DurableObjectStub): Promise<WebSocket | number> {
    const response = await stub.fetch('https://workspace/stream', {
      headers: { upgrade: 'websocket' },
    })
    if (!response.webSocket) return (await response.text(), response.status)
    response.webSocket.accept()
    return response.webSocket
  }

  it('of one principal are limited, and the oldest one closes', async () => {
    const stub = newStub()
    const sockets: WebSocket[] = []
    for (let open = 0; open < MAX_STREAMS; open++) {
      const socket = await socketOf(stub)
      if (typeof socket === 'number') throw new Error(`stream ${open} is refused: ${socket}`)
      sockets.push(socket)
    }
    const closed: number[] = []
    for (const [index, socket] of sockets.entries())
      socket.addEventListener('close', () => closed.push(index))
    const another = await socketOf(stub)
    if (typeof another === 'number') throw new Error(`one more is refused: ${another}`)
    await expect.poll(() => closed).toEqual([0])
    another.close(1000)
    for (const socket of sockets) socket.close(1000)
  })

  it('listen to a limited number of resources', async () => {
    const stub = newStub()
    const socket = await socketOf(stub)
    if (typeof socket === 'number') throw new Error('no socket')
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.addEventListener('message', ({ data }) => resolve(String(data)))
    const uris = numbered(MAX_SUBSCRIPTIONS + 1, (index) => `file:///f${index}`)
    socket.send(JSON.stringify({ id: 1, list: false, uris }))
    expect(JSON.parse(await promise)).toMatchObject({
      params: { notifications: { resourceSubscriptions: uris.slice(0, MAX_SUBSCRIPTIONS) } },
    })
    socket.close(1000)
  })
})

it('the sweep keeps an unreferenced object for SWEEP_GRACE_MS', async () => {
  const stub = newStub()
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    await store.hold(large(71))
    const { at } = state.storage.sql.exec<{ at: number }>('SELECT at FROM trash').one()
    expect(Math.abs(at - Date.now() - SWEEP_GRACE_MS)).toBeLessThan(10_000)
    const count = async () => (await env.FILES.list({ prefix: state.id.toString() })).objects.length
    expect(await store.sweep(at - 1)).toBe(at)
    expect(await count()).toBe(1)
    expect(await store.sweep(at)).toBeNull()
    expect(await count()).toBe(0)
  })
  await expectWhole(stub)
})
