/** Attacks on trust: routes and arguments by which more could pass than was given. */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { connect } from '../../support/worker/connections.ts'
import { configure } from '../../support/worker/passkeys.ts'
import { trust, waits, waitsToWrite, withConnection } from '../../support/worker/trust.ts'

const ALL = ['deletion', 'rewrite', 'secret', 'app', 'executable', 'hidden', 'lookalike']
const textOf = async (
  workspace: Awaited<ReturnType<typeof withConnection>>['workspace'],
  path: string,
) => {
  const answer = await workspace.fetch(`/files${path}`)
  return answer.status === 200 ? answer.text() : (await answer.text(), null)
}

describe('routes of many files', () => {
  /** A checkpoint, after which a file in each folder was changed and one was added. */
  async function withCheckpoint(kinds: readonly string[]) {
    const { workspace, connection } = await withConnection({ '/f/a': 'old', '/g/a': 'old' })
    const { result } = await connection.call('create_checkpoint', { name: 'c' })
    for (const path of ['/f/a', '/g/a', '/f/new']) await workspace.put(path, 'new')
    await trust(workspace, connection, { tools: ['restore_checkpoint'], kinds })
    const checkpoint = recordOf(recordOf(result)['structuredContent'])['id']
    const restore = (args: JsonRecord) =>
      waits(connection, 'restore_checkpoint', { checkpoint, ...args })
    return { workspace, restore }
  }

  it('a checkpoint is restored only where all its paths and kinds are covered', async () => {
    // A file that was added since would be deleted.
    expect(await (await withCheckpoint([])).restore({ folder: '/f' })).toBe(true)
    expect(await (await withCheckpoint(ALL)).restore({})).toBe(true)
    const { workspace, restore } = await withCheckpoint(['deletion'])
    expect(await restore({ folder: '/f' })).toBe(false)
    expect(await textOf(workspace, '/f/a')).toBe('old')
    expect(await textOf(workspace, '/g/a')).toBe('new')
  })

  it('an undone change is a deletion where files or folders go', async () => {
    const { workspace, connection } = await withConnection()
    const write = { tools: ['write_file', 'undo_change'] }
    const id = await trust(workspace, connection, write)
    const { result } = await connection.call('write_file', { path: '/f/new/a', content: 'x' })
    const change = recordOf(recordOf(recordOf(result)['_meta'])['dev.edgewise/change'])
    expect(id).not.toBe('')
    expect(await waits(connection, 'undo_change', { id: change['id'] })).toBe(true)
  })

  it('an undone edit passes like an edit', async () => {
    const { workspace, connection } = await withConnection({ '/f/a': 'one' })
    await trust(workspace, connection, { tools: ['write_file', 'undo_change'] })
    const { result } = await connection.call('write_file', { path: '/f/a', content: 'two' })
    const change = recordOf(recordOf(recordOf(result)['_meta'])['dev.edgewise/change'])
    expect(await waits(connection, 'undo_change', { id: change['id'] })).toBe(false)
    expect(await textOf(workspace, '/f/a')).toBe('one')
  })

  it('an upload by a link that the connection made waits', async () => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection, { kinds: ALL })
    const { result } = await connection.call('transfer_link', { path: '/f/a', direction: 'upload' })
    const { url } = recordOf(recordOf(result)['structuredContent'])
    const file = freshWorkspace(String(url).replace(/\/file$/, ''))
    const sent = await file.fetch('/file', { method: 'PUT', body: 'x' })
    expect(sent.status).toBeLessThan(300)
    await sent.text()
    expect(await textOf(workspace, '/f/a')).toBeNull()
  })

  it('a file that a session link sends over HTTP waits', async () => {
    const { workspace, link, connection } = await withConnection()
    await trust(workspace, connection, { folder: '/', kinds: ALL })
    const sent = await link.fetch('/files/f/a', {
      method: 'PUT',
      body: 'x',
      headers: connection.headers(),
    })
    expect(sent.status).toBe(202)
    expect(await sent.json()).toMatchObject({ waits: true })
    expect(await textOf(workspace, '/f/a')).toBeNull()
  })
})

describe('content that is not compared', () => {
  it.each([
    ['bytes that are no text', { path: '/f/a', content_base64: 'AP8A/w==' }],
    ['a large text', { path: '/f/a', content: 'x'.repeat(2 * 1024 * 1024) }],
  ])('%s waits', async (_, args) => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection)
    expect(await waits(connection, 'write_file', args)).toBe(true)
  })

  it('over a file that is stored as an object waits', async () => {
    const { workspace, connection } = await withConnection({ '/f/a': 'x\n'.repeat(100_000) })
    await trust(workspace, connection)
    expect(await waitsToWrite(connection, '/f/a', 'x\n'.repeat(100_001))).toBe(true)
  })

  it('a copy of what is stored is compared', async () => {
    const { workspace, connection } = await withConnection({ '/f/a': 'x', '/f/h': 'a\u202eb' })
    await trust(workspace, connection, { tools: ['copy_file'] })
    expect(await waits(connection, 'copy_file', { from: '/f/a', to: '/f/b' })).toBe(false)
    expect(await waits(connection, 'copy_file', { from: '/f/h', to: '/f/i' })).toBe(true)
  })

  it('what the caller may not read is not compared, so the answer tells nothing of it', async () => {
    const files = { '/f/a': Array.from({ length: 40 }, (_, line) => `${line}\n`).join('') }
    const scopes = ['read:file:/g', 'write:file:/f']
    const { workspace, connection } = await withConnection(files, { link: { scopes } })
    await trust(workspace, connection)
    expect(await waitsToWrite(connection, '/f/a', files['/f/a'])).toBe(true)
    expect(await waitsToWrite(connection, '/f/new')).toBe(false)
  })
})

describe('what an agent chooses', () => {
  it('a client that takes the name of a trusted one has no trust', async () => {
    const { workspace, link, connection } = await withConnection()
    await trust(workspace, connection)
    const twin = await connect(link)
    expect(await waitsToWrite(twin, '/f/a')).toBe(true)
  })

  it('an id of a session does not give its trust to a caller of another link', async () => {
    const { workspace, connection } = await withConnection()
    await trust(workspace, connection)
    const answer = await workspace.fetch('/mcp', {
      method: 'POST',
      headers: connection.headers(),
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'write_file', arguments: { path: '/f/a', content: 'x' } },
      }),
    })
    await answer.text()
    expect(await textOf(workspace, '/f/a')).toBeNull()
  })

  it('a policy in the call lowers nothing', async () => {
    const { workspace, connection } = await withConnection()
    await configure(workspace, { approval: 'confirm' })
    await trust(workspace, connection)
    const args = { path: '/f/a', content: 'x' }
    expect(await waits(connection, 'write_file', args, { policy: { approval: 'confirm' } })).toBe(
      true,
    )
  })

  it('a folder that moves takes the files below it into account', async () => {
    const { workspace, connection } = await withConnection({
      '/f/a/x': 'x',
      '/f/b/run.sh': 'x',
      '/f/e/x': 'x',
    })
    await trust(workspace, connection, { tools: ['move_file'] })
    expect(await waits(connection, 'move_file', { from: '/f/b', to: '/f/c' })).toBe(true)
    expect(await waits(connection, 'move_file', { from: '/f/a', to: '/f/.ssh' })).toBe(true)
    expect(await waits(connection, 'move_file', { from: '/f/e', to: '/f/d' })).toBe(false)
  })
})
