/** The patterns of policies: how many may restrict a request, and how many steps they may take its principal. */

import {
  JUDGING_STEPS_PER_SECOND,
  MAX_JUDGING_STEPS,
  MAX_POLICY_PATTERN_TEXT,
  MAX_POLICY_PATTERNS,
} from '#worker/access/limits.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { judgingWork } from '#core/policy.ts'
import { callerOf } from '#worker/access/caller.ts'
import { createJudging, JudgingSpent } from '#worker/access/judging.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chainOf } from '../../support/worker/access-arbitrary.ts'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import { COSTLY_NAMES, COSTLY_POLICY, costlyNames } from '../../support/worker/costly-patterns.ts'
import { stubOf } from '../../support/worker/object-life.ts'

/** A policy that denies patterns, of which `delegate` takes 50 in one list. */
const denying = (...patterns: string[]) => {
  const lists = Array.from({ length: Math.ceil(patterns.length / 50) }, (_, list) =>
    patterns.slice(list * 50, (list + 1) * 50),
  )
  return { roots: lists.map((deny) => ({ path: '/', deny })) }
}

const patterns = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)

/** A policy with a number of patterns, and one with a number of characters. */
const COUNTED = {
  MAX_POLICY_PATTERNS: (over: number) => denying(...patterns(MAX_POLICY_PATTERNS + over)),
  MAX_POLICY_PATTERN_TEXT: (over: number) =>
    denying(...patterns(4).map(() => 'x'.repeat(MAX_POLICY_PATTERN_TEXT / 4)), ...patterns(over)),
}

describe.each(Object.entries(COUNTED))('%s', (_, policyWith) => {
  it('is the limit of the policy of a call', async () => {
    const workspace = freshWorkspace()
    const list = (policy: unknown) => workspace.call('find_files', {}, { policy })
    expect((await list(policyWith(0))).error).toBeUndefined()
    const { error } = await list(policyWith(1))
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('patterns') })
    expect(error?.message).toMatch(/it has \d+ patterns with \d+ characters. Use fewer/)
  })

  it('is the limit of a chain of links and of the call together', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace, { policy: policyWith(0) })
    expect(await client.text('find_files')).toBe('Nothing found')
    const policy = denying('one more')
    expect((await client.call('find_files', {}, { policy })).error?.code).toBe(-32602)
    expect(await client.code('delegate', { label: 'child', policy })).toBe('INVALID_POLICY')
    const inherited = await workspace.call(
      'delegate',
      { label: 'x', policy },
      { policy: policyWith(0) },
    )
    expect(errorOf(inherited.result)['code']).toBe('INVALID_POLICY')
    const { client: child } = await linkOf(client)
    expect((await child.call('find_files', {}, { policy })).error?.code).toBe(-32602)
  })

  it('is the limit of the configuration of a client', async () => {
    const experimental = (over: number) => ({ configuration: policyWith(over) })
    const list = (over: number) => {
      const meta = {
        'io.modelcontextprotocol/clientCapabilities': { experimental: experimental(over) },
      }
      return freshWorkspace().call('find_files', {}, meta)
    }
    expect((await list(0)).error).toBeUndefined()
    expect((await list(1)).error?.code).toBe(-32602)
  })

  it('ends the use of a stored link that is over it', async () => {
    const workspace = freshWorkspace()
    const { client, session } = await linkOf(workspace, { policy: policyWith(0) })
    await runInDurableObject(stubOf(workspace), (_object, { storage }) => {
      const policy = JSON.stringify(policyWith(1))
      storage.sql.exec('UPDATE sessions SET policy = ? WHERE id = ?', policy, session)
    })
    await evictDurableObject(stubOf(workspace))
    expect((await client.call('find_files')).status).toBe(401)
  })
})

