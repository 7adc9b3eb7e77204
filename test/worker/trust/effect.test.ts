/** What trust lets pass: levels, layers, paths and kinds. */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { connect } from '../../support/worker/connections.ts'
import { amendTo } from '../../support/worker/draft-tools.ts'
import { listOf } from '../../support/worker/held-draft.ts'
import { auditOf } from '../../support/worker/passkeys.ts'
import {
  giveDetails,
  detailsOf,
  trust,
  waits,
  waitsToWrite,
  withConnection,
} from '../../support/worker/trust.ts'

const AT = (approval: string) => ({ roots: [{ path: '/' }, { path: '/f', approval }] })
const TEXT = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('')

it('applies, lists and records a change that passes', async () => {
  const { workspace, connection } = await withConnection()
  const id = await trust(workspace, connection)
  expect(await connection.write('/f/a')).not.toMatch(/approv|trust|draft/i)
  expect(await (await workspace.fetch('/files/f/a')).text()).toBe('x')
  const { changes } = recordOf(await (await workspace.fetch('/notices')).json())
  const until = (listOf(changes)[0] ?? {})['trust']
  expect(listOf(changes)).toMatchObject([{ tool: 'write_file', trust: expect.any(Number) }])
  expect(await auditOf(workspace, 'write_file')).toMatchObject([
    { decision: [{ kind: 'configuration' }, { kind: 'session' }, { kind: 'trust', id, until }] },
  ])
})

describe('levels', () => {
  it.each([
    ['confirm', true],
    ['review', false],
    ['notify', false],
    ['none', false],
  ])('at %s of the owner, it waits: %s', async (level, isHeld) => {
    const { workspace, connection } = await withConnection({}, { config: AT(level) })
    await trust(workspace, connection)
    expect(await waitsToWrite(connection, '/f/a')).toBe(isHeld)
  })

  it.each([
    ['the policy of a link', { policy: { approval: 'review' } }],
    [
      'a folder in the policy of a link',
      { policy: { roots: [{ path: '/f', approval: 'review' }] } },
    ],
    ['the policy of a link that demands more', { policy: { approval: 'confirm' } }],
  ])('%s still applies', async (_, link) => {
    const { workspace, connection } = await withConnection({}, { link })
    await trust(workspace, connection)
    expect(await waitsToWrite(connection, '/f/a')).toBe(true)
  })

  it('a policy of a link that demands nothing leaves it in force', async () => {
    const link = { policy: { roots: [{ path: '/f', deny: ['secret/**'] }] } }
    const { workspace, connection } = await withConnection({}, { link })
    await trust(workspace, connection)
    expect(await waitsToWrite(connection, '/f/a')).toBe(false)
  })

  it.each([
    [{ approval: 'review' }, true],
    [{ roots: [{ path: '/f', approval: 'review' }] }, true],
    [{ read_max_bytes: 100 }, false],
    [{ roots: [{ path: '/f' }] }, false],
  ])('the configuration of a client %j still applies: %s', async (configuration, isHeld) => {
    const { workspace, link } = await withConnection()
    const connection = await connect(link, { experimental: { configuration } })
    await trust(workspace, connection)
    expect(await waitsToWrite(connection, '/f/a')).toBe(isHeld)
  })

  it.each([
    [{ approval: 'review' }, true],
    [{ find_limit: 3 }, false],
  ])('the policy of a call %j still applies: %s', async (policy, isHeld) => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection)
    const args = { path: '/f/a', content: 'x' }
    expect(await waits(connection, 'write_file', args, { policy })).toBe(isHeld)
  })
})

