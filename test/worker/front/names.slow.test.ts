/**
 * Prototype pollution: names of inherited properties are names like any other, as keys in every JSON input
 * and as the names of files, tools and sessions.
 */

import { deployedConfig } from '#worker/front/deployed-config.ts'
import { SELF } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { packTar } from 'modern-tar'
import { linkOf, legacyMessage } from '../../support/worker/attack-link.ts'
import { freshWorkspace, errorOf } from '../../support/worker/client.ts'

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
]

/** An object from the wire: `__proto__` is an own key, as from `JSON.parse`. */
const parsed = (text: string): Record<string, unknown> => JSON.parse(text)

const POLLUTION = [
  parsed('{"__proto__":{"polluted":true,"preview":true,"allow_escape":true}}'),
  parsed('{"constructor":{"prototype":{"polluted":true,"preview":true,"allow_escape":true}}}'),
  parsed('{"prototype":{"polluted":true},"__proto__":null}'),
]

const membersOf = (prototype: object) => Reflect.ownKeys(prototype).map(String).join()
const PROTOTYPES = [Object, Array, Function, String, Map, Promise].map((one) => one.prototype)
const PRISTINE = PROTOTYPES.map(membersOf)

afterEach(() => {
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(PROTOTYPES.map(membersOf)).toEqual(PRISTINE)
})

describe.each(POLLUTION)('prototype pollution by %j', (evil) => {
  it('as arguments of a tool is refused, and nothing runs', async () => {
    const workspace = freshWorkspace()
    for (const [tool, args] of [
      ['write_file', { path: '/a', content: 'x' }],
      ['edit_file', { path: '/a', edits: [{ find: 'a', replace: 'b', ...evil }] }],
      ['read_file', { path: '/a' }],
      ['list_roots', {}],
      ['delegate', { label: 'x' }],
    ] as const) {
      const { result } = await workspace.call(tool, { ...args, ...evil })
      expect(result?.isError, tool).toBe(true)
    }
    expect((await workspace.fetch('/files/a')).status).toBe(404)
  })

  it('in _meta is ignored and is not inherited: no preview, no grant', async () => {
    const workspace = freshWorkspace()
    const written = await workspace.call('write_file', { path: '/a', content: 'x' }, evil)
    expect(written.result?._meta).not.toHaveProperty('preview')
    expect((await workspace.fetch('/files/a')).status).toBe(200)
  })

  it('as policy of a call, and of a root in it, is refused', async () => {
    const workspace = freshWorkspace()
    for (const policy of [evil, { roots: [{ path: '/', ...evil }] }]) {
      const reply = await workspace.call('write_file', { path: '/a', content: 'x' }, { policy })
      expect(reply.error?.code).toBe(-32602)
    }
    expect((await workspace.fetch('/files/a')).status).toBe(404)
  })

  it('as configuration is refused from every source, and permits nothing', async () => {
    const workspace = freshWorkspace()
    const config = await (await workspace.fetch('/config')).text()
    for (const asked of [evil, { roots: [{ path: '/docs', ...evil }] }]) {
      const body = JSON.stringify(asked)
      expect((await workspace.fetch('/config', { method: 'PUT', body })).status).toBe(400)
      expect(deployedConfig({ ...env, EDGEWISE_CONFIG: body }).ok).toBe(false)
      const capabilities = { experimental: { configuration: asked } }
      const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
      expect((await workspace.call('list_roots', {}, meta)).error?.code).toBe(-32602)
    }
    expect(await (await workspace.fetch('/config')).text()).toBe(config)
  })

  it('as the body of a link request is refused', async () => {
    const workspace = freshWorkspace()
    for (const wish of [
      { label: 'x', ...evil },
      { label: 'x', policy: evil },
    ]) {
      const made = await workspace.fetch('/sessions', {
        method: 'POST',
        body: JSON.stringify(wish),
      })
      expect(made.status).toBe(400)
      await made.body?.cancel()
    }
    expect(await (await workspace.fetch('/sessions')).json()).toEqual({ sessions: [], left: 0 })
  })

  it('in a message and in its params is ignored', async () => {
    const workspace = freshWorkspace()
    const list = { method: 'tools/list' }
    for (const message of [
      { ...list, ...evil },
      { ...list, params: evil },
    ])
      expect(await (await legacyMessage(workspace, message)).text()).toContain('read_file')
  })
})

