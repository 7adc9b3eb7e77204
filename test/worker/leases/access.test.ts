/** Who may lease what, and who learns of which lease: never of one by a path that is hidden from the caller. */

import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '#core/json.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { agentOf, codeOf, twoAgents, usesIn } from '../../support/worker/leasing.ts'
import { configure } from '../../support/worker/passkeys.ts'

const scoped = (...scopes: string[]) => ({ scopes })
const under = (policy: JsonRecord) => ({ policy })

describe('who may lease', () => {
  it.each<[string, JsonRecord, string, string | undefined]>([
    ['everything', {}, '/', undefined],
    ['everything', {}, '/new', undefined],
    ['a file in a scope', scoped('read', 'write:file:/f'), '/f/a', undefined],
    ['a folder of a scope', scoped('read', 'write:file:/f'), '/f', undefined],
    ['a folder above a scope', scoped('read', 'write:file:/f'), '/', 'INSUFFICIENT_SCOPE'],
    ['what may only be read', scoped('read'), '/f/a', 'INSUFFICIENT_SCOPE'],
    ['what may only be written', scoped('write:file:/f'), '/f/a', undefined],
    ['nothing while nothing may change', under({ read_only: true }), '/f/a', 'READ_ONLY'],
    [
      'what is immutable',
      under({ roots: [{ path: '/', immutable: ['f/a'] }] }),
      '/f/a',
      'PATH_IMMUTABLE',
    ],
    ['what is denied', under({ roots: [{ path: '/', deny: ['f/a'] }] }), '/f/a', 'PATH_BLOCKED'],
    ['beside what is denied', under({ roots: [{ path: '/', deny: ['f/a'] }] }), '/f/b', undefined],
    ['a folder with it', under({ roots: [{ path: '/', deny: ['f/a'] }] }), '/f', 'LEASE_TOO_WIDE'],
    [
      'a folder with none',
      under({ roots: [{ path: '/', deny: ['f/x'] }] }),
      '/f',
      'LEASE_TOO_WIDE',
    ],
    ['a new path there', under({ roots: [{ path: '/', deny: ['**/x'] }] }), '/f/new', undefined],
  ])('%s, with %j: %s gives %s', async (_, wish, path, code) => {
    const { one } = await twoAgents(undefined, [wish])
    expect(codeOf(await one.lease([path]))).toBe(code)
  })

  it('a folder may be leased in which the rules of the owner keep something from every agent', async () => {
    const { workspace, one } = await twoAgents()
    await configure(workspace, { roots: [{ path: '/', deny: ['**/.env'], immutable: ['f/b'] }] })
    expect(codeOf(await one.lease(['/f']))).toBeUndefined()
    expect(codeOf(await one.lease(['/f/b']))).toBe('PATH_IMMUTABLE')
  })

  it('a folder may not be leased under a denial of the call', async () => {
    const { one } = await twoAgents()
    const denied = { denied_scopes: ['write:file:/f/a'] }
    expect(codeOf(await one.lease(['/f'], {}, denied))).toBe('LEASE_TOO_WIDE')
    expect(codeOf(await one.lease(['/f/b'], {}, denied))).toBeUndefined()
  })
})

describe('who learns of a lease', () => {
  const linesOf = async (
    agent: Awaited<ReturnType<typeof agentOf>>,
    name: string,
    args: JsonRecord,
  ) => usesIn((await agent.call(name, args)).result).lines

  it('a lease above the area of a caller is named by what it reads, and never by its own path', async () => {
    const { one, two } = await twoAgents(undefined, [{}, scoped('read:file:/f', 'write:file:/f')])
    await one.lease(['/'])
    const lines = await linesOf(two, 'read_file', { path: '/f/a' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^Note: \/f\/a is leased/)
    const made = await linesOf(two, 'write_file', { path: '/f/new', content: 'x' })
    expect(made[0]).toMatch(/^Note: \/f is leased/)
  })

  it('a lease on a path that is not there is named by the folder alone', async () => {
    const { one, two } = await twoAgents()
    await one.lease(['/f/not-there'])
    const lines = await linesOf(two, 'delete_file', { path: '/f' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^Note: \/f is leased/)
  })

  it('a lease on a hidden path is not named by a call on the folder above it', async () => {
    const { one, two } = await twoAgents(undefined, [
      {},
      under({ roots: [{ path: '/', deny: ['f/a'] }] }),
    ])
    await one.lease(['/f/a'])
    const { result } = await two.call('find_files', { root: '/f' })
    expect(JSON.stringify(result)).not.toContain('lease')
    expect(await linesOf(two, 'read_file', { path: '/f/b' })).toEqual([])
  })

  it('a caller that may only write learns nothing of who has leased what it writes', async () => {
    const { one, two } = await twoAgents(undefined, [{}, scoped('write:file:/f')])
    await one.lease(['/f/a'], { note: 'private' })
    expect(await linesOf(two, 'write_file', { path: '/f/a', content: 'x' })).toEqual([])
    const refused = await two.lease(['/f/a'])
    expect(codeOf(refused)).toBe('LEASED')
    expect(JSON.stringify(refused.result)).not.toContain('one')
    expect(JSON.stringify(refused.result)).not.toContain('until')
  })

  it('a draft of another on a hidden path is not named', async () => {
    const { one, two } = await twoAgents(undefined, [{}, scoped('write:file:/f')])
    await one.call('write_file', { path: '/f/a', content: 'x' }, { policy: { approval: 'review' } })
    expect(await linesOf(two, 'write_file', { path: '/f/a', content: 'y' })).toEqual([])
  })
})

it('a lease gives no access', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/f/a', 'x')
  const one = await agentOf(workspace, 'one', scoped('write:file:/f'))
  await one.lease(['/f'])
  expect(await one.code('read_file', { path: '/f/a' })).toBe('INSUFFICIENT_SCOPE')
})
