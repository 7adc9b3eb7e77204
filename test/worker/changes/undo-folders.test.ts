/**
 * Folders that a change has created and its caller may not remove, as they are above what it may write or its root: an
 * undo and the restoring of a checkpoint remove them if they are empty, and answer the same if they are not.
 */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { legacyEra, modern, type AccessClient } from '../../support/worker/access-client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { CHANGE_IDS, freshWorkspace } from '../../support/worker/client.ts'
import { approve, showDraft } from '../../support/worker/held-change.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** A caller of one folder, and the metadata of each of its calls. */
interface Restricted {
  readonly client: AccessClient
  readonly meta?: object
}

const OWN = '/docs/team/own'
const FILE = `${OWN}/sub/a.md`
const SCOPES = [`read:file:${OWN}`, `write:file:${OWN}`]
const ROOTS = { roots: [{ path: OWN }] }

const CALLERS: readonly (readonly [string, (workspace: Workspace) => Promise<Restricted>])[] = [
  ['a link with scopes', async (one) => ({ client: await linked(one, { scopes: SCOPES }) })],
  ['a link with a policy', async (one) => ({ client: await linked(one, { policy: ROOTS }) })],
  [
    'a delegate of a link',
    async (one) => {
      const { client } = await linkOf(one, { scopes: SCOPES })
      return { client: await linked(client, { policy: ROOTS }) }
    },
  ],
  ['a token with folders', async (one) => ({ client: modern((await tokenOf(one, SCOPES)).send) })],
  ['roots of a client', async (one) => ({ client: modern(one, ROOTS) })],
  ['roots of a legacy client', async (one) => ({ client: await legacyEra(one, ROOTS) })],
  ['a policy of each call', async (one) => ({ client: modern(one), meta: { policy: ROOTS } })],
  [
    'a policy of each legacy call',
    async (one) => ({ client: await legacyEra(one), meta: { policy: ROOTS } }),
  ],
  [
    'a root of the rules',
    async (one) => {
      await configure(one, { roots: [{ path: '/else', default: true }, { path: OWN }] })
      return { client: modern(one) }
    },
  ],
  [
    'an allow list of the rules',
    async (one) => {
      await configure(one, { roots: [{ path: '/', allow: ['**/*.md'] }] })
      return { client: modern(one) }
    },
  ],
]

const linked = async (from: Workspace, wish: Record<string, unknown>) =>
  modern((await linkOf(from, wish)).client)

