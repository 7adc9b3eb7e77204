/** `upload_file` and `create_folder`: bytes and folders from a person's browser. @module */

import { describe, expect, it } from 'vitest'
import { freshWorkspace } from './client.ts'

const base64 = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

describe('upload_file', () => {
  it.each([
    ['nothing', new Uint8Array()],
    ['text', new TextEncoder().encode('\ufeffä\r\n')],
    ['any byte', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
    ['what has to go to R2', new Uint8Array(200_000).fill(7)],
    ['as much as a message holds', new Uint8Array(3_000_000).fill(255)],
  ])('writes %s as it is', async (_what, bytes) => {
    const { text, raw } = freshWorkspace()
    const said = await text('upload_file', { path: 'new/a.bin', blob: base64(bytes) })
    expect(said).toBe('Uploaded new/a.bin')
    // Compared by what differs: a diff of millions of bytes would help nobody.
    const stored = await raw('/new/a.bin')
    expect(stored.length).toBe(bytes.length)
    expect(stored.findIndex((byte, at) => byte !== bytes[at])).toBe(-1)
  })

  it('is shown before it is made, and made as it was shown', async () => {
    const { call, put, raw } = freshWorkspace()
    await put('/a', 'one\n')
    const args = { path: 'a', blob: btoa('two\n') }
    const { result } = await call('upload_file', args, { preview: true })
    expect(result?._meta['dev.edgewise/change']).toMatchObject({
      intent: 'Upload a',
      applied: false,
      stats: { added: 1, removed: 1, files: 1 },
    })
    expect(new TextDecoder().decode(await raw('/a'))).toBe('one\n')
    const change = JSON.parse(JSON.stringify(result?._meta['dev.edgewise/change']))
    await call('upload_file', args, { 'dev.edgewise/preview': change.id })
    expect(new TextDecoder().decode(await raw('/a'))).toBe('two\n')
  })

  it('refuses what is no base64, another version, a folder and a place below a file', async () => {
    const { code, put } = freshWorkspace()
    await put('/a', 'one')
    await put('/folder/x', 'one')
    for (const blob of ['a', '****', 'YQ==YQ=='])
      expect(await code('upload_file', { path: 'b', blob })).toBe('INVALID_BLOB')
    const blob = btoa('x')
    expect(await code('upload_file', { path: 'a', blob, if_version: 0 })).toBe('VERSION_CONFLICT')
    expect(await code('upload_file', { path: 'folder', blob })).toBe('IS_A_FOLDER')
    expect(await code('upload_file', { path: 'a/b', blob })).toBe('NOT_A_FOLDER')
  })
})

describe('create_folder', () => {
  it('makes an empty folder, which can be taken back', async () => {
    const { call, text } = freshWorkspace()
    const { result } = await call('create_folder', { path: 'a/b' })
    expect(result?.structuredContent).toEqual({ path: 'a/b', version: 1 })
    expect(await text('find_files', {})).toBe('a/\na/b/')
    const change = JSON.parse(JSON.stringify(result?._meta['dev.edgewise/change']))
    expect(change).toMatchObject({ intent: 'Create the folder a/b', stats: { files: 0 } })
    await text('undo_change', { id: change.id })
    expect(await text('find_files', {})).not.toContain('b/')
  })

  it('refuses a place that is taken', async () => {
    const { code, put } = freshWorkspace()
    await put('/a/x', 'one')
    expect(await code('create_folder', { path: 'a' })).toBe('TARGET_EXISTS')
    expect(await code('create_folder', { path: 'a/x/y' })).toBe('NOT_A_FOLDER')
  })
})

it('both are for views alone', async () => {
  const { send } = freshWorkspace()
  const { result } = await send('tools/list')
  const tools: { name: string; _meta: unknown }[] = JSON.parse(JSON.stringify(result?.['tools']))
  const ours = tools.filter(({ name }) => name === 'upload_file' || name === 'create_folder')
  expect(ours).toHaveLength(2)
  for (const { _meta } of ours) expect(_meta).toMatchObject({ ui: { visibility: ['app'] } })
})
