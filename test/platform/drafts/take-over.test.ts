/** Streams of connections: an open one keeps the draft, and notifications reach the connection that has it now. */

import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordOf } from '#core/json.ts'
import { DRAFT_URI } from '#core/wire.ts'
import { MAX_SILENT_SECONDS } from '#worker/drafts/limits.ts'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { connect, fallSilent, pass, reviewed } from '../../support/worker/connections.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { listen } from '../../support/worker/listen.ts'
import { stubOf } from '../../support/worker/object-life.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const UPDATED = { method: 'notifications/resources/updated', params: { uri: DRAFT_URI } }

async function withDraft() {
  const { workspace, owner } = await reviewed({ '/b': 'old' })
  const { client: link } = await ownerLinkOf(workspace, { ttl_seconds: 86_400 })
  const old = await connect(link)
  await old.write('/a', 'proposed')
  return { workspace, owner, link, old }
}

it('an open stream keeps the draft, also after an eviction, and for a while after it was closed', async () => {
  const { workspace, link, old } = await withDraft()
  const events = await old.stream()
  const next = await connect(link)
  for (const evict of [false, true]) {
    if (evict) await evictDurableObject(stubOf(workspace))
    pass(MAX_SILENT_SECONDS * 10)
    expect(await next.read('/a')).not.toContain('proposed')
  }
  await events.cancel()
  await vi.waitFor(() => runInDurableObject(stubOf(workspace), isWithoutStream), 10_000)
  expect(await next.read('/a')).not.toContain('proposed')
  fallSilent()
  expect(await next.read('/a')).toContain('proposed')
})

const isWithoutStream = (_: unknown, state: DurableObjectState) =>
  expect(state.getWebSockets()).toEqual([])

it('notifications reach the connection that has the draft now', async () => {
  const { link, old, owner } = await withDraft()
  await old.request('resources/subscribe', { uri: DRAFT_URI })
  const next = await connect(link)
  await next.request('resources/subscribe', { uri: DRAFT_URI })
  const events = await next.stream()
  fallSilent()
  await next.read('/b')
  expect(await events.next()).toMatchObject(UPDATED)
  const olds = await old.stream()
  await owner.decide('turn-down')
  const seen = [await events.next(), await events.next()].map((one) => recordOf(one)['method'])
  expect(seen).toContain(UPDATED.method)
  await old.write('/c')
  // The first that the old one hears of is its own new draft.
  expect(await olds.next()).toMatchObject(UPDATED)
  for (const each of [events, olds]) await each.cancel()
})

it('a stream of the modern era hears of the draft of its own name', async () => {
  const { workspace } = await reviewed()
  const wanted = { resourceSubscriptions: [DRAFT_URI] }
  const [mine, other] = [
    readEvents(await listen(workspace, wanted)),
    readEvents(await listen(workspace, wanted, 8, 'other')),
  ]
  for (const each of [mine, other]) await each.next()
  await workspace.call('write_file', { path: '/a', content: 'x' })
  expect(await mine.next()).toMatchObject(UPDATED)
  const named = { 'io.modelcontextprotocol/clientInfo': { name: 'other', version: '1' } }
  await workspace.call('write_file', { path: '/a', content: 'y' }, named)
  expect(await other.next()).toMatchObject(UPDATED)
  for (const each of [mine, other]) await each.cancel()
})
