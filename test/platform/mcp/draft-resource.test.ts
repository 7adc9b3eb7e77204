/** `edgewise://draft`: who sees it, and who is notified when a change joins it and when it is decided. */

import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { recordOf } from '#core/json.ts'
import { CHANGE_META, DRAFT_META, DRAFT_URI } from '#core/wire.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { listen } from '../../support/worker/listen.ts'
import { decideRequest, listRequests } from '../../support/worker/requests.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function reviewedWorkspace() {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await owner.demand('review')
  return { workspace, owner }
}

const nameOf = ({ base }: Workspace) => base.slice(base.lastIndexOf('/') + 1)

const evict = (workspace: Workspace) =>
  evictDurableObject(env.WORKSPACE.get(env.WORKSPACE.idFromName(nameOf(workspace))))

const Contents = z.looseObject({ contents: z.tuple([z.looseObject({ text: z.string() })]) })

const Resources = z.looseObject({ resources: z.array(z.looseObject({ uri: z.string() })) })

const Review = z.looseObject({ review: z.string() })

const draftIn = (result: unknown): unknown => JSON.parse(Contents.parse(result).contents[0].text)

const read = async ({ send }: Workspace) =>
  draftIn((await send('resources/read', { uri: DRAFT_URI })).result)

const uris = async ({ send }: Workspace) => {
  const { result } = await send('resources/list')
  return Resources.parse(result).resources.map(({ uri }) => uri)
}

const WRITE = { path: 'a', content: 'one' }

const UPDATED = { method: 'notifications/resources/updated', params: { uri: DRAFT_URI } }

describe('reading', () => {
  it('has the structured content of draft_status and the ids of decided changes, before and after a decision', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    expect(await read(workspace)).toEqual({ draft: null, decisions: [], requests: [] })
    const { result } = await workspace.call('write_file', WRITE)
    const [id] = await owner.drafts()
    const url = `http://localhost/?at=/w/${nameOf(workspace)}/mcp#/waiting`
    const draft = { id, state: 'open', changes: 1, url }
    expect(result?._meta[DRAFT_META]).toEqual(draft)
    expect(await read(workspace)).toEqual({ draft, decisions: [], requests: [] })
    await owner.decide('turn-down', { note: 'Not yet.' })
    const after = await read(workspace)
    const { id: change } = recordOf(result?._meta[CHANGE_META])
    const decision = { draft: id, note: 'Not yet.', ids: [change] }
    expect(after).toMatchObject({ draft: null, decisions: [decision] })
    const status = await workspace.call('draft_status')
    const { news, ...same } = recordOf(status.result?.structuredContent)
    expect(after).toMatchObject({ decisions: [decision], ...same })
    expect(news).toEqual([expect.stringContaining('Not yet.')])
  })

  it('of a change says whether it is applied, and ends when it is turned down', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    const written = async (content: string) => {
      const { result } = await workspace.call('write_file', { path: 'a', content })
      return `${Review.parse(result?._meta[CHANGE_META]).review}.json`
    }
    const facts = async (uri: string) => {
      const { result, error } = await workspace.send('resources/read', { uri })
      return result ? draftIn(result) : error?.code
    }
    const first = await written('one')
    expect(await facts(first)).toMatchObject({ applied: false, files: [{ to: '/a' }] })
    await owner.decide('approve')
    expect(await facts(first)).toMatchObject({ applied: true, files: [{ to: '/a' }] })
    const second = await written('two')
    await owner.decide('turn-down')
    expect(await facts(second)).toBe(-32602)
  })

  it('of a change that waits is a page that says so, with its link, until it is applied', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    const pageOf = async (meta: object = {}) => {
      const { result } = await workspace.call(
        'write_file',
        { path: 'a', content: 'one' },
        { ...meta },
      )
      return String(Review.parse(result?._meta[CHANGE_META]).review)
    }
    const textOf = async (uri: string) => {
      const { result } = await workspace.send('resources/read', { uri })
      return JSON.stringify(result)
    }
    expect(await textOf(await pageOf({ preview: true }))).toContain('<b>Preview</b>')
    const page = await pageOf()
    const waiting = await textOf(page)
    expect(waiting).toContain('<b>Waits for approval</b> · nothing has been changed yet')
    const [id] = await owner.drafts()
    expect(waiting).toContain(`http://localhost/?at=/w/${nameOf(workspace)}/mcp#/waiting/${id}`)
    expect(waiting).not.toContain('<b>Preview</b>')
    await owner.decide('approve')
    const applied = await textOf(page)
    expect(applied).toContain('>Applied</b>')
    expect(applied).not.toContain('Waits')
  })

  it('is of the own draft only', async () => {
    const { workspace } = await reviewedWorkspace()
    await workspace.call('write_file', WRITE)
    const other = legacyClient(workspace)
    await other.begin()
    const { result } = await other.request('resources/read', { uri: DRAFT_URI })
    expect(draftIn(result)).toEqual({ draft: null, decisions: [], requests: [] })
  })

  it('is listed for those who can change something', async () => {
    const { workspace } = await reviewedWorkspace()
    expect(await uris(workspace)).toContain(DRAFT_URI)
    await workspace.fetch('/config', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ read_only: true }),
    })
    expect(await uris(workspace)).not.toContain(DRAFT_URI)
  })
})

