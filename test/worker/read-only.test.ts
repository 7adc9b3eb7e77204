/**
 * Read-only: however it is turned on, every tool that changes something refuses, nothing changes, and reading
 * goes on.
 */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { modern, olderEra, type Asker } from './access-asker.ts'
import { linkOf } from './attack-link.ts'
import { CELLS } from './access-routes.ts'
import { ownersView, planted, type Workspace } from './access-tree.ts'
import { freshWorkspace } from './client.ts'
import { codeOfReply, wholeOf } from './codes.ts'

const READ_ONLY = { read_only: true }
/** What makes a link has no preview; `transfer-link.test.ts` has it. */
const LINKS = new Set(['delegate', 'transfer_link'])
const CHANGES = CELLS.filter(({ writes, route }) => writes === true && !LINKS.has(route))
const READ = { name: 'read_file', arguments: { path: '/docs/open-amber.md' } }

async function configure({ fetch }: Workspace, config: object): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

async function configured(workspace: Workspace): Promise<Workspace> {
  await configure(workspace, READ_ONLY)
  return workspace
}

const underPolicy = (asker: Asker): Asker => ({
  ...asker,
  ask: (method, params, meta) => asker.ask(method, params, { ...meta, policy: READ_ONLY }),
})

const WAYS: [string, (workspace: Workspace) => Promise<Asker>][] = [
  ['the owner’s configuration', async (one) => modern(await configured(one))],
  ['the owner’s configuration, older era', async (one) => olderEra(await configured(one))],
  [
    'the owner’s configuration, for a link',
    async (one) => modern((await linkOf(await configured(one))).client),
  ],
  ['a client’s configuration', async (one) => modern(one, READ_ONLY)],
  ['a client’s configuration, older era', (one) => olderEra(one, READ_ONLY)],
  ['the policy of a call', async (one) => underPolicy(modern(one))],
  ['the policy of a call, older era', async (one) => underPolicy(await olderEra(one))],
  [
    'the policy of a link',
    async (one) => modern((await linkOf(one, { policy: READ_ONLY })).client),
  ],
  [
    'the policy of a link, for a link of it',
    async (one) => modern((await linkOf((await linkOf(one, { policy: READ_ONLY })).client)).client),
  ],
  ['a link whose maker was under a policy', async (one) => modern(await handedOn(one))],
]

/** A link that a call under a policy made: it is held to the same policy. */
async function handedOn(workspace: Workspace): Promise<Workspace> {
  const args = { name: 'delegate', arguments: { label: 'next' } }
  const { body } = await underPolicy(modern(workspace)).ask('tools/call', args)
  const url = /http:[^"\\\s]+\/s\/[^"\\\s]+\/mcp/.exec(wholeOf(body))?.[0]
  return freshWorkspace(url)
}

describe.each(WAYS)('turned on by %s', (_, enter) => {
  it('refuses every change, previews as well, and lets read', async () => {
    const workspace = await planted(() => true)
    const asker = await enter(workspace)
    const before = await ownersView(workspace)
    for (const preview of [false, true]) {
      const refused = await Promise.all(
        CHANGES.map(({ method, params }) => asker.ask(method, params, { preview })),
      )
      for (const [index, { body }] of refused.entries())
        expect(codeOfReply(body), wholeOf([CHANGES[index], body])).toMatch(/^[A-Z_]+$/)
      const codes = new Set(refused.map(({ body }) => codeOfReply(body)))
      expect(codes).toContain('READ_ONLY')
    }
    expect(await ownersView(workspace)).toBe(before)
    expect(codeOfReply((await asker.ask('tools/call', READ)).body)).toBe(undefined)
  }, 30_000)
})

describe('where it is turned on', () => {
  it('a link is offered no tool that changes files', async () => {
    const workspace = await planted(() => true)
    const { client } = await linkOf(workspace, { policy: READ_ONLY })
    const { body } = await modern(client).ask('tools/list', {})
    const { tools } = recordOf(body['result'])
    const names = Array.isArray(tools) ? tools.map((tool: unknown) => recordOf(tool)['name']) : []
    expect(names).toContain('read_file')
    expect(names).not.toContain('write_file')
    expect(names).not.toContain('undo_change')
  })

  it('nobody but the owner can turn it off', async () => {
    const workspace = await configured(await planted(() => true))
    const off = { read_only: false }
    const call = { name: 'write_file', arguments: { path: '/docs/x', content: 'x' } }
    const byClient = await modern(workspace, off).ask('tools/call', call)
    expect(wholeOf(byClient.body)).toContain('read_only must not be turned off')
    const byPolicy = await modern(workspace).ask('tools/call', call, { policy: off })
    expect(wholeOf(byPolicy.body)).toContain('read_only must not be turned off')
    await expect(olderEra(workspace, off)).rejects.toThrow('read_only')
    await configure(workspace, off)
    expect(codeOfReply((await modern(workspace).ask('tools/call', call)).body)).toBe(undefined)
  })

  it('the person still changes files by hand', async () => {
    const workspace = await configured(await planted(() => true))
    const put = await workspace.fetch('/files/docs/mine', { method: 'PUT', body: 'mine' })
    expect([put.status, await put.text()]).toEqual([201, expect.anything()])
  })
})
