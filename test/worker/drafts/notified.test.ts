/** The level `notify`: a change is applied, and listed for the owner until it was seen. */

import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { createNotified } from '#worker/drafts/notified.ts'
import { MAX_NOTIFIED } from '#worker/drafts/limits.ts'
import { ownerUrl } from '#worker/drafts/status.ts'
import { runInDurableObject } from 'cloudflare:test'
import { stubOf } from '../../support/worker/object-life.ts'
import * as z from 'zod'

const Notices = z.object({
  count: z.number(),
  changes: z.array(z.looseObject({ version: z.number(), intent: z.string() })),
})

const configure = (workspace: ReturnType<typeof freshWorkspace>, config: unknown) =>
  workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })

const notices = async (workspace: ReturnType<typeof freshWorkspace>, init: RequestInit = {}) =>
  Notices.parse(await (await workspace.fetch('/notices', init)).json())

describe('notify', () => {
  it('applies and lists the changes of its folder, until they were seen', async () => {
    const workspace = freshWorkspace()
    await configure(workspace, { roots: [{ path: '/' }, { path: '/docs', approval: 'notify' }] })
    await workspace.call('write_file', { path: '/free', content: 'x' })
    await workspace.call('write_file', { path: '/docs/a', content: 'a' })
    await workspace.call('write_file', { path: '/docs/b', content: 'b' })
    expect(await (await workspace.fetch('/files/docs/a')).text()).toBe('a')
    const listed = await notices(workspace)
    expect(listed.count).toBe(2)
    expect(listed.changes.map(({ version }) => version)).toEqual([3, 2])
    const body = JSON.stringify({ version: 2 })
    expect(await notices(workspace, { method: 'POST', body })).toMatchObject({ count: 1 })
  })

  it('does not list what the owner does, and what is only previewed', async () => {
    const workspace = freshWorkspace()
    await configure(workspace, { approval: 'notify' })
    await workspace.fetch('/files/a', { method: 'PUT', body: 'a' })
    await workspace.call('write_file', { path: '/b', content: 'b' }, { preview: true })
    expect(await notices(workspace)).toEqual({ count: 0, changes: [] })
  })

  it('refuses what is not a version', async () => {
    const response = await freshWorkspace().fetch('/notices', { method: 'POST', body: '{}' })
    expect(response.status).toBe(400)
  })
})

it('MAX_NOTIFIED changes are listed, and the oldest are dropped', async () => {
  const workspace = freshWorkspace()
  await workspace.fetch('/status')
  await runInDurableObject(stubOf(workspace), (_, { storage }) => {
    const notified = createNotified(storage.sql, { listChanges: () => [] })
    for (let version = 1; version <= MAX_NOTIFIED; version++) notified.add(version)
    expect(notified.list().count).toBe(MAX_NOTIFIED)
    notified.add(MAX_NOTIFIED + 1)
    expect(notified.list().count).toBe(MAX_NOTIFIED)
    notified.seen(1)
    expect(notified.list().count).toBe(MAX_NOTIFIED)
  })
})

it.each([
  [null, 'default', '/#/waiting'],
  ['https://files.example', 'default', 'https://files.example/#/waiting'],
  ['https://files.example', 'notes', 'https://files.example/?at=/w/notes/mcp#/waiting'],
])('a notice from %s about %s links to %s', (origin, workspace, url) => {
  expect(ownerUrl(origin, workspace)).toBe(url)
})
