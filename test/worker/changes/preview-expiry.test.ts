/** The lifetime of a preview: the alarm deletes it, also from an object that has slept since. */

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import { holdAlarm, stubOf } from '../../support/worker/object-life.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const TTL_SECONDS = 60

async function withTtl(): Promise<Workspace> {
  const workspace = freshWorkspace()
  await holdAlarm(stubOf(workspace))
  const body = JSON.stringify({ preview_ttl_seconds: TTL_SECONDS })
  expect((await workspace.fetch('/config', { method: 'PUT', body })).status).toBe(200)
  return workspace
}

const preview = (workspace: Workspace) =>
  workspace.call('write_file', { path: 'a', content: 'secret' }, { preview: true })

const stored = (workspace: Workspace) =>
  runInDurableObject(stubOf(workspace), async (_, { storage }) => ({
    previews: storage.sql.exec('SELECT id FROM previews').toArray().length,
    alarm: await storage.getAlarm(),
  }))

/** Runs the alarm some seconds later. */
async function alarmAfter(workspace: Workspace, seconds: number): Promise<void> {
  const later = Date.now() + seconds * 1000
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
  await runDurableObjectAlarm(stubOf(workspace))
  clock.mockRestore()
}

it.each([
  ['awake', async () => {}],
  ['evicted', (workspace: Workspace) => evictDurableObject(stubOf(workspace))],
])('a preview of an object that is %s is deleted when it expires', async (_, meanwhile) => {
  const workspace = await withTtl()
  await preview(workspace)
  await alarmAfter(workspace, 1)
  const { previews, alarm } = await stored(workspace)
  expect(previews).toBe(1)
  expect(alarm).toBeGreaterThan(Date.now())
  expect(alarm).toBeLessThanOrEqual(Date.now() + TTL_SECONDS * 1000)
  await meanwhile(workspace)
  await alarmAfter(workspace, TTL_SECONDS + 1)
  expect(await stored(workspace)).toEqual({ previews: 0, alarm: null })
})

it('an expired preview is not applied, also before the alarm has deleted it', async () => {
  const workspace = await withTtl()
  const { result } = await preview(workspace)
  const { id } = Object(result?._meta['dev.edgewise/change'])
  const apply = () =>
    workspace.call(
      'write_file',
      { path: 'a', content: 'secret' },
      { 'dev.edgewise/preview': String(id) },
    )
  const later = Date.now() + (TTL_SECONDS + 1) * 1000
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
  const late = await apply()
  clock.mockRestore()
  expect((await stored(workspace)).previews).toBe(1)
  expect(errorOf(late.result)['code']).toBe('PREVIEW_STALE')
  expect((await apply()).result?.isError).toBeUndefined()
})

it('a preview that was made later is deleted later', async () => {
  const workspace = await withTtl()
  await preview(workspace)
  await alarmAfter(workspace, TTL_SECONDS / 2)
  const later = Date.now() + (TTL_SECONDS / 2) * 1000
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => later)
  await preview(workspace)
  clock.mockRestore()
  await alarmAfter(workspace, TTL_SECONDS + 1)
  expect(await stored(workspace)).toMatchObject({ previews: 1 })
  await alarmAfter(workspace, 2 * TTL_SECONDS)
  expect(await stored(workspace)).toEqual({ previews: 0, alarm: null })
})
