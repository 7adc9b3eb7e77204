/**
 * Replay: a preview is valid for one call of the caller that requested it, while its basis is unchanged;
 * a grant is valid for the call that carries it.
 */

import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace, type Reply, errorOf } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'

const BOUND = 'dev.edgewise/preview'
const APPEND = { path: '/log', content: 'x', mode: 'append' }

async function previewOf(client: Workspace, args: Record<string, unknown> = APPEND) {
  const { result } = await client.call('write_file', args, { preview: true })
  const id = Object(result?._meta['dev.edgewise/change']).id
  if (typeof id !== 'string') throw new Error(JSON.stringify(result))
  return id
}

const replay = (client: Workspace, id: string, args: Record<string, unknown> = APPEND) =>
  client.call('write_file', args, { [BOUND]: id })

const codeOf = ({ result }: Reply) => errorOf(result)['code']

async function createLog(): Promise<Workspace> {
  const workspace = freshWorkspace()
  await workspace.put('/log', '>\n')
  return workspace
}

const logOf = async (workspace: Workspace) => new TextDecoder().decode(await workspace.raw('/log'))

describe('replay of a preview', () => {
  it('a second time does nothing', async () => {
    const workspace = await createLog()
    const id = await previewOf(workspace)
    expect((await replay(workspace, id)).result?.isError).toBeUndefined()
    expect(codeOf(await replay(workspace, id))).toBe('PREVIEW_STALE')
    expect(await logOf(workspace)).toBe('>\nx')
  })

  it('twice at once is applied once', async () => {
    const workspace = await createLog()
    const id = await previewOf(workspace)
    const replies = await Promise.all(Array.from({ length: 8 }, () => replay(workspace, id)))
    expect(replies.filter((reply) => codeOf(reply) === 'PREVIEW_STALE')).toHaveLength(7)
    expect(await logOf(workspace)).toBe('>\nx')
  })

  it('by another session does nothing, in any direction', async () => {
    const workspace = await createLog()
    const [one, other] = [await linkOf(workspace), await linkOf(workspace)]
    const below = await linkOf(one.client)
    const all = [workspace, one.client, other.client, below.client]
    for (const shown of all) {
      const id = await previewOf(shown)
      for (const attacker of all.filter((who) => who !== shown))
        expect(codeOf(await replay(attacker, id))).toBe('PREVIEW_STALE')
    }
    expect(await logOf(workspace)).toBe('>\n')
  })

  it('in another workspace with the same files and the same history does nothing', async () => {
    const [mine, theirs] = [await createLog(), await createLog()]
    const id = await previewOf(mine)
    await previewOf(theirs)
    expect(codeOf(await replay(theirs, id))).toBe('PREVIEW_STALE')
    expect(await logOf(theirs)).toBe('>\n')
    const read = await theirs.send('resources/read', { uri: `ui://write_file/${id}` })
    expect(read.error?.code).toBe(-32602)
  })

  it('after its expiry does nothing', async () => {
    const workspace = await createLog()
    const id = await previewOf(workspace)
    await runInDurableObject(
      stubOf(workspace),
      (_, { storage: { sql } }) =>
        void sql.exec('UPDATE previews SET expires = 1 WHERE id = ?', id),
    )
    expect(codeOf(await replay(workspace, id))).toBe('PREVIEW_STALE')
    expect(await logOf(workspace)).toBe('>\n')
  })

  it('with another tool or other arguments does nothing', async () => {
    const workspace = await createLog()
    const id = await previewOf(workspace)
    const replies = [
      await replay(workspace, id, { ...APPEND, content: 'y' }),
      await replay(workspace, id, { ...APPEND, path: '/other' }),
      await replay(workspace, id, { path: '/log', content: 'x' }),
      await workspace.call('delete_file', { path: '/log' }, { [BOUND]: id }),
    ]
    expect(replies.map(codeOf)).toEqual(Array.from(replies, () => 'PREVIEW_STALE'))
    expect(await logOf(workspace)).toBe('>\n')
  })

  it('gives no additional access: the rules of the applying call hold', async () => {
    const workspace = await createLog()
    const id = await previewOf(workspace)
    const meta = { [BOUND]: id, policy: { roots: [{ path: '/', immutable: ['log'] }] } }
    expect(codeOf(await workspace.call('write_file', APPEND, meta))).toBe('PATH_IMMUTABLE')
    const { client } = await linkOf(workspace, { scopes: ['read'] })
    expect(codeOf(await replay(client, id))).toBe('INSUFFICIENT_SCOPE')
    expect(await logOf(workspace)).toBe('>\n')
  })

  it('does not reveal the file to a caller that may not read it', async () => {
    const workspace = await createLog()
    const id = await previewOf(workspace)
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    for (const uri of ['', '.diff', '.json'].map((end) => `ui://write_file/${id}${end}`)) {
      const reply = await client.send('resources/read', { uri })
      expect(reply.result).toBeUndefined()
      expect(JSON.stringify(reply)).not.toContain('log')
    }
  })
})

describe('replay of a grant', () => {
  const outside = { path: '/secret/a' }
  const granted = { granted_scopes: ['read:file:/secret'] }

  /** A client with one root, which a grant can extend for one call. */
  const CONFIGURED = {
    'io.modelcontextprotocol/clientCapabilities': {
      experimental: { configuration: { roots: [{ path: '/docs' }] } },
    },
  }

  async function createRooted(): Promise<Workspace> {
    const workspace = freshWorkspace()
    await workspace.put('/secret/a', 'one')
    const call: Workspace['call'] = (name, args, meta) =>
      workspace.call(name, args, { ...CONFIGURED, ...meta })
    return { ...workspace, call }
  }

  it('is valid only for its own call', async () => {
    const workspace = await createRooted()
    expect(codeOf(await workspace.call('read_file', outside))).toBe('PATH_OUTSIDE_ROOT')
    expect((await workspace.call('read_file', outside, granted)).result?.isError).toBeUndefined()
    expect(codeOf(await workspace.call('read_file', outside))).toBe('PATH_OUTSIDE_ROOT')
  })

  it('has no effect outside of the owner’s roots', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/secret/a', 'one')
    const body = JSON.stringify({ roots: [{ path: '/docs' }] })
    expect((await workspace.fetch('/config', { method: 'PUT', body })).status).toBe(200)
    expect(codeOf(await workspace.call('read_file', outside, granted))).toBe('PATH_OUTSIDE_ROOT')
  })

  it('has no effect for a link, which keeps its ceiling', async () => {
    const workspace = await createRooted()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    const reply = await client.call('read_file', outside, granted)
    expect(codeOf(reply)).toBe('INSUFFICIENT_SCOPE')
    expect(JSON.stringify(reply)).not.toContain('one')
  })

  it('of reading does not permit writing, nor other folders', async () => {
    const workspace = await createRooted()
    await workspace.put('/secretive/b', 'two')
    const write = { path: '/secret/a', content: 'x' }
    expect(codeOf(await workspace.call('write_file', write, granted))).toBe('PATH_OUTSIDE_ROOT')
    const near = await workspace.call('read_file', { path: '/secretive/b' }, granted)
    expect(codeOf(near)).toBe('PATH_OUTSIDE_ROOT')
    expect(await workspace.raw('/secret/a')).toEqual(new TextEncoder().encode('one'))
  })
})
