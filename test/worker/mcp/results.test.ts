/**
 * The shapes of results, for clients that show MCP Apps and for those that do not: the model's data is complete in
 * the text and in the structured content, errors are one sentence, and no client gets data that it cannot use.
 */

import { MAX_RESULT_HUNKS_LENGTH } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, type Reply } from '../../support/worker/client.ts'

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
    const content = `${'x'.repeat(1_000)}\n`.repeat(MAX_RESULT_HUNKS_LENGTH / 1_000)
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
    await workspace.put('/a.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47))
    const result = await plain(workspace, 'read_file', { path: 'a.png' })
    expect(result).not.toHaveProperty('structuredContent')
    expect(result.content).toMatchObject([
      { type: 'text', text: 'a.png: image/png, 4 bytes (version 1)' },
      { type: 'image', mimeType: 'image/png' },
    ])
    const { result: list } = await workspace.send('tools/list')
    const tools: { name: string; outputSchema?: { additionalProperties?: unknown } }[] = JSON.parse(
      JSON.stringify(list?.['tools']),
    )
    const open = tools.filter(({ outputSchema }) => outputSchema?.additionalProperties !== false)
    expect(open.map(({ name }) => name)).toEqual(['read_file'])
  })

  it.each(['text', 'data'])('limits a long result to 40,000 bytes of %s', async (side) => {
    const workspace = freshWorkspace()
    await workspace.put(
      '/a.ts',
      'export const value = { name: "value", of: [1, 2] }\n'.repeat(5_000),
    )
    const result = await plain(workspace, 'read_file', { path: 'a.ts', limit: 0 })
    const whole = side === 'text' ? textOf(result) : JSON.stringify(result.structuredContent)
    expect(whole?.length).toBeLessThan(40_000)
    expect(whole).toMatch(/start_line"?:? ?\d+/)
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
    [{ version: 99 }, 'CHANGE_NOT_FOUND'],
  ])('refuses %j with %s', async (args, code) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    expect(await workspace.code('undo_change', args)).toBe(code)
  })
})

describe('tools/list', () => {
  const APP_ONLY = ['file_history', 'create_folder', 'list_folder', 'restore_file', 'list_changes']

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
