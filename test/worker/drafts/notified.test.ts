/** The level `notify`: a change is applied, and listed for the owner until it was seen. */

import { describe, expect, it } from 'vitest'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { createNotified, NOTIFIED_PAGE } from '#worker/drafts/notified.ts'
import { MAX_NOTIFIED } from '#worker/drafts/limits.ts'
import { ownerUrl } from '#worker/waiting-url.ts'
import { runInDurableObject } from 'cloudflare:test'
import { stubOf } from '../../support/worker/object-life.ts'
import * as z from 'zod'

const Notices = z.object({
  count: z.number(),
  dropped: z.number(),
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
    const body = JSON.stringify({ versions: [3] })
    expect(await notices(workspace, { method: 'POST', body })).toMatchObject({
      count: 1,
      changes: [{ version: 2 }],
    })
  })

  it('does not list what the owner does, and what is only previewed', async () => {
    const workspace = freshWorkspace()
    await configure(workspace, { approval: 'notify' })
    await workspace.fetch('/files/a', { method: 'PUT', body: 'a' })
    await workspace.call('write_file', { path: '/b', content: 'b' }, { preview: true })
    expect(await notices(workspace)).toEqual({ count: 0, dropped: 0, changes: [] })
  })

  it('refuses what is not a version', async () => {
    const many = Array.from({ length: NOTIFIED_PAGE + 1 }, () => 1)
    for (const body of ['{}', '{"version":1}', JSON.stringify({ versions: many })]) {
      const response = await freshWorkspace().fetch('/notices', { method: 'POST', body })
      expect(response.status).toBe(400)
    }
  })
})

it('MAX_NOTIFIED changes are listed, and the oldest are dropped', async () => {
  const workspace = freshWorkspace()
  await workspace.fetch('/status')
  await runInDurableObject(stubOf(workspace), (_, { storage }) => {
    const notified = createNotified(storage.sql, { listChanges: () => [] })
    for (let version = 1; version <= MAX_NOTIFIED; version++) notified.add(version, 'p')
    expect(notified.list().count).toBe(MAX_NOTIFIED)
    notified.add(MAX_NOTIFIED + 1, 'p')
    expect(notified.list()).toMatchObject({ count: MAX_NOTIFIED, dropped: 1 })
    notified.seen({ versions: [1], dropped: 0 })
    expect(notified.list()).toMatchObject({ count: MAX_NOTIFIED, dropped: 1 })
    notified.seen({ versions: [2], dropped: 1 })
    expect(notified.list()).toMatchObject({ count: MAX_NOTIFIED - 1, dropped: 0 })
  })
})

it('a caller with many changes drops its own and not those of others', async () => {
  const workspace = freshWorkspace()
  await configure(workspace, { approval: 'notify' })
  const [quiet, busy] = [
    (await ownerLinkOf(workspace)).client,
    (await ownerLinkOf(workspace)).client,
  ]
  await quiet.call('write_file', { path: '/contract.txt', content: 'x' })
  await busy.call('write_file', { path: '/busy.txt', content: 'x' })
  const first = (await notices(workspace)).changes.map(({ version }) => version)
  expect(first).toHaveLength(2)
  await runInDurableObject(stubOf(workspace), (_, { storage }) => {
    const notified = createNotified(storage.sql, { listChanges: () => [] })
    const { budget } = storage.sql
      .exec<{ budget: string }>('SELECT budget FROM notified WHERE version = ?', Number(first[0]))
      .one()
    for (let version = 1_000; version < 2_200; version++) notified.add(version, budget)
    expect(notified.list()).toMatchObject({ count: MAX_NOTIFIED, dropped: 202 })
    const left = storage.sql.exec('SELECT version FROM notified ORDER BY version LIMIT 2').toArray()
    expect(left.map(({ version }) => version)).toEqual([first[1], 1_201])
  })
})

it.each([
  [null, 'default', '/#/waiting'],
  [null, 'notes', '/?at=/w/notes/mcp#/waiting'],
  ['https://files.example', 'default', 'https://files.example/#/waiting'],
  ['https://files.example', 'notes', 'https://files.example/?at=/w/notes/mcp#/waiting'],
])('a notice from %s about %s links to %s', (origin, workspace, url) => {
  expect(ownerUrl(origin, workspace)).toBe(url)
})
