/**
 * Entries of the rules inside other entries, and policies: a caller under a policy does not see a folder that has an entry
 * of its own, whenever the entry was added, and a policy is read against the caller's own roots.
 */

import { describe, expect, it } from 'vitest'
import { legacyEra, modern, type AccessClient } from '../../support/worker/access-client.ts'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'

const ROOT = { path: '/', default: true }
const CONTRACTS = { path: '/contracts', approval: 'review' }
const DOCS = { roots: [{ path: '/docs' }] }

async function workspaceWith(rules: object): Promise<Workspace> {
  const workspace = freshWorkspace()
  for (const path of ['/contracts/c', '/docs/d', '/other/o'])
    await workspace.put(path, `canary of ${path}`)
  await setRules(workspace, rules)
  return workspace
}

async function setRules(workspace: Workspace, rules: object): Promise<void> {
  const answer = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(rules) })
  expect(answer.status, await answer.text()).toBe(200)
}

const askTool = async (client: AccessClient, name: string, args: object, meta = {}) =>
  (await client.ask('tools/call', { name, arguments: args }, meta)).body

/** Every way to read or to change a folder, with what shows that it was closed. */
async function expectClosed(client: AccessClient, folder: string, file: string, meta = {}) {
  const path = `${folder}/${file}`
  const refused = [
    ['read_file', { path }],
    ['write_file', { path, content: 'x' }],
    ['edit_file', { path, edits: [{ find: 'canary', replace: '' }] }],
    ['delete_file', { path }],
    ['delete_file', { path: folder }],
    ['move_file', { from: path, to: '/docs/x' }],
    ['move_file', { from: '/docs/d', to: path }],
    ['copy_file', { from: path, to: '/docs/x' }],
    ['file_history', { path }],
    ['transfer_link', { path, direction: 'download' }],
  ] as const
  for (const [name, args] of refused)
    expect(codeOfReply(await askTool(client, name, args, meta)), `${name} ${path}`).toMatch(
      /^PATH_(BLOCKED|OUTSIDE_ROOT)$/,
    )
  const shown = [
    await askTool(client, 'list_roots', {}, meta),
    await askTool(client, 'find_files', { root: '/' }, meta),
    await askTool(client, 'search_files', { pattern: 'canary', root: '/' }, meta),
    await askTool(client, 'read_multiple_files', { paths: [path] }, meta),
    (await client.ask('resources/list', {}, meta)).body,
    (await client.ask('resources/read', { uri: `file://${path}` }, meta)).body,
  ]
  for (const answer of shown) expect(wholeOf(answer)).not.toContain(`canary of ${folder}`)
  for (const answer of shown.slice(0, 3)) expect(wholeOf(answer)).not.toContain(folder)
}

const expectOpen = async (client: AccessClient, path: string, meta = {}) =>
  expect(codeOfReply(await askTool(client, 'read_file', { path }, meta)), path).toBeUndefined()

describe('a folder with an entry of its own', () => {
  const RESTRICTED: [string, object][] = [
    ['another folder', DOCS],
    ['an allow list', { roots: [{ path: '/', allow: ['docs/**'] }] }],
    ['a deny list', { roots: [{ path: '/', deny: ['contracts/**', 'other/**'] }] }],
    ['a blocked folder', { roots: [{ path: '/contracts', blocked: true }] }],
  ]
  const rules = { roots: [ROOT, CONTRACTS] }

  it.each(RESTRICTED)('is closed to a link with %s', async (_, policy) => {
    const { client } = await linkOf(await workspaceWith(rules), { policy })
    await expectClosed(modern(client), '/contracts', 'c')
    await expectClosed(await legacyEra(client), '/contracts', 'c')
    const child = await linkOf(client)
    await expectClosed(modern(child.client), '/contracts', 'c')
    await expectOpen(modern(child.client), '/docs/d')
  })

  it.each(RESTRICTED)('is closed to a call with %s', async (_, policy) => {
    const workspace = await workspaceWith(rules)
    for (const client of [modern(workspace), await legacyEra(workspace)])
      await expectClosed(client, '/contracts', 'c', { policy })
    await expectOpen(modern(workspace), '/docs/d', { policy })
  })

  it('narrows a link to itself, before and after its entry was added', async () => {
    const workspace = await workspaceWith({ roots: [ROOT] })
    const policy = { roots: [{ path: '/contracts' }] }
    const first = modern((await linkOf(workspace, { policy })).client)
    await setRules(workspace, rules)
    const second = modern((await linkOf(workspace, { policy })).client)
    for (const client of [first, second]) {
      await expectClosed(client, '/other', 'o')
      await expectOpen(client, '/contracts/c')
    }
  })

  it('stays denied by the entry around it', async () => {
    const around = { ...ROOT, deny: ['contracts/**'] }
    const workspace = await workspaceWith({ roots: [around, { path: '/contracts' }] })
    await expectClosed(modern(workspace), '/contracts', 'c')
  })
})

