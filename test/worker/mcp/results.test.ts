/**
 * The shapes of results, for clients that show MCP Apps and for those that do not: the model's data is complete in
 * the text and in the structured content, errors are one sentence, and no client gets data that it cannot use.
 */

import { MAX_RESULT_HUNKS_BYTES } from '#worker/limits.ts'
import { recordOf } from '#core/json.ts'
import { MAX_FOUND_BYTES } from '#worker/tools/lib/limits.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, type Reply } from '../../support/worker/client.ts'
import { outcomeOf } from '../../support/worker/draft-tools.ts'
import { withToolContext } from '../../support/worker/tool-context.ts'
import { PNG } from '../../support/worker/media-samples.ts'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CHANGE = 'dev.edgewise/change'
const PLAIN = { [CAPABILITIES]: {} }

type Workspace = ReturnType<typeof freshWorkspace>

/** A call of a client that shows no apps. */
async function plain({ call }: Workspace, name: string, args: object, meta = {}) {
  const { result } = await call(name, { ...args }, { ...PLAIN, ...meta })
  if (!result) throw new Error('A call has a result')
  return result
}

const textOf = ({ content }: NonNullable<Reply['result']>) => content[0]?.text

describe('an error', () => {
  it('has one text block with sentence and code, and its data in _meta', async () => {
    const result = await plain(freshWorkspace(), 'read_file', { path: 'gone' })
    expect(result).not.toHaveProperty('structuredContent')
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringMatching(/\/gone.* \[FILE_NOT_FOUND\]$/) }],
      _meta: { 'dev.edgewise/error': { code: 'FILE_NOT_FOUND', path: '/gone' } },
    })
  })
})

describe('a change', () => {
  it.each([
    ['write_file', { path: 'a', content: 'two' }, 'Wrote a (version 2)', { path: 'a' }],
    [
      'edit_file',
      { path: 'a', edits: [{ find: 'one', replace: 'x' }] },
      'Edited a in 1 place (version 2)',
      { path: 'a', match_count: 1 },
    ],
    ['move_file', { from: 'a', to: 'b' }, 'Moved a to b (version 2)', { from: 'a', to: 'b' }],
    ['delete_file', { path: 'a' }, 'Deleted a (version 2)', { path: 'a' }],
  ])('names its version in text and data: %s', async (name, args, text, structured) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    const result = await plain(workspace, name, args)
    expect(textOf(result)).toBe(text)
    expect(result.structuredContent).toEqual({ ...structured, version: 2 })
    expect(result.content).toHaveLength(1)
    expect(result._meta[CHANGE]).toEqual({
      id: expect.any(String),
      version: 2,
      applied: true,
    })
  })

  it('has links and hunks for a client that shows apps, and in previews for all clients', async () => {
    const workspace = freshWorkspace()
    const args = { path: 'a', content: 'one' }
    const preview = await plain(workspace, 'write_file', args, { preview: true })
    const shown = await workspace.call('write_file', args)
    for (const result of [preview, shown.result]) {
      expect(result?.content.map(({ type }) => type)).toEqual([
        'text',
        'resource_link',
        'resource_link',
      ])
      expect(result?._meta[CHANGE]).toMatchObject({ hunks: [{ path: '/a' }] })
    }
    expect(preview.structuredContent).toEqual(shown.result?.structuredContent)
  })

  it.each([{}, { extensions: { 'io.modelcontextprotocol/ui': {} } }])(
    'has no links if the client does not name the media type: %j',
    async (capabilities) => {
      const { call } = freshWorkspace()
      const args = { path: 'a', content: 'one' }
      const { result } = await call('write_file', args, { [CAPABILITIES]: capabilities })
      expect(result?.content).toHaveLength(1)
    },
  )

  it('carries a limited number of characters in hunks', async () => {
    const { call } = freshWorkspace()
    const content = `${'x'.repeat(1_000)}\n`.repeat(MAX_RESULT_HUNKS_BYTES / 1_000)
    const { result } = await call('write_file', { path: 'a', content })
    expect(result?._meta[CHANGE]).toMatchObject({ hunks: [], hunks_left_out: true })
    const { result: small } = await call('write_file', {
      path: 'b',
      content: content.slice(0, 20_000),
    })
    expect(small?._meta[CHANGE]).not.toHaveProperty('hunks_left_out')
  })
})