describe('notifications', () => {
  it('reach a stream of the modern era at each change and decision, also after an eviction', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    const events = readEvents(await listen(workspace, { resourceSubscriptions: [DRAFT_URI] }))
    expect(await events.next()).toMatchObject({
      params: { notifications: { resourceSubscriptions: [DRAFT_URI] } },
    })
    await workspace.call('write_file', WRITE)
    expect(await events.next()).toMatchObject(UPDATED)
    await evict(workspace)
    await owner.decide('approve')
    expect(await events.next()).toMatchObject(UPDATED)
    await events.cancel()
  })

  it('of a decision reach a stream once, however many changes it applies', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    await workspace.put('/a', 'zero')
    const uri = 'file:///a'
    const wanted = { resourcesListChanged: true, resourceSubscriptions: [uri, DRAFT_URI] }
    for (const content of ['one', 'two']) await workspace.call('write_file', { path: 'a', content })
    await workspace.call('write_file', { path: 'b', content: 'b' })
    await workspace.call('write_file', { path: 'c', content: 'c' })
    const events = readEvents(await listen(workspace, wanted))
    await events.next()
    await owner.decide('approve')
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    expect(await events.next()).toMatchObject({ params: { uri } })
    expect(await events.next()).toMatchObject(UPDATED)
    await events.cancel()
  })

  it('reach the session of the legacy era whose draft it is, and no other', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    const mine = legacyClient(workspace)
    const other = legacyClient(workspace)
    for (const { begin, request } of [mine, other]) {
      await begin()
      await request('resources/subscribe', { uri: DRAFT_URI })
    }
    const [events, others] = [await mine.stream(), await other.stream()]
    const modern = readEvents(await listen(workspace, { resourceSubscriptions: [DRAFT_URI] }))
    await modern.next()
    const listed = { method: 'notifications/resources/list_changed' }
    await mine.call('write_file', WRITE)
    expect(await events.next()).toMatchObject(UPDATED)
    expect(await events.next()).toMatchObject(listed)
    await owner.decide('turn-down')
    expect(await events.next()).toMatchObject(UPDATED)
    // The first notification that the others get is that of a file.
    await owner.demand('none')
    await workspace.call('write_file', WRITE)
    expect(await others.next()).toMatchObject(listed)
    await owner.demand('review')
    await workspace.call('write_file', WRITE)
    expect(await modern.next()).toMatchObject(UPDATED)
    for (const each of [events, others, modern]) await each.cancel()
  })

  it('of a decision on an access request reach a stream of who requested it', async () => {
    const { workspace } = await reviewedWorkspace()
    const rules = JSON.stringify({ roots: [{ path: '/docs' }] })
    await (await workspace.fetch('/config', { method: 'PUT', body: rules })).text()
    expect(await workspace.code('read_file', { path: '/other' })).toBe('PATH_OUTSIDE_ROOT')
    const [request] = await listRequests(workspace)
    const events = readEvents(await listen(workspace, { resourceSubscriptions: [DRAFT_URI] }))
    await events.next()
    await decideRequest(workspace, `${request?.id}/refuse`, { note: '' })
    expect(await events.next()).toMatchObject(UPDATED)
    await events.cancel()
  })

  it('of a file reach who proposes to change it, by stream and by session, and no other', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    for (const path of ['/a', '/d/a']) await workspace.put(path, 'zero')
    const [uri, below] = ['file:///a', 'file:///d/a']
    const updated = (one: string) => ({ ...UPDATED, params: { uri: one } })
    const listed = { method: 'notifications/resources/list_changed' }
    const mine = legacyClient(workspace)
    await mine.begin()
    for (const one of [uri, below]) await mine.request('resources/subscribe', { uri: one })
    const session = await mine.stream()
    const wanted = { resourcesListChanged: true, resourceSubscriptions: [uri, below] }
    const modern = readEvents(await listen(workspace, wanted))
    await modern.next()
    for (const [events, call] of [
      [session, mine.call],
      [modern, workspace.call],
    ] as const) {
      await call('write_file', WRITE)
      expect(await events.next()).toMatchObject(updated(uri))
      await owner.decide('turn-down')
      expect(await events.next()).toMatchObject(updated(uri))
      expect(await events.next()).toMatchObject(listed)
      await call('delete_file', { path: 'd' })
      expect(await events.next()).toMatchObject(updated(below))
      expect(await events.next()).toMatchObject(listed)
      await owner.decide('turn-down')
      expect(await events.next()).toMatchObject(updated(below))
      expect(await events.next()).toMatchObject(listed)
      await events.cancel()
    }
  })

  it('of a file do not reach who proposes to change it where the request may not read it', async () => {
    const { workspace } = await reviewedWorkspace()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs', 'write'] })
    const uri = 'file:///a'
    const wanted = { resourcesListChanged: true, resourceSubscriptions: [uri, DRAFT_URI] }
    const events = readEvents(await listen(client, wanted))
    await events.next()
    await client.call('write_file', WRITE)
    await client.call('write_file', { path: 'docs/b', content: '' })
    for (const expected of [UPDATED, UPDATED, { method: 'notifications/resources/list_changed' }])
      expect(await events.next()).toMatchObject(expected)
    await events.cancel()
  })

  it('end with the subscription', async () => {
    const { workspace, owner } = await reviewedWorkspace()
    const { begin, request, call, stream } = legacyClient(workspace)
    await begin()
    await request('resources/subscribe', { uri: DRAFT_URI })
    await request('resources/unsubscribe', { uri: DRAFT_URI })
    const events = await stream()
    await call('write_file', WRITE)
    await owner.decide('approve')
    expect(await events.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    await events.cancel()
  })
})