it('the owner may have more patterns', async () => {
  const workspace = freshWorkspace()
  const roots = [{ path: '/', default: true, deny: patterns(MAX_POLICY_PATTERNS + 20) }]
  const body = JSON.stringify({ roots })
  expect((await workspace.fetch('/config', { method: 'PUT', body })).status).toBe(200)
  const { client } = await linkOf(workspace, { policy: denying('one more') })
  expect(await client.text('find_files')).toBe('Nothing found')
})

it('MAX_JUDGING_STEPS are there at once, and JUDGING_STEPS_PER_SECOND again each second', () => {
  let now = 0
  const judgingOf = createJudging(() => now)
  const judging = judgingOf('agent', 'calls')
  judging.spend(MAX_JUDGING_STEPS - 1)
  judging.check()
  judging.spend(1)
  expect(judging.check).toThrow(JudgingSpent)
  judgingOf('other', 'calls').check()
  judgingOf('agent', 'notifications').check()
  now = 1_000
  judging.check()
  judging.spend(JUDGING_STEPS_PER_SECOND)
  expect(judging.check).toThrow(JudgingSpent)
  now = 1_000_000
  judging.spend(MAX_JUDGING_STEPS)
  expect(judging.check).toThrow(JudgingSpent)
})

it('a path that a link hides takes no steps of the patterns of its child, by which its name could be learned', () => {
  const secrets = { roots: [{ path: '/', deny: ['**/*.secret'] }] }
  const own = {
    roots: [{ path: '/', deny: patterns(40).map((name) => `**/{*a*b*${name},*b*a*}c`) }],
  }
  const caller = callerOf(
    chainOf([
      { inherited: {}, policy: secrets },
      { inherited: {}, policy: own },
    ]),
    DEFAULT_CONFIG,
  )
  if (!caller.ok) throw new Error(caller.error)
  const { access } = caller.value
  const stepsOf = (path: string) => {
    const before = judgingWork.steps
    access.canRead(parsePath(path))
    return judgingWork.steps - before
  }
  stepsOf('/abababab.txt')
  expect(stepsOf('/babababa.txt')).toBeGreaterThan(5_000)
  expect(stepsOf('/aabbabab.secret')).toBeLessThan(1_000)
})

describe('patterns that take too many steps', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  async function costly(): Promise<Workspace> {
    const workspace = freshWorkspace()
    for (const name of costlyNames(COSTLY_NAMES)) await workspace.put(`/${name}`, 'text')
    return workspace
  }

  const OVER = { isError: true, _meta: { 'dev.edgewise/error': { code: 'OVER_BUDGET' } } }

  it('stop a listing, a search, and what follows, until the principal has steps again', async () => {
    const workspace = await costly()
    const { client } = await linkOf(workspace, { policy: COSTLY_POLICY })
    expect(await client.text('read_file', { path: costlyNames(1)[0] })).toBe('1: text')
    const listed = await client.call('find_files')
    expect(listed.result).toMatchObject(OVER)
    expect(listed.result?.content[0]?.text).toMatch(/Try again in \d+ s with a smaller folder/)
    expect((await client.call('search_files', { pattern: 'text' })).result).toMatchObject(OVER)
    expect((await client.call('write_file', { path: 'new', content: '' })).result).toMatchObject(
      OVER,
    )
    const { client: child } = await linkOf(client, {})
    expect((await child.call('find_files')).result).toMatchObject(OVER)
    expect((await client.send('resources/list')).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Try again'),
    })
    expect(await workspace.code('read_file', { path: 'new' })).toBe('FILE_NOT_FOUND')
    vi.setSystemTime(Date.now() + 60_000)
    await client.text('write_file', { path: 'new', content: '' })
  })

  it('stop a call whose own policy has them', async () => {
    const workspace = await costly()
    const meta = { policy: COSTLY_POLICY }
    expect((await workspace.call('find_files', {}, meta)).result).toMatchObject(OVER)
    expect((await workspace.call('search_files', { pattern: 'x' }, meta)).result).toMatchObject(
      OVER,
    )
    const matches = await workspace.text('find_files')
    expect(matches.split('\n')).toHaveLength(COSTLY_NAMES)
  })
})