describe('read_file', () => {
  it('names the version and the next range in text and data', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one\ntwo\nthree\n')
    const result = await plain(workspace, 'read_file', { path: 'a', limit: 2 })
    expect(textOf(result)).toMatch(
      /^1: one\n2: two\n\(version 1; lines 1-2 of 3, .*start_line 3\)$/,
    )
    expect(result.structuredContent).toMatchObject({ version: 1, total: 3, next_start_line: 3 })
    const rest = await plain(workspace, 'read_file', { path: 'a', start_line: 3 })
    expect(textOf(rest)).toBe('3: three\n(version 1)')
    expect(rest.structuredContent).not.toHaveProperty('next_start_line')
  })

  it('has no structured content for an image, and therefore no output schema', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.png', PNG)
    const result = await plain(workspace, 'read_file', { path: 'a.png' })
    expect(result).not.toHaveProperty('structuredContent')
    expect(result.content).toMatchObject([
      { type: 'text', text: 'a.png: image/png, 70 bytes (version 1)' },
      { type: 'image', mimeType: 'image/png' },
    ])
    const { result: list } = await workspace.send('tools/list')
    const tools: { name: string; outputSchema?: { additionalProperties?: unknown } }[] = JSON.parse(
      JSON.stringify(list?.['tools']),
    )
    const open = tools.filter(({ outputSchema }) => outputSchema?.additionalProperties !== false)
    expect(open.map(({ name }) => name)).toEqual(['read_file'])
  })
})

const KIB = 1024

/** A path of several folders, without its last characters. */
const LONG_NAME = `${`${'n'.repeat(240)}/`.repeat(3)}${'n'.repeat(200)}`

/** The same of characters that JSON escapes. */
const QUOTED_NAME = LONG_NAME.replaceAll('n', '"')

const HUNDRED = Array.from({ length: 100 }, (_, n) => `f${n}`)

/** Files, and a call by its defaults whose whole result would be far longer than its limit. */
const LONG: readonly [string, Record<string, string>, string, object][] = [
  ['source text', { '/a': 'export const value = 1\n'.repeat(5_000) }, 'read_file', { path: 'a' }],
  ['quotes', { '/a': '{ "a": "b", "c": ["d"] }\n'.repeat(5_000) }, 'read_file', { path: 'a' }],
  ['escapes', { '/a': '\u001b[1mline\u001b[0m\n'.repeat(5_000) }, 'read_file', { path: 'a' }],
  ['wide characters', { '/a': '文字列\n'.repeat(10_000) }, 'read_file', { path: 'a' }],
  ['short matches', numbered(1_750, () => 'needle'), 'search_files', { pattern: 'needle' }],
  ['quoted matches', numbered(400, () => '"needle": "\\"'), 'search_files', { pattern: 'needle' }],
  ['long lines', { '/a': '"'.repeat(50_000) }, 'read_file', { path: 'a' }],
  ['files', numbered(100, () => 'x'.repeat(25_000)), 'read_multiple_files', { paths: HUNDRED }],
  [
    'files of escapes',
    numbered(100, () => `${'\u001b'.repeat(999)}\n`.repeat(9)),
    'read_multiple_files',
    { paths: HUNDRED },
  ],
  ['long paths', numbered(300, () => '', 'x'.repeat(200)), 'find_files', {}],
  [
    'files with long paths',
    numbered(100, () => 'x', LONG_NAME),
    'read_multiple_files',
    { paths: HUNDRED.map((name) => `${LONG_NAME}${name.slice(1)}`) },
  ],
  ['invalid paths', {}, 'read_multiple_files', { paths: HUNDRED.map(() => '\u0001'.repeat(900)) }],
  [
    'a summary of long paths',
    numbered(40, () => `needle ${'x'.repeat(900)}`, LONG_NAME),
    'search_files',
    { pattern: 'needle' },
  ],
  [
    'a summary of quoted paths',
    numbered(40, () => `needle ${'x'.repeat(900)}`, QUOTED_NAME),
    'search_files',
    { pattern: 'needle' },
  ],
  ['a folder', numbered(300, () => '', 'é'.repeat(100)), 'list_folder', {}],
  ['changes', numbered(60, () => 'x', LONG_NAME), 'list_changes', {}],
  ['lines of markup', { '/a': '<a href="x">&</a>\n'.repeat(5_000) }, 'read_file', { path: 'a' }],
  ['one line of markup', { '/a': '"'.repeat(50_000) }, 'read_file', { path: 'a' }],
  ['bytes', { '/a': 'x'.repeat(50_000) }, 'read_file', { path: 'a', encoding: 'base64' }],
]

