/** Requests for the feed that wait: until a change that they see, and no longer than they may. */

import { MAX_FEED_WAITING } from '#worker/api/limits.ts'
import { createWaiting } from '#worker/api/waiting.ts'
import { describe, expect, it, vi } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readFeed } from '../../support/e2e/feed.ts'

const LONG = 'wait=40'

/** Lets a request arrive that nothing announces. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 30))

/** Whether a response is still awaited after a while. */
async function isWaiting(coming: Promise<unknown>): Promise<boolean> {
  const late = Symbol('late')
  const first = await Promise.race([coming, soon().then(() => late)])
  return first === late
}

describe('a request that waits', () => {
  it('is answered at once if there are changes already', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    expect((await readFeed(workspace, LONG)).changes).toHaveLength(1)
  })

  it('is answered with the next change', async () => {
    const workspace = freshWorkspace()
    const coming = readFeed(workspace, LONG)
    expect(await isWaiting(coming)).toBe(true)
    await workspace.put('/a', 'one')
    expect(await coming).toMatchObject({ next: 1, changes: [{ version: 1 }] })
  })

  it('is answered without a change when its time is over', async () => {
    const began = Date.now()
    const feed = await readFeed(freshWorkspace(), 'wait=0.2')
    expect(feed.changes).toEqual([])
    expect(Date.now() - began).toBeGreaterThanOrEqual(190)
  })

  it('is not answered because of a change that it does not see', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/in'] })
    const { version } = await readFeed(workspace, '')
    const inFolder = readFeed(workspace, `${LONG}&after=${version}&path=/in`)
    const byLink = readFeed(client, `${LONG}&after=${version}`)
    await soon()
    await workspace.put('/out/a', 'one')
    expect(await isWaiting(Promise.race([inFolder, byLink]))).toBe(true)
    await workspace.put('/in/a', 'one')
    const expected = { next: version + 2, changes: [{ version: version + 2 }] }
    expect(await Promise.all([inFolder, byLink])).toMatchObject([expected, expected])
  })

  it('is answered when a change that waits was approved, and when one was turned down', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace)
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const { version } = await readFeed(workspace, '')
    await client.fetch('/files/a', { method: 'PUT', body: 'one' })
    const first = readFeed(client, `${LONG}&after=${version}`)
    expect(await isWaiting(first)).toBe(true)
    await owner.decide('turn-down')
    expect((await first).decided).toMatchObject([{ outcome: 'turned_down' }])
    await client.fetch('/files/a', { method: 'PUT', body: 'one' })
    const second = readFeed(client, `${LONG}&after=${(await first).next}`)
    expect(await isWaiting(second)).toBe(true)
    await owner.decide('approve')
    expect((await second).changes).toMatchObject([{ files: [{ path: '/a' }] }])
  })

  it('is refused when its link is revoked', async () => {
    const workspace = freshWorkspace()
    const { client, session } = await linkOf(workspace)
    const coming = client.fetch(`/changes?${LONG}&after=1`)
    expect(await isWaiting(coming)).toBe(true)
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    expect((await coming).status).toBe(401)
  })

  it('follows new rules', async () => {
    const workspace = freshWorkspace()
    const { client } = await ownerLinkOf(workspace, { scopes: ['read:file:/in'] })
    const { version } = await readFeed(client, '')
    const coming = client.fetch(`/changes?${LONG}&after=${version}`)
    expect(await isWaiting(coming)).toBe(true)
    const body = JSON.stringify({ roots: [{ path: '/', deny: ['in/**'] }] })
    await workspace.fetch('/config', { method: 'PUT', body })
    expect(Object(await (await coming).json()).changes ?? []).toEqual([])
  })
})

describe('places to wait', () => {
  it('are so many for one principal, and given back', async () => {
    const workspace = freshWorkspace()
    const { client } = await ownerLinkOf(workspace)
    const { version } = await readFeed(workspace, '')
    const waiting = Array.from({ length: MAX_FEED_WAITING }, () =>
      readFeed(client, `${LONG}&after=${version}`),
    )
    await soon()
    const refused = await client.fetch(`/changes?${LONG}&after=${version}`)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_WAITING' })
    const other = readFeed(workspace, `${LONG}&after=${version}`)
    expect(await isWaiting(other)).toBe(true)
    await workspace.put('/a', 'one')
    expect(await Promise.all([...waiting, other])).toHaveLength(MAX_FEED_WAITING + 1)
    expect(await readFeed(client, `wait=0.01&after=${version + 1}`)).toMatchObject({ changes: [] })
  })

  it('end when the client is gone', async () => {
    const place = createWaiting().enter('one')
    const gone = new AbortController()
    const coming = place?.next(60_000, gone.signal)
    gone.abort()
    await coming
    await place?.next(60_000, gone.signal)
    place?.leave()
  })

  it('end when their time is over, and leave nothing behind', async () => {
    vi.useFakeTimers()
    const waiting = createWaiting()
    const place = waiting.enter('one')
    const coming = place?.next(1_000, new AbortController().signal)
    vi.advanceTimersByTime(1_000)
    vi.useRealTimers()
    await coming
    waiting.wake()
    place?.leave()
    for (let at = 0; at < MAX_FEED_WAITING; at++) expect(waiting.enter('one')).not.toBeNull()
    expect(waiting.enter('one')).toBeNull()
  })
})