describe('rules that get longer', () => {
  const [, ...LATER] = [ROOT, { path: '/other' }, { path: '/contracts', default: true }]
  const before = { roots: [{ path: '/docs', default: true }] }

  it('open a new root to a link without a policy, and to none with one', async () => {
    const workspace = await workspaceWith(before)
    const held = await linkOf(workspace, { policy: { approval: 'notify' } })
    const child = await linkOf(held.client)
    const free = await linkOf(workspace, { scopes: ['read', 'write'] })
    for (const roots of [
      [...LATER, ...before.roots],
      [ROOT, ...before.roots],
    ]) {
      await setRules(workspace, { roots })
      for (const { client } of [held, child]) {
        await expectClosed(modern(client), '/contracts', 'c')
        await expectClosed(await legacyEra(client), '/other', 'o')
        await expectOpen(modern(client), '/docs/d')
      }
      await expectOpen(modern(free.client), '/other/o')
    }
  })

  it('open a new root to a link whose policy is null', async () => {
    const workspace = await workspaceWith(before)
    const body = JSON.stringify({ label: 'x', policy: null })
    const made = await workspace.fetch('/sessions', { method: 'POST', body })
    const { url } = await made.json<{ url: string }>()
    await setRules(workspace, { roots: [ROOT, ...before.roots] })
    await expectOpen(modern(freshWorkspace(url)), '/other/o')
  })

  it('leave the relative paths of a policy where they were', async () => {
    const workspace = await workspaceWith({ roots: [ROOT, { path: '/other' }] })
    const policy = { roots: [{ path: 'docs' }] }
    const { client } = await linkOf(workspace, { policy })
    await workspace.put('/other/docs/x', 'canary of /other')
    await setRules(workspace, { roots: [{ path: '/' }, { path: '/other', default: true }] })
    await expectClosed(modern(client), '/other', 'docs/x')
    await expectOpen(modern(client), 'docs/d')
  })

  it('leave a link usable whose folder they do not contain any more', async () => {
    const workspace = await workspaceWith({ roots: [ROOT] })
    const { client } = await linkOf(workspace, { policy: DOCS })
    await setRules(workspace, { roots: [{ path: '/other' }] })
    await expectClosed(modern(client), '/docs', 'd')
    await setRules(workspace, { roots: [ROOT] })
    await expectOpen(modern(client), '/docs/d')
  })
})

describe('a policy in the working area of a client', () => {
  const area = { roots: [{ path: '/w', default: true }, { path: '/lib' }] }
  const ERAS = [
    ['modern', async (from: Workspace, config?: object) => modern(from, config)],
    ['legacy', (from: Workspace, config?: object) => legacyEra(from, config)],
  ] as const

  async function workspaceWithArea(): Promise<Workspace> {
    const workspace = freshWorkspace()
    for (const path of ['/w/a', '/w/b', '/w/src/s', '/lib/x.ts'])
      await workspace.put(path, `canary of ${path}`)
    return workspace
  }

  describe.each(ERAS)('of the %s era', (_, enter) => {
    it('leaves the roots that it does not list', async () => {
      const client = await enter(await workspaceWithArea(), area)
      const policy = { roots: [{ path: '/w', deny: ['b'] }] }
      for (const path of ['/w/a', 'a', '/lib/x.ts']) await expectOpen(client, path, { policy })
      const denied = await askTool(client, 'read_file', { path: '/w/b' }, { policy })
      expect(codeOfReply(denied)).toBe('PATH_BLOCKED')
    })

    it('lets the default root be listed that it narrows', async () => {
      const client = await enter(await workspaceWithArea(), area)
      const policy = { roots: [{ path: '/w/src' }] }
      for (const [name, args] of [
        ['find_files', {}],
        ['search_files', { pattern: 'canary' }],
      ] as const) {
        const answer = await askTool(client, name, args, { policy })
        expect(codeOfReply(answer), name).toBeUndefined()
        expect(wholeOf(answer)).toContain('src/s')
        expect(wholeOf(answer)).not.toMatch(/\/w\/a|"a"|canary of \/w\/b/)
      }
    })

    it('stays with the link that a call under it makes', async () => {
      const workspace = await workspaceWithArea()
      const client = await enter(workspace, area)
      const policy = { roots: [{ path: '/w/src' }] }
      const made = await askTool(client, 'delegate', { label: 'x' }, { policy })
      const url = /http:[^"\\]+\/s\/[^"\\]+\/mcp/.exec(wholeOf(made))?.[0] ?? ''
      const child = modern(freshWorkspace(url))
      await expectOpen(child, 'src/s')
      await expectOpen(child, '/lib/x.ts')
      const closed = await askTool(child, 'read_file', { path: '/w/a' })
      expect(codeOfReply(closed)).toBe('PATH_BLOCKED')
      expect(codeOfReply(await askTool(child, 'find_files', {}))).toBeUndefined()
    })

    it('switches off the access to what is outside the roots of the owner', async () => {
      const workspace = await workspaceWithArea()
      await setRules(workspace, { roots: [{ path: '/w' }], allow_escape: true })
      const client = await enter(workspace, { roots: [{ path: '/' }] })
      await expectOpen(client, '/lib/x.ts')
      const closed = await askTool(client, 'read_file', { path: '/lib/x.ts' }, { policy: {} })
      expect(codeOfReply(closed)).toBe('PATH_OUTSIDE_ROOT')
    })

    it('refuses a folder outside the area', async () => {
      const client = await enter(await workspaceWithArea(), area)
      const policy = { roots: [{ path: '/other' }] }
      const answer = await askTool(client, 'find_files', {}, { policy })
      expect(wholeOf(answer)).toContain('policy root not found: /other')
    })
  })
})
