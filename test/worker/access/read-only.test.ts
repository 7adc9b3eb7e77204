/**
 * Read-only mode: however it is turned on, every changing tool refuses, nothing changes, and reading
 * still works.
 */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { modern, legacyEra, type AccessClient } from '../../support/worker/access-client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { CELLS } from '../../support/worker/access-routes.ts'
import { ownersView, createTree, type Workspace } from '../../support/worker/access-tree.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { withFaults } from '../../support/worker/faulty-storage.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'

const READ_ONLY = { read_only: true }
/** Tools without a preview; `transfer-link.test.ts`, `checkpoints.test.ts` and `reason.test.ts` cover them. */
const ACTS = new Set(['delegate', 'transfer_link', 'create_checkpoint', 'respond_to_review'])
const CHANGES = CELLS.filter(({ writes, route }) => writes === true && !ACTS.has(route))
const READ = { name: 'read_file', arguments: { path: '/docs/open-amber.md' } }

async function configure({ fetch }: Workspace, config: object): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

async function createConfigured(workspace: Workspace): Promise<Workspace> {
  await configure(workspace, READ_ONLY)
  return workspace
}

const underPolicy = (agent: AccessClient): AccessClient => ({
  ...agent,
  ask: (method, params, meta) => agent.ask(method, params, { ...meta, policy: READ_ONLY }),
})

const WAYS: [string, (workspace: Workspace) => Promise<AccessClient>][] = [
  ['the owner’s configuration', async (one) => modern(await createConfigured(one))],
  ['the owner’s configuration, legacy era', async (one) => legacyEra(await createConfigured(one))],
  [
    'the owner’s configuration, for a link',
    async (one) => modern((await linkOf(await createConfigured(one))).client),
  ],
  ['a client’s configuration', async (one) => modern(one, READ_ONLY)],
  ['a client’s configuration, legacy era', (one) => legacyEra(one, READ_ONLY)],
  ['the policy of a call', async (one) => underPolicy(modern(one))],
  ['the policy of a call, legacy era', async (one) => underPolicy(await legacyEra(one))],
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

/** A link that was made by a call with a policy, which therefore applies to the link. */
async function handedOn(workspace: Workspace): Promise<Workspace> {
  const args = { name: 'delegate', arguments: { label: 'next' } }
  const { body } = await underPolicy(modern(workspace)).ask('tools/call', args)
  const url = /http:[^"\\\s]+\/s\/[^"\\\s]+\/mcp/.exec(wholeOf(body))?.[0]
  return freshWorkspace(url)
}

describe.each(WAYS)('turned on by %s', (_, enter) => {
  it('refuses every change and every preview of one, and permits reading', async () => {
    const workspace = await createTree(() => true)
    const agent = await enter(workspace)
    const before = await ownersView(workspace)
    for (const preview of [false, true]) {
      const refused = await Promise.all(
        CHANGES.map(({ method, params }) => agent.ask(method, params, { preview })),
      )
      for (const [index, { body }] of refused.entries())
        expect(codeOfReply(body), wholeOf([CHANGES[index], body])).toMatch(/^[A-Z_]+$/)
      const codes = new Set(refused.map(({ body }) => codeOfReply(body)))
      expect(codes).toContain('READ_ONLY')
    }
    expect(await ownersView(workspace)).toBe(before)
    expect(codeOfReply((await agent.ask('tools/call', READ)).body)).toBe(undefined)
  })
})

describe('in read-only mode', () => {
  it('the tool list of a link has no tool that changes files', async () => {
    const workspace = await createTree(() => true)
    const { client } = await linkOf(workspace, { policy: READ_ONLY })
    const { body } = await modern(client).ask('tools/list', {})
    const { tools } = recordOf(body['result'])
    const names = Array.isArray(tools) ? tools.map((tool: unknown) => recordOf(tool)['name']) : []
    expect(names).toContain('read_file')
    expect(names).not.toContain('write_file')
    expect(names).not.toContain('undo_change')
  })

  it('nor has that of a workspace that is deployed so', () =>
    withFaults(
      async ({ fetch }) => {
        const { body } = await modern((init) => fetch('/mcp', init)).ask('tools/list', {})
        expect(wholeOf(body)).toContain('read_file')
        expect(wholeOf(body)).not.toContain('write_file')
      },
      { EDGEWISE_CONFIG: JSON.stringify(READ_ONLY) },
    ))

  it('only the owner can turn it off', async () => {
    const workspace = await createConfigured(await createTree(() => true))
    const off = { read_only: false }
    const call = { name: 'write_file', arguments: { path: '/docs/x', content: 'x' } }
    const byClient = await modern(workspace, off).ask('tools/call', call)
    expect(wholeOf(byClient.body)).toContain('read_only')
    const byPolicy = await modern(workspace).ask('tools/call', call, { policy: off })
    expect(wholeOf(byPolicy.body)).toContain('read_only')
    await expect(legacyEra(workspace, off)).rejects.toThrow('read_only')
    await configure(workspace, off)
    expect(codeOfReply((await modern(workspace).ask('tools/call', call)).body)).toBe(undefined)
  })

  it('the owner can still change files over HTTP', async () => {
    const workspace = await createConfigured(await createTree(() => true))
    const put = await workspace.fetch('/files/docs/mine', { method: 'PUT', body: 'mine' })
    expect([put.status, await put.text()]).toEqual([201, expect.anything()])
  })
})
