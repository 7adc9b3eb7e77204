/** Regressions: changes, and disclosures by a refusal, that access must prevent. */

import { describe, expect, it } from 'vitest'
import { modern, sendAs } from '../../support/worker/access-client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'
import { stubOf } from '../../support/worker/object-life.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function workspaceWith(config: object, files: Readonly<Record<string, string>>) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  const answer = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
  return workspace
}

const textAt = async ({ raw }: Workspace, path: string) => new TextDecoder().decode(await raw(path))

/** A client with a token of these scopes. */
async function clientOf(workspace: Workspace, scopes: readonly string[]) {
  const body = JSON.stringify({ label: 'client', scopes })
  const made = await stubOf(workspace).fetch('https://w/grant', { method: 'POST', body })
  const session = await made.text()
  return modern(sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes }))
}

describe('a denied path', () => {
  const DENY = { roots: [{ path: '/', deny: ['hidden', 'hidden/**'] }] }

  it('is refused with the same response whether it exists or not', async () => {
    const answers = await Promise.all(
      [{}, { '/hidden': 'a file' }, { '/hidden/x': 'in a folder' }].map(async (files) => {
        const { call } = await workspaceWith(DENY, files)
        return [
          await call('write_file', { path: '/hidden/x/y', content: '' }),
          await call('write_file', { path: '/hidden', content: '' }),
          await call('create_folder', { path: '/hidden/x/y' }),
          await call('delete_file', { path: '/hidden' }),
          await call('move_file', { from: '/hidden/x', to: '/free' }),
          await call('move_file', { from: '/hidden', to: '/free' }),
          await call('read_file', { path: '/hidden/x' }),
          await call('find_files', { root: '/hidden' }),
          await call('list_folder', { path: '/hidden' }),
        ].map((reply) => [codeOfReply(reply), reply.result?.content[0]?.text])
      }),
    )
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    for (const [code] of answers[0] ?? []) expect(code).toBe('PATH_BLOCKED')
  })

  it('below a denied name is refused whether that name is a file or not', async () => {
    const deny = { roots: [{ path: '/', deny: ['hidden'] }] }
    const answers = await Promise.all(
      [{}, { '/hidden': 'a file' }].map(async (files) => {
        const { call } = await workspaceWith(deny, files)
        const content_base64 = btoa('x')
        return [
          await call('write_file', { path: '/hidden/x', content: '' }),
          await call('write_file', { path: '/hidden/x', content: '' }, { preview: true }),
          await call('write_file', { path: '/hidden/x/y', content_base64 }),
          await call('create_folder', { path: '/hidden/x' }),
        ].map((reply) => [codeOfReply(reply), reply.result?.content[0]?.text])
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    for (const [code] of answers[0] ?? []) expect(code).toBe('PATH_BLOCKED')
  })

  it('is not created as a parent folder', async () => {
    const deny = { roots: [{ path: '/', deny: ['hidden'] }] }
    const { call, fetch } = await workspaceWith(deny, {})
    const written = await call('write_file', { path: '/hidden/free/x', content: '' })
    expect(codeOfReply(written)).toBe('PATH_BLOCKED')
    expect(await (await fetch('/status')).json()).toMatchObject({ folders: 0 })
  })

  it('is not moved with its folder, and nothing is moved to it', async () => {
    const rules = { roots: [{ path: '/', deny: ['a/*.key', 'b/*.pem'], immutable: ['c/*.lock'] }] }
    const files = { '/a/x.key': 'one', '/d/x.pem': 'two', '/e/x.lock': 'three', '/c/y.lock': '' }
    const workspace = await workspaceWith(rules, files)
    const { call } = workspace
    const move = async (from: string, to: string) =>
      codeOfReply(await call('move_file', { from, to }))
    expect(await move('/a', '/z')).toBe('PATH_BLOCKED')
    expect(await move('/d', '/b')).toBe('PATH_BLOCKED')
    expect(await move('/c', '/z')).toBe('PATH_IMMUTABLE')
    expect(await move('/e', '/c/sub')).toBe(undefined)
    expect(await textAt(workspace, '/c/sub/x.lock')).toBe('three')
    for (const [path, text] of Object.entries({ '/a/x.key': 'one', '/d/x.pem': 'two' }))
      expect(await textAt(workspace, path)).toBe(text)
  })
})

describe('an immutable path', () => {
  it('is not created by moving a folder, nor as a parent folder', async () => {
    const rules = { roots: [{ path: '/', immutable: ['c/*.lock', 'fixed'] }] }
    const { call, fetch } = await workspaceWith(rules, { '/e/x.lock': 'three' })
    expect(codeOfReply(await call('move_file', { from: '/e', to: '/c' }))).toBe('PATH_IMMUTABLE')
    const written = await call('write_file', { path: '/fixed/x', content: '' })
    expect(codeOfReply(written)).toBe('PATH_IMMUTABLE')
    expect(await (await fetch('/status')).json()).toMatchObject({ folders: 1 })
  })

  it('permits writes into an existing folder', async () => {
    const rules = { roots: [{ path: '/', immutable: ['fixed'] }] }
    const { call } = await workspaceWith(rules, { '/fixed/a': 'one' })
    expect(codeOfReply(await call('write_file', { path: '/fixed/x', content: '' }))).toBe(undefined)
  })
})

describe('a root', () => {
  it('is not deleted or moved with the folder above it', async () => {
    const rules = { roots: [{ path: '/' }, { path: '/a/b' }] }
    const workspace = await workspaceWith(rules, { '/a/b/x': 'one' })
    const { call } = workspace
    expect(codeOfReply(await call('delete_file', { path: '/a' }))).toBe('DELETE_ROOT_DENIED')
    expect(codeOfReply(await call('move_file', { from: '/a', to: '/z' }))).toBe('MOVE_ROOT_DENIED')
    expect(await textAt(workspace, '/a/b/x')).toBe('one')
  })

  it.each([
    ['goes by undoing its creation', null, 404],
    ['is not deleted by undoing its creation if something else is in it', '/a/b/y', 200],
  ])('%s', async (_, other, status) => {
    const workspace = await workspaceWith({}, {})
    const made = await workspace.call('write_file', { path: '/a/b/x', content: 'one' })
    const { id } = JSON.parse(wholeOf(made.result?._meta['dev.edgewise/change']))
    const body = JSON.stringify({ roots: [{ path: '/' }, { path: '/a/b' }] })
    await (await workspace.fetch('/config', { method: 'PUT', body })).text()
    if (other !== null) await workspace.put(other, 'two')
    expect(codeOfReply(await workspace.call('undo_change', { id }))).toBeUndefined()
    expect(await textAt(workspace, '/a/b/x')).not.toBe('one')
    const exported = await workspace.fetch('/export?from=/a/b')
    await exported.body?.cancel()
    expect(exported.status).toBe(status)
  })
})

describe('a write without the read scope', () => {
  const FILES = { '/box/letter': 'canary line\n', '/open/x': '' }
  const EDIT = { path: '/box/letter', edits: [{ find: 'canary lime', replace: '' }] }

  it.each(['token', 'link'])(
    'shows nothing of the content that it overwrites: %s',
    async (kind) => {
      const workspace = await workspaceWith({}, FILES)
      const scopes = ['write:file:/box', 'read:file:/open', 'write:file:/open']
      const agent =
        kind === 'token'
          ? await clientOf(workspace, scopes)
          : modern((await linkOf(workspace, { scopes })).client)
      const call = (name: string, args: object, meta = {}) =>
        agent.ask('tools/call', { name, arguments: args }, meta)
      const answers = [
        await call('edit_file', EDIT),
        await call('move_file', { from: '/box/letter', to: '/open/letter' }),
        await call('move_file', { from: '/box', to: '/open/box' }),
        await call('write_file', { path: '/box/letter', content: '', if_version: 7 }),
        await call('write_file', { path: '/box/letter', content: '', mode: 'append' }),
        await call('restore_file', { path: '/box/letter', version: 1 }),
        await call('write_file', { path: '/box/letter', content: '' }, { preview: true }),
        await call('delete_file', { path: '/box' }, { preview: true }),
      ]
      for (const { body } of answers)
        expect(wholeOf(body)).not.toMatch(/canary|"version":1|12 bytes/)
      for (const { status, body } of answers.slice(0, 6)) {
        if (kind === 'token') expect(status).toBe(403)
        else expect(codeOfReply(body)).toBe('INSUFFICIENT_SCOPE')
      }
      expect(await textAt(workspace, '/box/letter')).toBe('canary line\n')
    },
  )

  it('granted for one call shows nothing either', async () => {
    const workspace = await workspaceWith({}, FILES)
    const agent = modern(workspace, { roots: [{ path: '/open' }] })
    const meta = { granted_scopes: 'write:file:/box' }
    const call = (name: string, args: object, more = {}) =>
      agent.ask('tools/call', { name, arguments: args }, { ...meta, ...more })
    const answers = [
      await call('edit_file', EDIT),
      await call('move_file', { from: '/box/letter', to: '/open/letter' }),
      await call('move_file', { from: '/box', to: '/open/box' }),
      await call('write_file', { path: '/box/letter', content: '' }, { preview: true }),
    ]
    for (const { body } of answers) expect(wholeOf(body)).not.toMatch(/canary|12 bytes/)
    for (const { body } of answers.slice(0, 3)) expect(codeOfReply(body)).toBe('PATH_OUTSIDE_ROOT')
    expect(await textAt(workspace, '/box/letter')).toBe('canary line\n')
  })
})

it('a folder is not moved to where a file in it, which is hidden now, could be read', async () => {
  const workspace = await workspaceWith({}, { '/in/a': 'one', '/in/vault/b': 'canary' })
  const move = { from: '/in', to: '/out' }
  const meta = { denied_scopes: ['read:file:/in/vault'] }
  const reply = await workspace.call('move_file', move, meta)
  expect(codeOfReply(reply)).toBe('PATH_BLOCKED')
  expect(await textAt(workspace, '/in/vault/b')).toBe('canary')
  const both = { denied_scopes: ['read:file:/in/vault', 'read:file:/out'] }
  expect(codeOfReply(await workspace.call('move_file', move, both))).toBeUndefined()
})

describe('a move from an unreadable path', () => {
  it('is refused with the same response whether the path exists or not', async () => {
    const rules = { roots: [{ path: '/', deny: ['hidden/**'] }] }
    const scopes = ['write:file:/box', 'read:file:/open', 'write:file:/open']
    const answers = await Promise.all(
      [{ '/hidden/x': 'one', '/box/x': 'two', '/open/a': '' }, { '/open/a': '' }].map(
        async (files) => {
          const workspace = await workspaceWith(rules, files)
          const { client } = await linkOf(workspace, { scopes })
          return [
            await workspace.call('move_file', { from: '/hidden/x', to: '/open/x' }),
            await client.call('move_file', { from: '/box/x', to: '/open/x' }),
            await client.call('move_file', { from: '/elsewhere/x', to: '/open/x' }),
            await client.call('move_file', { from: '/open/a', to: '/hidden/x' }),
          ].map(({ result }) => wholeOf([result?.isError, result?.content]))
        },
      ),
    )
    expect(answers[0]).toEqual(answers[1])
    for (const text of answers[0] ?? []) expect(text).toMatch(/^\[true/)
  })
})