async function configure({ fetch }: Workspace, config: object) {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

async function remove({ fetch }: Workspace, path: string) {
  expect((await fetch(`/files${path}`, { method: 'DELETE' })).status).toBe(204)
}

/** From now on every change waits. */
async function reviewAll(workspace: Workspace) {
  const config = recordOf(await (await workspace.fetch('/config')).json())
  await configure(workspace, { ...config, approval: 'review' })
}

async function use({ client, meta }: Restricted, name: string, args: object) {
  const { body } = await client.ask('tools/call', { name, arguments: args }, meta)
  const result = recordOf(body['result'])
  if (result['isError'] === true || !body['result']) throw new Error(JSON.stringify(body))
  return recordOf(result['structuredContent'])
}

const write = async (caller: Restricted, path = FILE) =>
  Number((await use(caller, 'write_file', { path, content: 'one' }))['version'])

async function isThere({ fetch }: Workspace, folder: string) {
  const exported = await fetch(`/export?from=${folder}`)
  await exported.body?.cancel()
  return exported.ok
}

/** The answer of a change, without what is random or counts. */
const plain = (answer: Record<string, unknown>, version: number) =>
  JSON.stringify(answer)
    .replaceAll(/[0-9a-f-]{36}/g, 'id')
    .replaceAll(CHANGE_IDS, 'id')
    .replaceAll(new RegExp(`\\b${version}\\b`, 'g'), 'v')
    .replaceAll(/"version":\d+/g, 'v')

describe.each(CALLERS)('%s', (name, enter) => {
  it('undoes a write that created it, with the folders above that are empty', async () => {
    const workspace = freshWorkspace()
    const caller = await enter(workspace)
    const version = await write(caller)
    await use(caller, 'undo_change', { version })
    expect(await isThere(workspace, '/docs')).toBe(false)

    await use(caller, 'undo_change', { version: version + 1 })
    expect(await use(caller, 'read_file', { path: FILE })).toMatchObject({ content: '1: one' })
    await use(caller, 'undo_change', { version: version + 2 })
    expect(await isThere(workspace, '/docs')).toBe(false)
  })

  it('leaves what others put into such a folder, and answers the same', async () => {
    const answers: string[] = []
    for (const other of [null, '/docs/team/hidden.bin', '/docs/hidden.bin', '/docs/empty/x.bin']) {
      const workspace = freshWorkspace()
      const caller = await enter(workspace)
      const version = await write(caller)
      if (other !== null) await workspace.put(other, 'kept')
      const undone = await use(caller, 'undo_change', { version })
      answers.push(plain(undone, version))
      expect(await isThere(workspace, OWN)).toBe(false)
      if (other !== null) expect(new TextDecoder().decode(await workspace.raw(other))).toBe('kept')
    }
    expect(new Set(answers).size).toBe(1)
  })

  it('is not stopped by what others put there after its preview', async () => {
    const workspace = freshWorkspace()
    const caller = await enter(workspace)
    const version = await write(caller)
    const { client, meta } = caller
    const args = { name: 'undo_change', arguments: { version } }
    const { body } = await client.ask('tools/call', args, { ...meta, preview: true })
    const { id } = recordOf(recordOf(recordOf(body['result'])['_meta'])['dev.edgewise/change'])
    await workspace.put('/docs/hidden.bin', 'kept')
    const seen = { ...caller, meta: { ...meta, 'dev.edgewise/preview': id } }
    await use(seen, 'undo_change', { version })
    expect((await workspace.raw('/docs/hidden.bin')).length).toBe(4)
  })

  it('learns from no record whether it created the folders', async () => {
    const records: string[] = []
    for (const other of [null, '/docs/team/hidden.bin']) {
      const workspace = freshWorkspace()
      const caller = await enter(workspace)
      if (other !== null) await workspace.put(other, 'kept')
      const { client, meta } = caller
      const args = { name: 'write_file', arguments: { path: FILE, content: 'one' } }
      const { body } = await client.ask('tools/call', args, meta)
      const { id } = recordOf(recordOf(recordOf(body['result'])['_meta'])['dev.edgewise/change'])
      const read = { uri: `ui://write_file/${String(id)}.json` }
      const shown = await client.ask('resources/read', read, meta)
      expect(JSON.stringify(shown.body)).toContain(FILE)
      records.push(JSON.stringify(shown.body['result']).replaceAll(String(id), 'id'))
    }
    expect(records[0]).toBe(records[1])
  })

  it('leaves a folder that was there before', async () => {
    const workspace = freshWorkspace()
    const caller = await enter(workspace)
    await workspace.put('/docs/x.bin', 'x')
    await remove(workspace, '/docs/x.bin')
    const version = await write(caller)
    await use(caller, 'undo_change', { version })
    expect([await isThere(workspace, '/docs'), await isThere(workspace, '/docs/team')]).toEqual([
      true,
      false,
    ])
  })

  // The allow list has no folder without a file.
  it.skipIf(name.startsWith('an allow list'))(
    'undoes the creation of the folder alone',
    async () => {
      const workspace = freshWorkspace()
      const caller = await enter(workspace)
      const version = Number((await use(caller, 'create_folder', { path: OWN }))['version'])
      await use(caller, 'undo_change', { version })
      expect(await isThere(workspace, '/docs')).toBe(false)
      const again = Number((await use(caller, 'create_folder', { path: OWN }))['version'])
      await reviewAll(workspace)
      await use(caller, 'undo_change', { version: again })
      expect(await isThere(workspace, '/docs')).toBe(true)
      expect(await approve(workspace, await showDraft(workspace))).toMatchObject({ status: 200 })
      expect(await isThere(workspace, '/docs')).toBe(false)
    },
  )

  it('restores a checkpoint from before it', async () => {
    const workspace = freshWorkspace()
    const caller = await enter(workspace)
    await workspace.put('/x.bin', 'x')
    const { id: checkpoint } = await use(caller, 'create_checkpoint', { name: 'before' })
    await write(caller)
    await write(caller, `${OWN}/b.md`)
    await use(caller, 'restore_checkpoint', { checkpoint })
    expect(await isThere(workspace, '/docs')).toBe(false)
    expect((await workspace.raw('/x.bin')).length).toBe(1)
  })

  it('leaves a folder that was there at the checkpoint and was made again since', async () => {
    const workspace = freshWorkspace()
    const caller = await enter(workspace)
    await workspace.put('/docs/x.bin', 'x')
    await remove(workspace, '/docs/x.bin')
    const { id: checkpoint } = await use(caller, 'create_checkpoint', { name: 'before' })
    await remove(workspace, '/docs')
    await write(caller)
    await use(caller, 'restore_checkpoint', { checkpoint })
    expect([await isThere(workspace, '/docs'), await isThere(workspace, '/docs/team')]).toEqual([
      true,
      false,
    ])
  })

  it.each(['/docs', '/docs/team'])('restores what was deleted with %s', async (folder) => {
    const workspace = freshWorkspace()
    const caller = await enter(workspace)
    await workspace.put('/x.bin', 'x')
    await write(caller)
    const { id: checkpoint } = await use(caller, 'create_checkpoint', { name: 'before' })
    await remove(workspace, folder)
    await use(caller, 'restore_checkpoint', { checkpoint })
    expect(await use(caller, 'read_file', { path: FILE })).toMatchObject({ content: '1: one' })
    await remove(workspace, folder)
    await write(caller, `${OWN}/b.md`)
    await use(caller, 'restore_checkpoint', { checkpoint })
    expect(await use(caller, 'read_file', { path: FILE })).toMatchObject({ content: '1: one' })
  })

  it('undoes it in a draft, alone and with another change', async () => {
    const workspace = freshWorkspace()
    const caller = await enter(workspace)
    const version = await write(caller)
    await reviewAll(workspace)
    await use(caller, 'undo_change', { version })
    expect(await isThere(workspace, OWN)).toBe(true)
    expect(await approve(workspace, await showDraft(workspace))).toMatchObject({ status: 200 })
    expect(await isThere(workspace, '/docs')).toBe(false)

    const again = await write(caller)
    await use(caller, 'undo_change', { version: again })
    await write(caller)
    await workspace.put('/docs/late.bin', 'kept')
    const { status } = await approve(workspace, await showDraft(workspace))
    expect(status).toBe(200)
    expect((await workspace.raw('/docs/late.bin')).length).toBe(4)
  })
})

it('a folder that its caller may remove does not stay', async () => {
  const workspace = freshWorkspace()
  const caller = { client: modern(workspace) }
  await use(caller, 'undo_change', { version: await write(caller) })
  expect(await isThere(workspace, '/docs')).toBe(false)
})
