/** Known holes of the reference server, each with the test that shows that it is closed here. */

import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

async function workspaceWith(
  config: Record<string, unknown>,
  files: Readonly<Record<string, string>>,
) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  const answer = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(await answer.json()).toMatchObject(config)
  return workspace
}

const refusal = (code: string) => ({
  result: { isError: true, _meta: { 'dev.edgewise/error': { code } } },
})

describe('a blocked root inside another root', () => {
  const ROOTS = { roots: [{ path: '/w' }, { path: '/w/private' }] }
  const policy = { roots: [{ path: '/w/private', blocked: true }] }

  it('is not reachable through the enclosing root', async () => {
    const { call } = await workspaceWith(ROOTS, { '/w/a': 'one', '/w/private/key': 'secret' })
    const read = await call('read_file', { path: '/w/private/key' }, { policy })
    expect(read).toMatchObject(refusal('PATH_BLOCKED'))
    const found = await call('search_files', { pattern: 'secret', root: '/w' }, { policy })
    expect(found.result?.structuredContent).toMatchObject({ total_matches: 0 })
  })
})

describe('a folder that contains a protected path', () => {
  const CONFIG = { roots: [{ path: '/', deny: ['docs/private/**'], immutable: ['src/fixed'] }] }
  const FILES = { '/docs/a': 'one', '/docs/private/key': 'secret', '/src/fixed': 'two' }

  it.each([
    ['delete_file', { path: '/docs' }, 'PATH_BLOCKED'],
    ['move_file', { from: '/docs', to: '/elsewhere' }, 'PATH_BLOCKED'],
    ['delete_file', { path: '/src' }, 'PATH_IMMUTABLE'],
    ['move_file', { from: '/src', to: '/elsewhere' }, 'PATH_IMMUTABLE'],
  ])('refuses %s %j', async (name, args, code) => {
    const { call, raw } = await workspaceWith(CONFIG, FILES)
    expect(await call(name, args)).toMatchObject(refusal(code))
    for (const [path, text] of Object.entries(FILES))
      expect(new TextDecoder().decode(await raw(path))).toBe(text)
  })
})

it('a grant does not override a deny glob of a root', async () => {
  const config = { roots: [{ path: '/w', deny: ['private/**'] }] }
  const { call } = await workspaceWith(config, { '/w/private/key': 'secret' })
  for (const granted_scopes of [['read'], ['read:file:/w/private'], ['read:file:/']]) {
    const read = await call('read_file', { path: '/w/private/key' }, { granted_scopes })
    expect(read).toMatchObject(refusal('PATH_BLOCKED'))
  }
})

it('a limit counts the visible results only, and the response does not reveal hidden ones', async () => {
  const config = { roots: [{ path: '/', deny: ['a*'] }] }
  const files = { '/a1': 'x', '/a2': 'x', '/a3': 'x', '/b': 'x' }
  const { call } = await workspaceWith(config, files)
  const found = await call('find_files', { limit: 1 })
  expect(found.result?.structuredContent).toMatchObject({
    matches: ['b'],
    truncated: false,
  })
  expect(JSON.stringify(found.result)).not.toMatch(/a[123]/)
})

describe('an unsupported preview', () => {
  it('is refused by a tool without previews, which does nothing', async () => {
    const { call, fetch } = freshWorkspace()
    const answer = await call('delegate', { label: 'helper' }, { preview: true })
    expect(answer.error).toMatchObject({ code: -32050 })
    expect(await (await fetch('/sessions')).json()).toEqual({ sessions: [], left: 0 })
  })

  it.each(['yes', 1, 'TRUE', null, {}])('is refused if `preview` is %j', async (preview) => {
    const { call, fetch } = freshWorkspace()
    const answer = await call('write_file', { path: 'a', content: 'x' }, { preview })
    expect(answer.error).toMatchObject({ code: -32602 })
    const file = await fetch('/files/a')
    expect(file.status).toBe(404)
    await file.body?.cancel()
  })
})

it('a person can use policy fields that a model cannot', async () => {
  const workspace = freshWorkspace()
  const wish = { label: 'helper', policy: { find_limit: 3 } }
  const handed = await workspace.call('delegate', wish)
  expect(handed.result?.isError).toBe(true)
  const made = await workspace.fetch('/sessions', { method: 'POST', body: JSON.stringify(wish) })
  expect(made.status).toBe(201)
  await made.body?.cancel()
})
