/** The rate limit: each client is limited by itself, and only localhost is exempt. */

import { CALLS_AT_ONCE, CALLS_PER_SECOND, MAX_SESSIONS } from '#worker/limits.ts'
import { createRateLimit } from '#worker/sessions/rate-limit.ts'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { linkOf, ownerLinkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'

const times = (count: number, work: () => number) => Array.from({ length: count }, work)

describe('a bucket', () => {
  it('permits a burst, then refills at a constant rate', () => {
    let time = 0
    const count = createRateLimit(() => time)
    expect(times(CALLS_AT_ONCE, () => count('a')).every((wait) => wait === 0)).toBe(true)
    expect(count('a')).toBe(1)
    expect(count('b')).toBe(0)
    time += 1000
    const after = times(2 * CALLS_PER_SECOND, () => count('a'))
    expect(after.filter((wait) => wait === 0)).toHaveLength(CALLS_PER_SECOND)
    time += 1_000_000
    const later = times(2 * CALLS_AT_ONCE, () => count('a'))
    expect(later.filter((wait) => wait === 0)).toHaveLength(CALLS_AT_ONCE)
  })

  it('does not refill when the clock is set back', () => {
    let time = 1_000_000
    const count = createRateLimit(() => time)
    times(CALLS_AT_ONCE, () => count('a'))
    time = 0
    expect(count('a')).toBe(1)
    time += 1000
    expect(count('a')).toBe(0)
  })

  it('exists for at most as many callers as sessions', () => {
    const count = createRateLimit(() => 0)
    times(CALLS_AT_ONCE, () => count('first'))
    for (let at = 1; at < MAX_SESSIONS; at++) count(`other ${at}`)
    expect(count('first')).toBe(1)
    count('one more')
    expect(count('first')).toBe(0)
  })
})

// A slow machine would send no more requests than the rate permits.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

/** Sends requests through a link until one is refused; directly to the object, because that is faster. */
function exhaust(owner: Workspace, { base }: Workspace): Promise<Response> {
  const secret = base.slice(base.lastIndexOf('.') + 1)
  const headers = { 'edgewise-link': secret }
  return runInDurableObject(stubOf(owner), async (workspace) => {
    for (let at = 0; at < 20 * CALLS_AT_ONCE; at++) {
      const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: '{' })
      const answer = await workspace.fetch(request)
      if (answer.status === 429) return answer
    }
    throw new Error('nothing was refused')
  })
}

describe('a link above its rate limit', () => {
  it('gets a Retry-After, as do its delegates, and no other caller does', async () => {
    const owner = freshWorkspace()
    const { client: link } = await ownerLinkOf(owner)
    const { client: other } = await ownerLinkOf(owner)
    const { client: child } = await linkOf(link)

    const refused = await exhaust(owner, link)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, message: expect.stringContaining('1 s') },
    })
    expect((await exhaust(owner, child)).status).toBe(429)
    expect((await other.send('tools/list')).status).toBe(200)
    expect((await owner.send('tools/list')).status).toBe(200)
    vi.advanceTimersByTime(1_000)
    expect((await child.send('tools/list')).status).toBe(200)
  })

  it('gets no other rate by making links, also without a session of its own', async () => {
    const owner = freshWorkspace()
    const { client: link } = await linkOf(owner)
    const { client: next } = await linkOf(owner)
    const { client: below } = await linkOf(next)
    expect((await exhaust(owner, link)).status).toBe(429)
    for (const { send } of [next, below]) expect((await send('tools/list')).status).toBe(429)
    expect((await owner.send('tools/list')).status).toBe(200)
  })
})

it('a signed-in owner is rate limited, and only localhost is not', async () => {
  const statuses = await runInDurableObject(newStub(), async (workspace) => {
    const ask = async (headers: Record<string, string>) => {
      const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: '{' })
      return (await workspace.fetch(request)).status
    }
    const all = async (headers: Record<string, string>) => {
      const found = new Set<number>()
      for (let at = 0; at < 3 * CALLS_AT_ONCE; at++) found.add(await ask(headers))
      return [...found]
    }
    return { owner: await all({ 'edgewise-principal': 'owner' }), local: await all({}) }
  })
  expect(statuses).toEqual({ owner: [400, 429], local: [400] })
})