describe('who, where and how', () => {
  it.each([
    ['/f', 'write_file', { path: '/f/a', content: 'x' }, false],
    ['/f', 'write_file', { path: '/f/deep/a', content: 'x' }, false],
    ['/f', 'write_file', { path: '/f', content: 'x' }, false],
    ['/f', 'write_file', { path: '/fa', content: 'x' }, true],
    ['/f', 'write_file', { path: '/F/a', content: 'x' }, true],
    ['/f', 'write_file', { path: '/f/../g', content: 'x' }, true],
    ['/f', 'write_file', { path: '/f/%2e%2e/g', content: 'x' }, false],
    ['/f', 'write_file', { path: '/a', content: 'x' }, true],
    ['/f', 'create_folder', { path: '/f/new' }, true],
    ['/', 'write_file', { path: '/a', content: 'x' }, false],
  ])('in %s, %s %j waits: %s', async (folder, tool, args, isHeld) => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection, { folder })
    expect(await waits(connection, tool, args)).toBe(isHeld)
  })

  it('is not for another connection of the link, nor for its children', async () => {
    const { workspace, link, connection } = await withConnection()
    await trust(workspace, connection)
    expect(await waitsToWrite(await connect(link), '/f/a')).toBe(true)
    const { result } = await connection.call('delegate', { label: 'child' })
    const { url } = recordOf(recordOf(result)['structuredContent'])
    const child = freshWorkspace(String(url))
    expect(await waitsToWrite(await connect(child), '/f/b')).toBe(true)
    const direct = await child.call('write_file', { path: '/f/c', content: 'x' })
    expect(JSON.stringify(direct)).toContain('waits for approval')
    expect(await waitsToWrite(connection, '/f/d')).toBe(false)
  })

  it('what concerns its waiting draft waits', async () => {
    const { workspace, connection } = await withConnection({ '/f/a': 'old' })
    await connection.write('/f/a', 'waits')
    await trust(workspace, connection)
    expect(await waitsToWrite(connection, '/f/a', 'newer')).toBe(true)
    expect(await waitsToWrite(connection, '/f/b')).toBe(false)
    expect(await (await workspace.fetch('/files/f/a')).text()).toBe('old')
  })

  it('a link without a connection cannot have it', async () => {
    const { workspace } = await withConnection()
    const { session } = await ownerLinkOf(workspace)
    expect(await giveDetails(workspace, detailsOf(session))).toMatchObject({
      status: 409,
      body: { code: 'TRUST_NEEDS_SESSION' },
    })
  })
})

describe('moves', () => {
  const MOVING = { tools: ['move_file'] }

  it.each([
    ['/f/a', '/f/b', false],
    ['/f/a', '/g/new', true],
    ['/g/a', '/f/c', true],
    ['/f/d', '/f/e', false],
    ['/f', '/h', true],
    ['/g', '/f/g', true],
    ['/f/s', '/f/t', true],
  ])('%s to %s waits: %s', async (from, to, isHeld) => {
    const files = { '/f/a': 'a', '/f/d/x': 'x', '/g/a': 'a', '/f/s/deep/.env': 's' }
    const { workspace, connection } = await withConnection(files)
    await trust(workspace, connection, MOVING)
    expect(await waits(connection, 'move_file', { from, to })).toBe(isHeld)
  })
})

describe('kinds', () => {
  const CASES: readonly (readonly [string, string, JsonRecord])[] = [
    ['deletion', 'delete_file', { path: '/f/a' }],
    ['deletion', 'delete_file', { path: '/f/d' }],
    ['rewrite', 'write_file', { path: '/f/long', content: 'short' }],
    ['secret', 'write_file', { path: '/f/.env', content: 'x' }],
    ['app', 'write_file', { path: '/f/AGENTS.md', content: 'x' }],
    ['app', 'write_file', { path: '/f/agents.md', content: 'x' }],
    ['app', 'write_file', { path: '/.apps/x/app.json', content: 'x' }],
    ['app', 'write_file', { path: '/.skills/x/SKILL.md', content: 'x' }],
    ['executable', 'write_file', { path: '/f/x.sh', content: 'x' }],
    ['hidden', 'write_file', { path: '/f/a', content: 'a\u202eb' }],
    ['lookalike', 'write_file', { path: '/f/\u0430pple', content: 'x' }],
  ]

  it.each(CASES)('%s of %s %j passes only where it is ticked', async (kind, tool, args) => {
    const files = { '/f/a': 'a', '/f/long': TEXT, '/f/d/x': 'x' }
    const others = ['deletion', 'rewrite', 'secret', 'app', 'executable', 'hidden', 'lookalike']
    const first = await withConnection(files)
    const without = others.filter((one) => one !== kind)
    await trust(first.workspace, first.connection, { folder: '/', tools: [tool], kinds: without })
    expect(await waits(first.connection, tool, args)).toBe(true)
    const second = await withConnection(files)
    await trust(second.workspace, second.connection, { folder: '/', tools: [tool], kinds: [kind] })
    expect(await waits(second.connection, tool, args)).toBe(false)
  })
})

it('what the owner took out of a file waits when its file is written again or moved', async () => {
  const { workspace, owner, connection } = await withConnection({ '/f/a': 'old\n' })
  const proposed = 'old\nunwanted\nwanted\n'
  await connection.write('/f/a', proposed)
  const amended = [amendTo('/f/a', proposed, 'old\nwanted\n')]
  await owner.decide('approve', { amended })
  await trust(workspace, connection, { tools: ['write_file', 'move_file'] })
  expect(await waitsToWrite(connection, '/f/b')).toBe(false)
  expect(await waitsToWrite(connection, '/f/a', proposed)).toBe(true)
  await owner.decide('turn-down')
  expect(await waits(connection, 'move_file', { from: '/f/a', to: '/f/c' })).toBe(true)
  await owner.decide('turn-down')
  await trust(workspace, connection, { kinds: ['brings_back'] })
  expect(await waitsToWrite(connection, '/f/a', proposed)).toBe(false)
})