describe('prototype pollution by an archive', () => {
  it('with such names in extended headers', async () => {
    const workspace = freshWorkspace()
    const pax = Object.fromEntries(NAMES.map((name) => [name, 'evil']))
    const entries = NAMES.map((name) => ({
      header: { name: `in/${name}`, size: 1, type: 'file' as const, pax },
      body: 'x',
    }))
    const body = await packTar(entries)
    const imported = await workspace.fetch('/import', { method: 'POST', body })
    expect(await imported.json()).toMatchObject({ files: NAMES.length })
    for (const name of NAMES) expect((await workspace.fetch(`/files/in/${name}`)).status).toBe(200)
  })
})

describe.each(NAMES)('the name of an inherited property: %s', (name) => {
  it('of a file and of a folder is like any other', async () => {
    const { call, text, raw, put, send, fetch } = freshWorkspace()
    const path = `/${name}/${name}`
    await text('write_file', { path, content: 'one\n' })
    await text('edit_file', { path, edits: [{ find: 'one', replace: 'two' }] })
    expect(await text('read_file', { path })).toBe('1: two')
    expect(await text('find_files', { pattern: name })).toContain(`${name}/${name}`)
    expect(await text('search_files', { pattern: 'two' })).toContain('two')
    expect(await text('list_changes', { path })).toContain(name)
    const uri = `file://${path}`
    expect((await send('resources/read', { uri })).result?.['contents']).toMatchObject([{ uri }])
    const listed = await (await fetch(`/files/${name}`)).json()
    expect(listed).toMatchObject({ entries: [{ name, type: 'file', size: 4, mime: 'text/plain' }] })
    await text('move_file', { from: path, to: '/moved' })
    expect(new TextDecoder().decode(await raw('/moved'))).toBe('two\n')
    await put(`/${name}/again`, 'x')
    expect((await call('delete_file', { path: `/${name}` })).result?.isError).toBeUndefined()
    expect((await fetch(`/files/${name}`)).status).toBe(404)
  })

  it('as a file extension has no media type', async () => {
    const { fetch, put } = freshWorkspace()
    for (const end of [name, name.toLowerCase()]) await put(`/kind/a.${end}`, 'x')
    const { entries } = await (await fetch('/files/kind')).json<{ entries: { mime: string }[] }>()
    expect(new Set(entries.map(({ mime }) => mime))).toEqual(new Set(['text/plain']))
  })

  it('of a root and in the rules is like any other', async () => {
    const workspace = freshWorkspace()
    await workspace.put(`/${name}/a`, 'x')
    const body = JSON.stringify({ roots: [{ path: `/${name}`, immutable: [name] }] })
    expect((await workspace.fetch('/config', { method: 'PUT', body })).status).toBe(200)
    expect(await workspace.text('list_roots')).toContain(name)
    expect(await workspace.code('write_file', { path: `/${name}/${name}`, content: 'x' })).toBe(
      'PATH_IMMUTABLE',
    )
    const { client } = await linkOf(workspace, { label: name, scopes: [`read:file:/${name}`] })
    expect(await client.text('read_file', { path: `/${name}/a` })).toBe('1: x')
  })

  it('of a tool, a method, a resource, a session or a preview is unknown', async () => {
    const workspace = freshWorkspace()
    expect((await workspace.call(name)).error?.code).toBe(-32602)
    expect(await workspace.send(name)).toMatchObject({ status: 404, error: { code: -32601 } })
    for (const uri of [`ui://edgewise/${name}`, `ui://${name}/${name}`, `file:///${name}`])
      expect((await workspace.send('resources/read', { uri })).error?.code).toBe(-32602)
    expect((await legacyMessage(workspace, { method: 'tools/list' }, name)).status).toBe(404)
    const ended = await workspace.fetch(`/sessions/${name}`, { method: 'DELETE' })
    expect(ended.status).toBe(404)
    await ended.body?.cancel()
    const bound = { 'dev.edgewise/preview': name }
    const { result } = await workspace.call('write_file', { path: '/a', content: 'x' }, bound)
    expect(errorOf(result)['code']).toBe('PREVIEW_STALE')
    const query = await workspace.fetch(`/audit?outcome=${name}`)
    expect(query.status).toBe(400)
    await query.body?.cancel()
  })

  it('of a workspace is valid if it matches the pattern of workspace names', async () => {
    const answer = await SELF.fetch(`http://localhost/w/${name}/files/`)
    expect(answer.status).toBe(/^[a-z]+$/.test(name) ? 200 : 404)
    await answer.body?.cancel()
  })
})
