/** The feed as a stream of events: what a reader gets, from where it goes on, and when the stream ends. */

import { createWaiting } from '#worker/api/waiting.ts'
import { FEED_KEEP_ALIVE_MS, MAX_FEED_STREAM_MS, MAX_FEED_WAITING } from '#worker/api/limits.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

afterEach(() => void vi.useRealTimers())

interface Fetcher {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
}

const STREAM = { accept: 'text/event-stream' }

/** Opens a stream, whose events are read one by one. */
async function open(workspace: Fetcher, query = '', headers: Record<string, string> = {}) {
  const response = await workspace.fetch(`/changes${query}`, { headers: { ...STREAM, ...headers } })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  /** Reads until a text was sent; what comes after it is kept. */
  const until = async (wanted: string): Promise<string> => {
    while (!text.includes(wanted)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) throw new Error(`The stream has ended: ${text}`)
      text += value
    }
    const end = text.indexOf(wanted) + wanted.length
    const read = text.slice(0, end)
    text = text.slice(end)
    return read
  }
  const rest = async (): Promise<string> => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return text
      text += value
    }
  }
  return { until, rest, close: async () => reader?.cancel() }
}

describe('a stream of changes', () => {
  it('has each change with its version as the id, as they happen', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    const stream = await open(workspace)
    const first = await stream.until('id: 1\n\n')
    expect(first).toMatch(/^retry: 1000\n\nevent: change\nid: 1\ndata: \{.*"path":"\/a".*\}\n\n/)
    await workspace.put('/b', 'two')
    const second = await stream.until('id: 2\n\n')
    expect(second).toContain('"path":"/b"')
    await stream.close()
  })

  it('goes on after the last event that the client names', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'one')
    await workspace.put('/b', 'two')
    const stream = await open(workspace, '?after=0', { 'last-event-id': '1' })
    const events = await stream.until('id: 2\n\n')
    expect(events).not.toContain('"path":"/a"')
    expect(events).toContain('"path":"/b"')
    await stream.close()
    const { status } = await workspace.fetch('/changes', {
      headers: { ...STREAM, 'last-event-id': 'x' },
    })
    expect(status).toBe(400)
  })

  it('has what a link may read, and no change of anything else', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/in'] })
    const stream = await open(client)
    await workspace.put('/out/secret', 'one')
    await workspace.put('/in/a', 'one')
    const events = await stream.until('"path":"/in/a"')
    expect(events).not.toContain('secret')
    await stream.close()
  })

  it('sends nothing for a change that its link does not see', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/in'] })
    const stream = await open(client)
    await stream.until('retry: 1000\n\n')
    expect(await stream.until('\n\n')).toMatch(/^id: \d+\n\n$/)
    for (const path of ['/out/a', '/out/b', '/out/c', '/in/a']) await workspace.put(path, 'one')
    expect(await stream.until('"path":"/in/a"')).toMatch(/^event: change\n/)
    await stream.close()
  })

  it('has each decision on a draft of its link once', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace)
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const stream = await open(client)
    await client.fetch('/files/a', { method: 'PUT', body: 'one' })
    await owner.decide('turn-down')
    const events = await stream.until('"outcome":"turned_down"')
    await workspace.put('/b', 'two')
    const later = await stream.until('"path":"/b"')
    expect(`${events}${later}`.match(/event: decided/g)).toHaveLength(1)
    await stream.close()
  })

  it('ends when its link is revoked', async () => {
    const workspace = freshWorkspace()
    const { client, session } = await linkOf(workspace)
    const stream = await open(client)
    await stream.until('\n\n')
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    await workspace.put('/a', 'one')
    expect(await stream.rest()).not.toContain('"path":"/a"')
  })

  it('ends when the rules change, before it has what they hide', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace)
    const stream = await open(client)
    await stream.until('\n\n')
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ roots: [{ path: '/', deny: ['private/**'] }] })
    expect((await workspace.fetch('/config', { method: 'PUT', headers, body })).ok).toBe(true)
    await workspace.put('/private/a', 'one')
    expect(await stream.rest()).not.toContain('private')
  })

  it('ends after its time, and says something before a proxy takes it for dead', async () => {
    vi.useFakeTimers()
    const stream = await open(freshWorkspace())
    await stream.until('id: 0\n\n')
    await vi.advanceTimersByTimeAsync(FEED_KEEP_ALIVE_MS)
    await stream.until('id: 0\n\n')
    const rest = stream.rest()
    await vi.advanceTimersByTimeAsync(MAX_FEED_STREAM_MS)
    expect(await rest).toContain('id: 0\n\n')
  })
})

it('streams take the places of requests that wait, and give them back', async () => {
  const workspace = freshWorkspace()
  const streams = await Promise.all(Array.from({ length: MAX_FEED_WAITING }, () => open(workspace)))
  const refused = await workspace.fetch('/changes', { headers: STREAM })
  expect(refused.status).toBe(429)
  await Promise.all(streams.map(({ close }) => close()))
  const again = await open(workspace)
  await again.until('\n\n')
  await again.close()
})

it('a place misses nothing that happens before it waits', async () => {
  const waiting = createWaiting()
  const place = waiting.enter('a')
  if (!place) throw new Error('Expected a place')
  const { signal } = new AbortController()
  const next = async () => {
    await place.next(FEED_KEEP_ALIVE_MS, signal)
    return 'woken'
  }
  const soon = async () => {
    await new Promise((resolve) => setTimeout(resolve, 10))
    return 'waits'
  }
  waiting.wake()
  expect(await Promise.race([next(), soon()])).toBe('woken')
  const later = next()
  expect(await Promise.race([later, soon()])).toBe('waits')
  waiting.wake()
  expect(await later).toBe('woken')
  place.leave()
})
