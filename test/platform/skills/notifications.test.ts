/** Which streams learn that a skill came or went: those of callers that may read all of its files, and no others. */

import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { listen } from '../../support/worker/listen.ts'
import { approveSkill, skillText, writeSkill } from '../../support/worker/skills.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const UPDATED = 'notifications/resources/updated'

async function linkTo(workspace: Workspace, policy: unknown): Promise<Workspace> {
  const body = JSON.stringify({ label: 'guest', ttl_seconds: 600, policy })
  const made = await workspace.fetch('/sessions', { method: 'POST', body })
  return freshWorkspace((await made.json<{ url: string }>()).url)
}

const ASKED = {
  ...{ toolsListChanged: true, resourcesListChanged: true },
  resourceSubscriptions: ['file:///mark'],
}

async function watch(workspace: Workspace) {
  const events = readEvents(await listen(workspace, ASKED))
  await events.next()
  return events
}

it('tells of a skill only those who may read all of it, and of no tools', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/mark', 'text')
  const policy = { roots: [{ path: '/mark' }, { path: '/.skills', deny: ['**/hidden'] }] }
  const guest = await linkTo(workspace, policy)
  await writeSkill(workspace, 'deploy', { 'SKILL.md': skillText('deploy'), hidden: 'one' })
  const streams = [await watch(guest), await watch(workspace)]

  /** The methods that each stream has received, before the change of a file that both may read. */
  const received = async () => {
    await workspace.put('/mark', crypto.randomUUID())
    return Promise.all(
      streams.map(async (events) => {
        const methods: unknown[] = []
        let { method } = await events.next()
        for (; method !== UPDATED; { method } = await events.next()) methods.push(method)
        return methods
      }),
    )
  }
  const once = [[], ['notifications/resources/list_changed']]

  expect(await received()).toEqual([[], []])
  await approveSkill(workspace, 'deploy')
  expect(await received()).toEqual(once)
  await writeSkill(workspace, 'deploy', { hidden: 'two' })
  expect(await received()).toEqual(once)
  await writeSkill(workspace, 'deploy', { hidden: 'three' })
  expect(await received()).toEqual([[], []])
  await writeSkill(workspace, 'deploy', { hidden: 'one' })
  expect(await received()).toEqual(once)
  for (const events of streams) await events.cancel()
})