function numbered(count: number, content: () => string, name = 'f'): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`/${name}${n}`, content()] as const),
  )
}

describe('an answer', () => {
  it.each(LONG)(
    'fits in 40,000 bytes, text and data together: %s',
    async (_, files, name, args) => {
      await withToolContext({}, async (context) => {
        await context.write(files)
        const all = name === 'read_file' ? { ...args, limit: 0 } : args
        for (const meta of [{}, { highlight: true }]) {
          const outcome = await outcomeOf(context, name, all, meta)
          const size = Buffer.byteLength(JSON.stringify(outcome))
          expect(size).toBeLessThan(40_000)
          expect(size).toBeGreaterThan(400)
        }
      })
    },
  )

  it('fits in 40,000 bytes where a whole change has long paths, with and without apps', async () => {
    const workspace = freshWorkspace()
    const { call } = workspace
    await workspace.put('/keep', 'x')
    for (let at = 0; at < 25; at++)
      await workspace.put(`/${encodeURIComponent(`d/${QUOTED_NAME}${at}`)}`, 'x\n')
    await call('create_checkpoint', { name: 'start' })
    const { result: gone } = await call('delete_file', { path: 'd' })
    const { version } = recordOf(gone?.structuredContent)
    for (const [name, args] of [
      ['undo_change', { version }],
      ['restore_checkpoint', { checkpoint: 'start' }],
    ] as const)
      for (const meta of [{ preview: true }, { ...PLAIN, preview: true }]) {
        const { result } = await call(name, args, meta)
        expect(result?.structuredContent).toMatchObject({ more: expect.any(Number) })
        const size = Buffer.byteLength(JSON.stringify(result))
        expect(size, name).toBeGreaterThan(10_000)
        expect(size, name).toBeLessThan(40_000)
      }
    const { result: undone } = await call('undo_change', { version })
    expect(Buffer.byteLength(JSON.stringify(undone))).toBeLessThan(40_000)
    const quoted = { path: `d/${QUOTED_NAME}0` }
    for (let at = 0; at < 30; at++) await call('write_file', { ...quoted, content: `${at}` })
    const { result: history } = await call('file_history', quoted)
    expect(Buffer.byteLength(JSON.stringify(history))).toBeLessThan(40_000)
  })

  it('fits in 40,000 bytes with many roots of long paths', async () => {
    const roots = Array.from({ length: 60 }, (_, at) => ({ path: `/${QUOTED_NAME}${at}` }))
    const result = await plain(freshWorkspace(), 'list_roots', {}, { policy: { roots } })
    expect(result.structuredContent).toMatchObject({ more: expect.any(Number) })
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(40_000)
  })

  it('fits in 40,000 bytes with the hunks of a change', async () => {
    const { call } = freshWorkspace()
    const content = `${'文'.repeat(100)}\n`.repeat(150)
    const { result } = await call('write_file', { path: 'a', content })
    expect(result?._meta[CHANGE]).toMatchObject({ hunks: [], hunks_left_out: true })
    expect(new TextEncoder().encode(JSON.stringify(result)).length).toBeLessThan(40_000)
  })

  it('that was cut by its size says how to go on', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x'.repeat(63).concat('\n').repeat(KIB))
    const read = await plain(workspace, 'read_file', { path: 'a', limit: 0 })
    for (const side of [textOf(read), JSON.stringify(read.structuredContent)])
      expect(side).toMatch(/start_line"?:? ?\d+/)
  })

  it('of find_files goes on behind the paths that fitted, by cursor and by offset', async () => {
    await withToolContext({}, async (context) => {
      const paths = Object.keys(numbered(100, () => '', 'x'.repeat(230))).toSorted()
      await context.write(Object.fromEntries(paths.map((path) => [path, ''])))
      const find = async (args: object) =>
        recordOf((await outcomeOf(context, 'find_files', args)).structuredContent)
      const first = await find({})
      const matches = first['matches'] as string[]
      expect(first).toMatchObject({ truncated: true, count: matches.length })
      const room = MAX_FOUND_BYTES - JSON.stringify(matches).length
      expect(room).toBeGreaterThanOrEqual(0)
      expect(room).toBeLessThan(JSON.stringify(paths[0]).length)
      for (const next of [{ cursor: first['next_cursor'] }, { offset: matches.length }]) {
        const rest = (await find(next))['matches'] as string[]
        expect([...matches, ...rest].map((path) => `/${path}`)).toEqual(paths)
      }
      expect(await find({ limit: 100 })).toMatchObject({ truncated: false, count: 100 })
    })
  })
})

