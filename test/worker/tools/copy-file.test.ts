/** `copy_file`: copies visible content to another path, without overwriting. */

import { MAX_COPY_ENTRIES } from '#worker/limits.ts'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { linkOf } from '../../support/worker/attack-link.ts'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { wholeOf } from '../../support/worker/result-codes.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'

describe('copy_file', () => {
  it('copies a file and a folder', async () => {
    const { text, put, raw } = freshWorkspace()
    await put('/a/b/1', 'one')
    await put('/a/2', 'two')
    expect(await text('copy_file', { from: 'a/2', to: 'x/3' })).toBe('Copied a/2 to x/3')
    expect(await raw('/x/3')).toEqual(bytesOf('two'))
    expect(await text('copy_file', { from: 'a', to: 'c' })).toBe(
      'Copied a to c with 2 files, 6 bytes',
    )
    expect(await text('find_files', { root: 'c' })).toBe('2\nb/\nb/1')
    expect(await raw('/a/b/1')).toEqual(bytesOf('one'))
  })

  it('moves no bytes: a large file gets no second object', async () => {
    const { text, put, raw } = freshWorkspace()
    const large = new Uint8Array(200_000).fill(7)
    await put('/large', large)
    const objects = async () => (await env.FILES.list()).objects.length
    const before = await objects()
    await text('copy_file', { from: 'large', to: 'again' })
    expect(await objects()).toBe(before)
    await text('delete_file', { path: 'large' })
    expect((await raw('/again')).length).toBe(large.length)
  })

  it.each([
    [{ from: 'gone', to: 'x' }, 'FILE_NOT_FOUND'],
    [{ from: 'a', to: 'b' }, 'TARGET_EXISTS'],
    [{ from: 'd', to: 'd/e' }, 'INVALID_TO'],
    [{ from: 'a', to: 'b/c' }, 'NOT_A_FOLDER'],
  ])('refuses %j with %s', async (args, expected) => {
    const { code, put } = freshWorkspace()
    for (const path of ['/a', '/b', '/d/1']) await put(path, 'x')
    expect(await code('copy_file', args)).toBe(expected)
  })

  it('is previewed and undone', async () => {
    const { call, text, put } = freshWorkspace()
    await put('/a', 'one')
    const { result } = await call('copy_file', { from: 'a', to: 'b' }, { preview: true })
    expect(result?.content[0]?.text).toBe('Copied a to b (version 2)')
    expect(await text('find_files')).toBe('a')
    const applied = await call('copy_file', { from: 'a', to: 'b' })
    const { id } = Object(applied.result?._meta['dev.edgewise/change'])
    await text('undo_change', { id })
    expect(await text('find_files')).toBe('a')
  })

  it('omits hidden files, and does not write to denied paths', async () => {
    const { call, code, text, put, fetch } = freshWorkspace()
    await put('/a/seen', 'one')
    await put('/a/secret', 'canary')
    const rules = { roots: [{ path: '/', deny: ['a/secret'], immutable: ['fixed/**'] }] }
    await (await fetch('/config', { method: 'PUT', body: JSON.stringify(rules) })).text()
    const copied = await call('copy_file', { from: 'a', to: 'b' })
    expect(JSON.stringify(copied)).not.toMatch(/secret|canary/)
    expect(await text('find_files', { root: 'b' })).toBe('seen')
    expect(await code('copy_file', { from: 'a/secret', to: 'c' })).toBe('PATH_BLOCKED')
    expect(await code('copy_file', { from: 'a/seen', to: 'fixed/x' })).toBe('PATH_IMMUTABLE')
  })

  it.each([
    ['a file', '/docs/f/a', '/drop/f/a'],
    ['a folder', '/docs/f', '/drop/f'],
    ['a folder over a file', '/docs/f', '/drop/g'],
  ])('overwrites nothing that its caller cannot see: %s', async (_, from, to) => {
    const workspace = freshWorkspace()
    const files = { '/docs/f/a': 'new', '/drop/f/a': 'kept', '/drop/g': 'kept' }
    for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
    const { client } = await linkOf(workspace, {
      scopes: ['read:file:/docs', 'write:file:/drop'],
    })
    const preview = await client.call('copy_file', { from, to }, { preview: true })
    expect(wholeOf(preview)).toContain('TARGET_EXISTS')
    expect(await client.code('copy_file', { from, to })).toBe('TARGET_EXISTS')
    for (const kept of ['/drop/f/a', '/drop/g'])
      expect(new TextDecoder().decode(await workspace.raw(kept))).toBe('kept')
  })

  it('copies a limited number of files at once', async () => {
    const workspace = freshWorkspace()
    const names = Array.from({ length: MAX_COPY_ENTRIES - 1 }, (_, at) => `/a/${at}`)
    await seed(stubOf(workspace), names)
    expect(await workspace.text('copy_file', { from: 'a', to: 'b' })).toContain('9999 files')
    await workspace.put('/a/more', 'x')
    expect(await workspace.code('copy_file', { from: 'a', to: 'c' })).toBe('OVER_BUDGET')
  })
})
