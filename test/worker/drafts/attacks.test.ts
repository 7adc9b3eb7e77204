/** Ways around an approval: roots of different levels, previews and links made earlier, policies, and other callers. */

import { recordOf } from '#core/json.ts'
import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { CHANGE_IDS, freshWorkspace, SHOWS_APPS } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { SELF } from 'cloudflare:test'

type Workspace = ReturnType<typeof freshWorkspace>

const APPROVALS = {
  roots: [
    { path: '/', default: true },
    { path: '/held', approval: 'review' },
  ],
}

async function configure({ fetch }: Workspace, config: object): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

/** A workspace in which `/held` is held and the rest is not, and an agent with a link. */
async function mixed() {
  const workspace = freshWorkspace()
  await workspace.put('/held/a', 'old')
  await workspace.put('/open/a', 'old')
  await workspace.put('/open/deep/b', 'old')
  const { client } = await linkOf(workspace)
  await client.call('create_checkpoint', { name: 'start' })
  await workspace.put('/held/a', 'new')
  await workspace.put('/open/a', 'new')
  await configure(workspace, APPROVALS)
  return { workspace, owner: ownerOf(workspace), client, before: await filesOf(workspace) }
}

const PATHS = [
  '/held/a',
  '/held/deep/b',
  '/held/x',
  '/open/a',
  '/open/deep/b',
  '/open/x',
  '/held2/a',
]

async function filesOf({ fetch }: Workspace): Promise<Record<string, string | null>> {
  const texts: Record<string, string | null> = {}
  for (const path of PATHS) {
    const answer = await fetch(`/files${path}`)
    const text = await answer.text()
    texts[path] = answer.status === 200 ? text : null
  }
  return texts
}

describe('folders of different levels', () => {
  const calls: readonly [string, string, Record<string, unknown>][] = [
    ['a move into the held folder', 'move_file', { from: '/open/a', to: '/held/x' }],
    ['a move out of it', 'move_file', { from: '/held/a', to: '/open/x' }],
    ['a move of a folder into it', 'move_file', { from: '/open/deep', to: '/held/deep' }],
    ['a move of the folder itself', 'move_file', { from: '/held', to: '/held2' }],
    ['a copy into it', 'copy_file', { from: '/open/a', to: '/held/x' }],
    ['a copy over it by case of dots', 'copy_file', { from: '/open/a', to: '/open/../held/x' }],
    ['a deletion of it', 'delete_file', { path: '/held' }],
    ['a restore of everything', 'restore_checkpoint', { checkpoint: 'start', folder: '/' }],
    ['a restore of it', 'restore_checkpoint', { checkpoint: 'start', folder: '/held' }],
    ['a version of a file', 'restore_file', { path: '/held/a', version: 1 }],
  ]
  it.each(calls)('%s changes nothing', async (_, name, args) => {
    const { workspace, client, before } = await mixed()
    await client.call(name, args)
    expect(await filesOf(workspace)).toEqual(before)
    await expectWhole(stubOf(workspace))
  })

  it('there and back again stays in the draft, with what follows', async () => {
    const { workspace, owner, client, before } = await mixed()
    await client.text('move_file', { from: '/open/deep', to: '/held/deep' })
    await client.text('move_file', { from: '/held/deep', to: '/open/moved' })
    await client.text('write_file', { path: '/open/moved/b', content: 'canary' })
    await client.text('write_file', { path: '/open/deep', content: 'canary' })
    await evictDurableObject(stubOf(workspace))
    await client.text('move_file', { from: '/open/moved/b', to: '/elsewhere/b' })
    expect(await filesOf(workspace)).toEqual(before)
    expect((await workspace.fetch('/files/elsewhere/b')).status).toBe(404)
    await owner.decide('turn-down')
    expect(await filesOf(workspace)).toEqual(before)
    await expectWhole(stubOf(workspace))
  })

  it('an undo of what is open and held waits', async () => {
    const { workspace, client } = await mixed()
    await configure(workspace, {})
    const { result } = await client.call('move_file', { from: '/open/a', to: '/held/x' })
    const { id } = recordOf(result?._meta['dev.edgewise/change'])
    await configure(workspace, APPROVALS)
    const before = await filesOf(workspace)
    await client.text('undo_change', { id })
    expect(await filesOf(workspace)).toEqual(before)
  })
})

