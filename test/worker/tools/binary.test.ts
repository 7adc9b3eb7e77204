/** Bytes that are not text, and empty folders: `content_base64`, `encoding: "base64"`, `create_folder`. @module */

import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

const base64 = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

const CONTENT: [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['text', new TextEncoder().encode('\ufeffä\r\n')],
  ['any byte', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
  ['a file that is stored in R2', new Uint8Array(200_000).fill(7)],
  ['as much as a message holds', new Uint8Array(3_000_000).fill(255)],
]

/** Compares the bytes itself, because a diff of millions of bytes is not readable. */
function expectBytes(stored: Uint8Array, bytes: Uint8Array): void {
  expect(stored.length).toBe(bytes.length)
  expect(stored.findIndex((byte, at) => byte !== bytes[at])).toBe(-1)
}

describe('write_file with content_base64', () => {
  it.each(CONTENT)('writes %s unchanged', async (_what, bytes) => {
    const { text, raw } = freshWorkspace()
    const result = await text('write_file', { path: 'new/a.bin', content_base64: base64(bytes) })
    expect(result).toBe('Created new/a.bin')
    expectBytes(await raw('/new/a.bin'), bytes)
  })

  it('is previewed, and applied as previewed', async () => {
    const { call, put, raw } = freshWorkspace()
    await put('/a', 'one\n')
    const args = { path: 'a', content_base64: btoa('two\n') }
    const { result } = await call('write_file', args, { preview: true })
    expect(result?._meta['dev.edgewise/change']).toMatchObject({
      applied: false,
      stats: { added: 1, removed: 1, files: 1 },
    })
    expect(new TextDecoder().decode(await raw('/a'))).toBe('one\n')
    const change = JSON.parse(JSON.stringify(result?._meta['dev.edgewise/change']))
    await call('write_file', args, { 'dev.edgewise/preview': change.id })
    expect(new TextDecoder().decode(await raw('/a'))).toBe('two\n')
  })

  it('refuses invalid base64, two contents and none, another version, a folder and a path below a file', async () => {
    const { code, put } = freshWorkspace()
    await put('/a', 'one')
    await put('/folder/x', 'one')
    const write = (args: object) => code('write_file', { path: 'b', ...args })
    for (const content_base64 of ['a', '****', 'YQ==YQ==', 'YQ===', 'Y=Q='])
      expect(await write({ content_base64 }), content_base64).toBe('INVALID_CONTENT_BASE64')
    const content_base64 = btoa('x')
    expect(await write({ content_base64, content: 'x' })).toBe('INVALID_CONTENT')
    expect(await write({})).toBe('MISSING_CONTENT')
    expect(await write({ content_base64, mode: 'append' })).toBe('INVALID_MODE')
    expect(await write({ content_base64, path: 'a', if_version: 0 })).toBe('VERSION_CONFLICT')
    expect(await write({ content_base64, path: 'folder' })).toBe('IS_A_FOLDER')
    expect(await write({ content_base64, path: 'a/b' })).toBe('NOT_A_FOLDER')
  })
})

describe('read_file with encoding base64', () => {
  const read = async (workspace: ReturnType<typeof freshWorkspace>, offset = 0) => {
    const args = { path: 'a', encoding: 'base64', offset }
    const { result } = await workspace.call('read_file', args)
    return JSON.parse(
      JSON.stringify({ ...result?.structuredContent, text: result?.content[0]?.text }),
    )
  }

  it.each(CONTENT)('reads %s, part by part', async (_what, bytes) => {
    const workspace = freshWorkspace()
    await workspace.fetch('/files/a', { method: 'PUT', body: bytes.slice() })
    let whole = ''
    let offset: number | undefined = 0
    for (let parts = 0; offset !== undefined && parts < 4; parts++) {
      const part = await read(workspace, offset)
      expect(part.text).toContain(part.content_base64)
      expect(part.text.length).toBeLessThan(40_000)
      if (part.next_offset !== undefined) expect(part.text).toContain(`offset ${part.next_offset}`)
      expect(part.truncated).toBe(part.next_offset !== undefined)
      whole += part.content_base64
      offset = part.next_offset
    }
    expect(base64(bytes).startsWith(whole)).toBe(true)
    if (offset === undefined) expect(whole).toBe(base64(bytes))
  })

  it('returns parts that concatenate to the base64 of the whole, also without a limit', async () => {
    const workspace = freshWorkspace()
    const body = JSON.stringify({ read_max_bytes: 0 })
    await (await workspace.fetch('/config', { method: 'PUT', body })).text()
    await workspace.fetch('/files/a', { method: 'PUT', body: new Uint8Array(2_200_000).fill(7) })
    const first = await read(workspace)
    expect(first.next_offset % 3).toBe(0)
    const rest = await read(workspace, first.next_offset)
    expect(atob(first.content_base64 + rest.content_base64)).toHaveLength(2_200_000)
  })

  it('names the end of the file and the next offset', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x'.repeat(100_000))
    expect((await read(workspace)).text).toMatch(
      /\n\(version 1; bytes 0-12749 of 100000, .*offset 12750\)$/,
    )
    expect(await read(workspace, 100_000)).toMatchObject({
      text: expect.stringMatching(/version 1; .*100000/),
      count: 0,
      content_base64: '',
    })
  })

  it('is suggested by the refusal of a binary file', async () => {
    const { call, fetch } = freshWorkspace()
    await fetch('/files/a', { method: 'PUT', body: Uint8Array.of(0, 255) })
    const { result } = await call('read_file', { path: 'a' })
    expect(result?.content[0]?.text).toContain('with encoding base64')
  })
})

describe('create_folder', () => {
  it('makes an empty folder, which can be undone', async () => {
    const { call, text } = freshWorkspace()
    const { result } = await call('create_folder', { path: 'a/b' })
    expect(result?.structuredContent).toEqual({ path: 'a/b', version: 1 })
    expect(await text('find_files', {})).toBe('a/\na/b/')
    const change = JSON.parse(JSON.stringify(result?._meta['dev.edgewise/change']))
    expect(change).toMatchObject({ intent: 'Create the folder /a/b', stats: { files: 0 } })
    await text('undo_change', { id: change.id })
    expect(await text('find_files', {})).not.toContain('b/')
  })

  it('refuses an existing path', async () => {
    const { code, put } = freshWorkspace()
    await put('/a/x', 'one')
    expect(await code('create_folder', { path: 'a' })).toBe('TARGET_EXISTS')
    expect(await code('create_folder', { path: 'a/x/y' })).toBe('NOT_A_FOLDER')
  })
})
