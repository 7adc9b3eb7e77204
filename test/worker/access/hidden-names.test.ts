/** History names no path that was denied since, also where the change touched other paths in the end, or none. */

import { describe, expect, it } from 'vitest'
import { CHANGE_META } from '#core/wire.ts'
import { recordOf } from '#core/json.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { decideRequest, listRequests } from '../../support/worker/requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function configure(workspace: Workspace, rules: unknown) {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'PUT', headers, body: JSON.stringify(rules) }
  expect((await workspace.fetch('/config', init)).status).toBe(200)
}

const DENIED = { roots: [{ path: '/', default: true, deny: ['hidden', 'hidden/**'] }] }

const changes = async (client: Workspace, meta = {}) => {
  const { result } = await client.call('list_changes', {}, meta)
  const found = recordOf(result?.structuredContent)['changes']
  return (Array.isArray(found) ? found : []).map((one) => String(recordOf(one)['intent']))
}

/** Everything that a caller reads of its history. */
async function historyOf(client: Workspace, path: string, review: string) {
  const versions = await client.call('file_history', { path })
  const resource = await client.send('resources/read', { uri: `${review}.json` })
  return JSON.stringify([await changes(client), versions.result, resource.result])
}

describe.each(['a session', 'a caller without one'])('%s', (kind) => {
  async function callerIn(workspace: Workspace) {
    return kind === 'a session' ? (await linkOf(workspace)).client : workspace
  }

  it('reads of a unit that was approved only what it may read now', async () => {
    const workspace = freshWorkspace()
    const client = await callerIn(workspace)
    const owner = ownerOf(workspace)
    await owner.demand('review')
    await client.text('write_file', { path: '/hidden/a', content: 'one' })
    await client.text('write_file', { path: '/hidden/a', content: 'two' })
    const { result } = await client.call('move_file', { from: '/hidden/a', to: '/open' })
    await owner.decide('approve')
    await client.text('write_file', { path: '/other', content: 'x' })
    await owner.decide('approve')
    const review = String(recordOf(result?._meta[CHANGE_META])['review'])
    expect(await historyOf(client, '/open', review)).toContain('hidden')
    await configure(workspace, DENIED)
    const seen = await historyOf(client, '/open', review)
    expect(seen).not.toContain('hidden')
    expect(seen).toContain('Write to /other')
  })

  it('reads no change of a denied folder that altered nothing', async () => {
    const workspace = freshWorkspace()
    const client = await callerIn(workspace)
    await client.text('create_folder', { path: '/hidden' })
    await client.call('create_folder', { path: '/hidden' })
    const { result } = await workspace.call('create_checkpoint', { name: 'one' })
    const { id } = recordOf(result?.structuredContent)
    await workspace.call('restore_checkpoint', { checkpoint: id, folder: '/hidden' })
    await configure(workspace, DENIED)
    expect(JSON.stringify(await changes(client))).not.toContain('hidden')
  })

  it('reads no delegation that names a denied folder', async () => {
    const workspace = freshWorkspace()
    const client = await callerIn(workspace)
    await linkOf(client, { scopes: ['read:file:/hidden'] })
    await configure(workspace, DENIED)
    expect(JSON.stringify(await changes(client))).not.toContain('hidden')
  })
})

it('a delegation is in the audit log with the paths of its scopes and of its policy', async () => {
  const workspace = freshWorkspace()
  const policy = { roots: [{ path: 'notes', immutable: ['**'] }] }
  await linkOf(workspace, {
    scopes: ['read:file:/docs', 'read:file:/notes', 'write:file:/docs'],
    policy,
  })
  const { entries } = recordOf(await (await workspace.fetch('/audit')).json())
  expect(entries).toEqual([
    expect.objectContaining({ tool: 'delegate', paths: ['/docs', '/notes'] }),
  ])
})

it('news of an access request names no path that the request is kept from', async () => {
  const workspace = freshWorkspace()
  const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
  await client.call('read_file', { path: '/hidden/a' })
  const [request] = await listRequests(workspace)
  await decideRequest(workspace, `${request?.id}/refuse`, { note: 'No.' })
  const policy = { roots: [{ path: '/', deny: ['hidden/**', 'hidden'] }] }
  const { result } = await client.call('list_roots', {}, { policy })
  expect(JSON.stringify(result)).not.toContain('hidden')
  expect(JSON.stringify(result)).toContain('refused by the owner')
})

it('a sentence with a path that is cut is shown where the folder before the cut is open', async () => {
  const workspace = freshWorkspace()
  const { client } = await linkOf(workspace, { scopes: ['read:file:/docs', 'write:file:/docs'] })
  const path = `/docs/${Array.from({ length: 4 }, () => 'name'.repeat(55)).join('/')}`
  await client.text('write_file', { path, content: 'x' })
  expect((await changes(client))[0]).toContain('…')
  await configure(workspace, { roots: [{ path: '/', default: true, deny: ['docs/hidden'] }] })
  expect(await changes(client)).toEqual(['Change a file or a folder'])
})
