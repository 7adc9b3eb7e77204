/** Leases that the owner makes binding for a folder: whose changes they refuse, and whose never. */

import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '#core/json.ts'
import { errorOf } from '../../support/worker/client.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { agentOf, codeOf, twoAgents } from '../../support/worker/leasing.ts'
import { configure } from '../../support/worker/passkeys.ts'

const BINDING = { roots: [{ path: '/' }, { path: '/f', binding_leases: true }] }

async function bound(config: JsonRecord = BINDING) {
  const given = await twoAgents(['/f/a', '/f/b', '/f/sub/x', '/g/c'])
  expect((await configure(given.workspace, config)).status).toBe(200)
  return given
}

describe('a change of another agent', () => {
  it.each([
    ['write_file', { path: '/f/a', content: 'x' }],
    ['write_file', { path: '/f/new', content: 'x' }],
    ['edit_file', { path: '/f/a', edits: [{ find: 'one', replace: 'two' }] }],
    ['delete_file', { path: '/f/a' }],
    ['delete_file', { path: '/f/sub' }],
    ['move_file', { from: '/f/a', to: '/g/a' }],
    ['move_file', { from: '/g/c', to: '/f/c' }],
    ['copy_file', { from: '/g/c', to: '/f/c' }],
    ['create_folder', { path: '/f/d' }],
  ])('is refused: %s %j', async (name, args) => {
    const { workspace, one, two } = await bound()
    await one.lease(['/f'])
    const { result } = await two.call(name, args)
    expect(errorOf(result)['code']).toBe('LEASED')
    expect(
      errorOf(await two.call(name, args, { preview: true }).then((answer) => answer.result)),
    ).toMatchObject({ code: 'LEASED' })
    expect(await workspace.text('read_file', { path: '/f/a' })).toContain('one')
    expect((await one.call(name, args)).result?.isError).toBeUndefined()
  })

  it('is refused where something in the folder is leased that goes with it', async () => {
    const { one, two } = await bound()
    await one.lease(['/f/sub/x'])
    expect(codeOf(await two.call('delete_file', { path: '/f/sub' }))).toBe('LEASED')
    expect(codeOf(await two.call('move_file', { from: '/f/sub', to: '/g/sub' }))).toBe('LEASED')
    expect(codeOf(await two.call('delete_file', { path: '/f/b' }))).toBeUndefined()
  })

  it('is refused where a draft would have it, too', async () => {
    const { one, two } = await bound()
    await one.lease(['/f'])
    const review = { policy: { approval: 'review' } }
    const answer = await two.call('write_file', { path: '/f/a', content: 'x' }, review)
    expect(codeOf(answer)).toBe('LEASED')
  })

  it('is refused over HTTP with 423, by a link', async () => {
    const { one, two } = await bound()
    await one.lease(['/f'])
    const put = await two.fetch('/files/f/a', { method: 'PUT', body: 'x' })
    expect([put.status, await put.json()]).toMatchObject([423, { code: 'LEASED' }])
    const removed = await two.fetch('/files/f/a', { method: 'DELETE' })
    expect(removed.status).toBe(423)
  })

  it('is applied elsewhere, and once the lease has ended', async () => {
    const { one, two } = await bound()
    await one.lease(['/f', '/g'])
    expect(codeOf(await two.call('write_file', { path: '/g/c', content: 'x' }))).toBeUndefined()
    await one.lease(['/f'], { ttl_seconds: 0 })
    expect(codeOf(await two.call('write_file', { path: '/f/a', content: 'x' }))).toBeUndefined()
  })

  it('is applied where leases are advice, which they are without the rule', async () => {
    const { one, two } = await bound({ roots: [{ path: '/' }] })
    await one.lease(['/f'])
    expect(codeOf(await two.call('write_file', { path: '/f/a', content: 'x' }))).toBeUndefined()
  })

  it('cannot be let through by a configuration or a policy of its own', async () => {
    const { workspace, one } = await bound()
    await one.lease(['/f'])
    const policy = { roots: [{ path: '/f', binding_leases: false }] }
    const two = await agentOf(workspace, 'three')
    const answer = await two.call('write_file', { path: '/f/a', content: 'x' }, { policy })
    expect(answer.error?.message ?? '').toContain('policy roots must not include binding_leases')
  })
})

describe('the owner', () => {
  it('writes what is leased', async () => {
    const { workspace, one } = await bound()
    await one.lease(['/f'])
    const put = await workspace.fetch('/files/f/a', { method: 'PUT', body: 'mine' })
    expect(put.status).toBe(200)
    expect((await workspace.fetch('/files/f/b', { method: 'DELETE' })).status).toBe(204)
  })

  it('approves a draft on what was leased since', async () => {
    const { workspace, one, two } = await bound()
    const review = { policy: { approval: 'review' } }
    const args = { path: '/f/a', content: 'two' }
    const { result } = await two.call('write_file', args, review)
    expect(result?.isError).toBeUndefined()
    await one.lease(['/f'])
    await ownerOf(workspace).decide('approve')
    expect(await workspace.text('read_file', { path: '/f/a' })).toContain('two')
  })
})