describe('what was made before the rules were raised', () => {
  it.each(['review', 'confirm'])('a preview is applied into the draft (%s)', async (level) => {
    const { workspace, owner, client, before } = await mixed()
    const args = { path: '/open/a', content: 'canary' }
    const { result } = await client.call('write_file', args, { preview: true })
    const { id } = recordOf(result?._meta['dev.edgewise/change'])
    await owner.demand(level)
    await client.call('write_file', args, { 'dev.edgewise/preview': id })
    expect(await filesOf(workspace)).toEqual(before)
    expect(await owner.drafts()).toHaveLength(1)
  })

  it('an upload link writes into the draft', async () => {
    const { workspace, owner, client, before } = await mixed()
    const { result } = await client.call('transfer_link', { path: '/open/a', direction: 'upload' })
    await owner.demand('review')
    const url = String(result?.structuredContent['url'])
    await (await SELF.fetch(url, { method: 'PUT', body: 'canary' })).text()
    expect(await filesOf(workspace)).toEqual(before)
  })

  it('a delegated session cannot lower the level, and neither can its policy or configuration', async () => {
    const { workspace, owner, client, before } = await mixed()
    await owner.demand('review')
    const policy = { approval: 'none', roots: [{ path: '/', approval: 'none' }] }
    const wishes = [{ policy }, { approval: 'none' }, {}]
    for (const wish of wishes) {
      const { result } = await client.call('delegate', { label: 'child', ...wish })
      const { url } = recordOf(result?.structuredContent)
      if (typeof url !== 'string') continue
      await freshWorkspace(url).call('write_file', { path: '/open/a', content: 'canary' })
    }
    const write = { path: '/open/a', content: 'canary' }
    const configuration = { approval: 'none', roots: [{ path: '/', approval: 'none' }] }
    const capabilities = { ...SHOWS_APPS, experimental: { configuration } }
    await client.call('write_file', write, { policy })
    await client.call('write_file', write, {
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    })
    await client.call('write_file', write, {
      granted_scopes: ['write:file:/open', 'approve'],
      approval: 'none',
      'dev.edgewise/approved': true,
    })
    expect(await filesOf(workspace)).toEqual(before)
  })
})

describe('another caller', () => {
  /** The line of a path that exists in the workspace; there is none for one that the draft adds. */
  const WAITS = /^Note: \/held\/a has a change that waits for approval, by "[^"\n]+"[^\n]*$/

  /** What another caller hears from calls at the paths of a draft, without what differs by call. */
  async function heardBy(client: Workspace): Promise<string[]> {
    const calls: readonly [string, Record<string, unknown>][] = [
      ['write_file', { path: '/held/x', content: 'y', if_version: 99 }],
      ['edit_file', { path: '/held/x', edits: [{ find: 'canary', replace: 'z' }] }],
      ['move_file', { from: '/held/x', to: '/open/y' }],
      ['copy_file', { from: '/held/x', to: '/open/y' }],
      ['delete_file', { path: '/held/x' }],
      ['file_history', { path: '/held/x' }],
      ['compare_checkpoints', { from: 'start' }],
      ['list_checkpoints', {}],
      ['list_changes', { path: '/held' }],
      ['search_files', { pattern: 'canary' }],
      ['search_files', { pattern: 'can[a]ry' }],
      ['find_files', { pattern: 'x' }],
      ['list_folder', { path: '/held' }],
      ['read_multiple_files', { paths: ['/held/x', '/held/a'] }],
      ['transfer_link', { path: '/held/x', direction: 'download' }],
      ['restore_file', { path: '/held/x', version: 12 }],
      ['undo_change', { version: 12 }],
    ]
    const answers = []
    for (const [name, args] of calls) {
      const { result, error } = await client.call(name, args, { preview: name !== 'transfer_link' })
      // It learns that a change waits on a path that it may read, and nothing else of it.
      const content = result?.content.filter(({ text = '' }) => !WAITS.test(text))
      answers.push(JSON.stringify([name, result?.isError, content, error]))
    }
    return answers.map((text) =>
      text
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replaceAll(CHANGE_IDS, 'ID')
        .replaceAll(/\/s\/[^"\\]+/g, 'LINK')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME'),
    )
  }

  it('gets the same answers and errors with a draft and without it, but that a path waits', async () => {
    const { workspace, client } = await mixed()
    const { client: other } = await linkOf(workspace)
    const before = await heardBy(other)
    await client.text('write_file', { path: '/held/x', content: 'canary' })
    await client.text('write_file', { path: '/held/a', content: 'canary' })
    expect(await heardBy(other)).toEqual(before)
    await evictDurableObject(stubOf(workspace))
    expect(await heardBy(other)).toEqual(before)
    expect(JSON.stringify(await heardBy(client))).not.toEqual(JSON.stringify(before))
  })

  it('reads no preview of what another session has in its draft', async () => {
    const { workspace, client } = await mixed()
    await client.text('write_file', { path: '/held/x', content: 'canary' })
    const edits = [{ find: 'canary', replace: 'canary two' }]
    const preview = await client.call('edit_file', { path: '/held/x', edits }, { preview: true })
    const { id } = recordOf(preview.result?._meta['dev.edgewise/change'])
    const { client: other } = await linkOf(workspace)
    const child = (await linkOf(client)).client
    for (const reader of [other, child, workspace])
      for (const form of ['', '.diff', '.json']) {
        const answer = await reader.send('resources/read', {
          uri: `ui://edit_file/${String(id)}${form}`,
        })
        expect([form, JSON.stringify(answer)]).not.toEqual([
          form,
          expect.stringContaining('canary'),
        ])
      }
  })
})