describe('undo_change', () => {
  it('undoes a change by the version in its result', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    const made = await plain(workspace, 'write_file', { path: 'a', content: 'two' })
    const { version } = Object(made.structuredContent)
    const undone = await plain(workspace, 'undo_change', { version })
    expect(textOf(undone)).toMatch(/^Undid .*: a \(version 3\)$/)
    expect(await workspace.text('read_file', { path: 'a' })).toBe('1: one')
  })

  it.each([
    [{}, 'MISSING_VERSION'],
    [{ version: 1, id: 'x' }, 'INVALID_VERSION'],
    [{ version: 99 }, 'CHANGE_NOT_FOUND'],
  ])('refuses %j with %s', async (args, code) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    expect(await workspace.code('undo_change', args)).toBe(code)
  })
})

describe('tools/list', () => {
  const APP_ONLY = ['file_history', 'create_folder', 'list_folder', 'restore_file', 'list_changes']

  it('lists only what the policy of the request permits, also for clients without apps', async () => {
    const { send } = freshWorkspace()
    for (const [narrower, kept] of [
      [{ policy: { read_only: true } }, 'read_file'],
      [{ denied_scopes: ['write'] }, 'read_file'],
      [{ denied_scopes: ['read'] }, 'write_file'],
    ] as const) {
      const reply = await send('tools/list', {}, { meta: { ...PLAIN, ...narrower } })
      const listed = JSON.stringify(reply.result?.['tools'])
      expect(listed).not.toContain('"edit_file"')
      expect(listed).toContain(`"${kept}"`)
    }
  })

  it('names both scopes of a change that also reads, so that a client can deny either', async () => {
    const { result } = await freshWorkspace().send('tools/list', {})
    const tools: { name: string; annotations: { scopes: string[] } }[] = Object(result).tools
    const scopesOf = (name: string) => tools.find((tool) => tool.name === name)?.annotations.scopes
    for (const name of ['copy_file', 'move_file', 'edit_file', 'undo_change', 'restore_checkpoint'])
      expect(scopesOf(name), name).toEqual(['read:file', 'write:file'])
    for (const name of ['write_file', 'delete_file', 'create_folder'])
      expect(scopesOf(name), name).toEqual(['write:file'])
  })

  it('lists views and app-only tools only for clients that show apps', async () => {
    const { send } = freshWorkspace()
    const listed = async (meta: object) =>
      JSON.stringify((await send('tools/list', {}, { meta: { ...meta } })).result?.['tools'])
    const [models, apps] = [await listed(PLAIN), await listed({})]
    for (const name of APP_ONLY) {
      expect(models).not.toContain(`"${name}"`)
      expect(apps).toContain(`"${name}"`)
    }
    expect(models).not.toContain('"ui')
    expect(models).toContain('dev.edgewise/tool')
  })
})
