/** Checkpoints: comparing with one and restoring it, by tool and by HTTP, with the access of each caller. */

import {
  MAX_CHECKPOINT_NAME_LENGTH,
  MAX_CHECKPOINTS,
  MAX_DIFFERING_PATHS,
  MAX_SESSION_CHECKPOINTS,
} from '#worker/limits.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { parsePath } from '#core/path.ts'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { seed, storeOf, stubOf } from '../../support/worker/object-life.ts'
import { codeOfReply } from '../../support/worker/result-codes.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** Every path with its content, folders as null. */
async function filesOf({ base }: Workspace): Promise<Record<string, string | null>> {
  return runInDurableObject(stubOf({ base }), async (_, state) => {
    const store = storeOf(state)
    const found: Record<string, string | null> = {}
    for (const entry of [...store.walk(parsePath('/'))])
      found[entry.path] =
        entry.type === 'file' ? new TextDecoder().decode(await store.bytes(entry)) : null
    return found
  })
}

async function withFiles(files: Readonly<Record<string, string>>, config = {}) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  const body = JSON.stringify(config)
  expect((await workspace.fetch('/config', { method: 'PUT', body })).status).toBe(200)
  return workspace
}

const json = async (answer: Response) => ({ status: answer.status, body: await answer.json() })

async function mark({ fetch }: Workspace, name: string): Promise<string> {
  const answer = await fetch('/checkpoints', { method: 'POST', body: JSON.stringify({ name }) })
  const { id } = await answer.json<{ id: string }>()
  return id
}

const FILES = { '/docs/a': 'one', '/docs/deep/b': 'two', '/x': 'file', '/kept': 'same' }

/** Changes of every kind: files become folders and the reverse. */
async function rework({ text, put }: Workspace): Promise<void> {
  for (const content of ['1', '2', '3']) await put('/docs/a', content)
  await text('move_file', { from: '/docs/deep', to: '/moved' })
  await text('delete_file', { path: '/x' })
  await put('/x/inside', 'new')
  await put('/docs/deep', 'now a file')
  await put('/new/folder/c', 'added')
}

it('restores everything, whatever was done, and can be undone', async () => {
  const workspace = await withFiles(FILES, { history_versions: 1 })
  const before = await filesOf(workspace)
  await mark(workspace, 'start')
  await rework(workspace)
  const after = await filesOf(workspace)
  expect(after).not.toEqual(before)
  const { result } = await workspace.call('restore_checkpoint', { checkpoint: 'start' })
  expect(result?.structuredContent).toMatchObject({ more: 0 })
  expect(await filesOf(workspace)).toEqual(before)
  await expectWhole(stubOf(workspace))
})

it('is undone as a whole where history still has the state before', async () => {
  const workspace = await withFiles(FILES)
  await mark(workspace, 'start')
  await rework(workspace)
  const after = await filesOf(workspace)
  const { result } = await workspace.call('restore_checkpoint', { checkpoint: 'start' })
  const { version } = result?.structuredContent ?? {}
  await workspace.text('undo_change', { version })
  expect(await filesOf(workspace)).toEqual(after)
})

it('restores one folder, and nothing else', async () => {
  const workspace = await withFiles(FILES)
  await mark(workspace, 'start')
  await rework(workspace)
  await workspace.text('restore_checkpoint', { checkpoint: 'start', folder: '/docs' })
  expect(await filesOf(workspace)).toMatchObject({
    ...{ '/docs/a': 'one', '/docs/deep': null, '/docs/deep/b': 'two' },
    ...{ '/x': null, '/x/inside': 'new', '/moved/b': 'two' },
  })
})

it('is previewed, and applied as it was previewed', async () => {
  const workspace = await withFiles({ '/a': 'one' })
  await mark(workspace, 'start')
  await workspace.put('/a', 'two')
  const args = { checkpoint: 'start' }
  const shown = await workspace.call('restore_checkpoint', args, { preview: true })
  const id = Object(shown.result?._meta['dev.edgewise/change']).id
  expect(shown.result?._meta['dev.edgewise/change']).toMatchObject({ paths: ['/a'] })
  expect((await filesOf(workspace))['/a']).toBe('two')
  await workspace.put('/a', 'three')
  const meta = { 'dev.edgewise/preview': id }
  const late = await workspace.call('restore_checkpoint', args, meta)
  expect(late.result?._meta['dev.edgewise/error']).toMatchObject({ code: 'PREVIEW_STALE' })
})

describe('a comparison', () => {
  it('names what differs, with moves and line counts', async () => {
    const workspace = await withFiles(FILES)
    await mark(workspace, 'start')
    await rework(workspace)
    const { result } = await workspace.call('compare_checkpoints', { from: 'start' })
    expect(result?.structuredContent['files']).toEqual([
      { path: 'docs/a', status: 'modified', added: 1, removed: 1 },
      { path: 'docs/deep', status: 'added', added: 1, removed: 0 },
      { path: 'moved/b', from: 'docs/deep/b', status: 'moved', added: 0, removed: 0 },
      { path: 'new/folder/c', status: 'added', added: 1, removed: 0 },
      { path: 'x', status: 'deleted', added: 0, removed: 1 },
      { path: 'x/inside', status: 'added', added: 1, removed: 0 },
    ])
  })

  it('is between two checkpoints, in both directions', async () => {
    const workspace = await withFiles({ '/a': 'one' })
    await mark(workspace, 'first')
    await workspace.put('/b', 'two')
    await mark(workspace, 'second')
    await workspace.put('/c', 'three')
    const compared = async (args: Record<string, unknown>) =>
      (await workspace.text('compare_checkpoints', args)).split('\n')
    expect(await compared({ from: 'first', to: 'second' })).toEqual(['added  b'])
    expect(await compared({ from: 'second', to: 'first' })).toEqual(['deleted  b'])
    expect(await compared({ from: 'first' })).toEqual(['added  b', 'added  c'])
    expect(await compared({ from: 'first', folder: '/c' })).toEqual(['added  c'])
    expect(await compared({ from: 'second', to: 'second' })).toEqual(['No differences'])
  })

  it('is a resource that is drawn like a change', async () => {
    const workspace = await withFiles({ '/docs/a': 'one\n' })
    await mark(workspace, '<b>start</b>')
    await workspace.put('/docs/a', 'two\n')
    const args = { from: '<b>start</b>', folder: '/docs' }
    const { result } = await workspace.call('compare_checkpoints', args)
    const review = String(result?.structuredContent['review'])
    const read = async (uri: string) =>
      String(
        Object(Object((await workspace.send('resources/read', { uri })).result)['contents'])[0]
          ?.text,
      )
    expect(await read(review)).toMatch(/Comparison[^]*&lt;b&gt;start&lt;\/b&gt;/)
    expect(await read(`${review}.diff`)).toContain('-one\n+two')
    expect(JSON.parse(await read(`${review}.json`))).toMatchObject({ paths: ['/docs/a'] })
    const unknown = { uri: review.replace('now', crypto.randomUUID()) }
    expect((await workspace.send('resources/read', unknown)).error).toBeDefined()
  })
})

describe('a caller with less access', () => {
  const RULES = { roots: [{ path: '/', deny: ['secret/**', 'secret'], immutable: ['fixed/**'] }] }

  it('neither sees nor counts hidden files, and does not restore them', async () => {
    const workspace = await withFiles({ '/open': '1', '/secret/a': '1' }, RULES)
    const id = await mark(workspace, 'start')
    await workspace.put('/secret/a', '2')
    await workspace.put('/secret/b', '2')
    await workspace.put('/open', '2')
    const { result } = await workspace.call('compare_checkpoints', { from: 'start' })
    expect(result?.structuredContent).toMatchObject({ more: 0, files: [{ path: 'open' }] })
    const uri = `ui://compare_checkpoints/%2F/${id}/now.json`
    const read = await workspace.send('resources/read', { uri })
    expect(JSON.stringify(read)).not.toContain('secret')
    expect(await workspace.code('compare_checkpoints', { from: id, folder: '/secret' })).toBe(
      'PATH_BLOCKED',
    )
    await workspace.text('restore_checkpoint', { checkpoint: 'start' })
    expect(await filesOf(workspace)).toMatchObject({ '/open': '1', '/secret/a': '2' })
  })

  it('is refused as a whole if something immutable differs', async () => {
    const workspace = await withFiles({ '/open': '1', '/fixed/a': '1' }, RULES)
    await mark(workspace, 'start')
    await workspace.put('/fixed/a', '2')
    await workspace.put('/open', '2')
    expect(await workspace.code('restore_checkpoint', { checkpoint: 'start' })).toBe(
      'PATH_IMMUTABLE',
    )
    expect((await filesOf(workspace))['/open']).toBe('2')
  })

  it('is refused if a folder that it would remove has something hidden in it', async () => {
    const workspace = await withFiles({ '/a': '1' }, { roots: [{ path: '/', deny: ['new/h'] }] })
    await mark(workspace, 'start')
    await workspace.put('/new/open', '2')
    await workspace.put('/new/h', '2')
    expect(await workspace.code('restore_checkpoint', { checkpoint: 'start' })).toBe('PATH_BLOCKED')
  })

  it('with a session, sees its own checkpoints only', async () => {
    const workspace = await withFiles({ '/a': '1' })
    const id = await mark(workspace, 'of the owner')
    const { client } = await linkOf(workspace)
    const other = await linkOf(workspace)
    await client.text('create_checkpoint', { name: 'mine' })
    expect(await client.text('list_checkpoints')).toMatch(/^\S+ {2}"helper" for local: mine$/)
    expect(await other.client.text('list_checkpoints')).toBe('No checkpoints')
    expect(await workspace.text('list_checkpoints')).toMatch(/mine\n.*of the owner$/)
    for (const checkpoint of [id, 'of the owner'])
      expect(await client.code('restore_checkpoint', { checkpoint })).toBe('CHECKPOINT_NOT_FOUND')
  })

  it.each([
    ['a read-only policy', { policy: { read_only: true } }],
    ['the scope to read alone', { scopes: ['read'] }],
  ])('with %s, creates no checkpoint', async (_, wish) => {
    const workspace = await withFiles({ '/a': '1' })
    const { client } = await linkOf(workspace, wish)
    expect(await client.code('create_checkpoint', { name: 'x' })).toBe('READ_ONLY')
    const { result } = await client.send('tools/list')
    expect(JSON.stringify(result)).toContain('"list_checkpoints"')
    expect(JSON.stringify(result)).not.toContain('"create_checkpoint"')
    expect(await workspace.text('list_checkpoints')).toBe('No checkpoints')
  })

  it('are not created by a request that denies writing', async () => {
    const workspace = freshWorkspace()
    for (const denied of ['write', 'write:file:/']) {
      const meta = { denied_scopes: denied }
      const reply = await workspace.call('create_checkpoint', { name: 'x' }, meta)
      expect(codeOfReply(reply)).toBe('READ_ONLY')
    }
  })
})

describe('the HTTP routes', () => {
  it('create, list, compare, restore and delete, and the audit log has it', async () => {
    const workspace = await withFiles({ '/docs/a': 'one', '/b': 'one' })
    const { fetch } = workspace
    const id = await mark(workspace, 'start')
    await workspace.put('/docs/a', 'two')
    await workspace.put('/b', 'two')
    expect((await json(await fetch('/checkpoints'))).body).toMatchObject({
      checkpoints: [{ id, name: 'start', version: 2, actor: 'local' }],
    })
    const difference = await json(await fetch(`/checkpoints/${id}/difference?folder=/docs`))
    expect(difference.body).toMatchObject({ comparison: true, paths: ['/docs/a'], more: 0 })
    const same = await json(await fetch(`/checkpoints/${id}/difference?to=${id}`))
    expect(same.body).toMatchObject({ paths: [], files: [] })
    const restore = async (init: RequestInit) =>
      json(await fetch(`/checkpoints/${id}/restore`, { method: 'POST', ...init }))
    const body = JSON.stringify({ folder: '/docs' })
    expect(await restore({ body })).toMatchObject({ status: 200, body: { count: 1 } })
    expect(await filesOf(workspace)).toMatchObject({ '/docs/a': 'one', '/b': 'two' })
    expect(await restore({})).toMatchObject({ status: 200, body: { count: 1 } })
    expect(await filesOf(workspace)).toMatchObject({ '/docs/a': 'one', '/b': 'one' })
    expect((await fetch(`/checkpoints/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await json(await fetch('/checkpoints'))).body).toEqual({ checkpoints: [] })
    const audit = JSON.stringify((await json(await fetch('/audit'))).body)
    for (const tool of ['create_checkpoint', 'restore_checkpoint', 'delete_checkpoint'])
      expect(audit).toContain(`"tool":"${tool}"`)
  })

  it.each([
    ['GET', '/none/difference', 404, 'CHECKPOINT_NOT_FOUND'],
    ['POST', '/none/restore', 404, 'CHECKPOINT_NOT_FOUND'],
    ['DELETE', '/none', 404, 'CHECKPOINT_NOT_FOUND'],
    ['DELETE', '/none/restore/more', 404, 'NOT_FOUND'],
    ['GET', '/none', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/none/restore', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/none/difference', 405, 'METHOD_NOT_ALLOWED'],
    ['PUT', '', 405, 'METHOD_NOT_ALLOWED'],
  ])('%s /checkpoints%s is %i %s', async (method, path, status, code) => {
    const { fetch } = await withFiles({})
    expect(await json(await fetch(`/checkpoints${path}`, { method }))).toMatchObject({
      status,
      body: { code },
    })
  })

  it.each([[{}], [{ name: '' }], [{ name: 1 }], [{ name: 'x', more: 1 }]])(
    'refuse %j',
    async (body) => {
      const { fetch } = await withFiles({})
      const init = { method: 'POST', body: JSON.stringify(body) }
      expect((await fetch('/checkpoints', init)).status).toBe(400)
    },
  )

  it('refuse what is no folder', async () => {
    const workspace = await withFiles({})
    const id = await mark(workspace, 'start')
    const compared = await workspace.fetch(`/checkpoints/${id}/difference?folder=%00`)
    expect(await json(compared)).toMatchObject({ status: 400, body: { code: 'INVALID_PATH' } })
  })
})

it('a deleted checkpoint releases what it kept', async () => {
  const workspace = await withFiles({ '/a': 'one' }, { history_versions: 1 })
  const id = await mark(workspace, 'start')
  await workspace.put('/a', 'two')
  const stub = stubOf(workspace)
  const countBlobs = () =>
    runInDurableObject(
      stub,
      (_, { storage: { sql } }) => sql.exec('SELECT count(*) AS n FROM blobs').one()['n'],
    )
  expect(await countBlobs()).toBe(2)
  await workspace.fetch(`/checkpoints/${id}`, { method: 'DELETE' })
  // The alarm may have fired by itself, and still be running.
  const countReleased = async () => {
    await runDurableObjectAlarm(stub)
    return countBlobs()
  }
  await expect.poll(countReleased).toBe(1)
  await expectWhole(stub)
})

it('a release takes several batches, and continues after an eviction', async () => {
  const stub = stubOf(freshWorkspace())
  const paths = Array.from({ length: 600 }, (_, n) => `/d/${n}`)
  const limits = { ...STORE_LIMITS, versions: 1 }
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    const write = async (text: string) => {
      const content = await store.hold(bytesOf(text))
      const steps = paths.map((path) => ({ type: 'put', path: parsePath(path), content }) as const)
      const note = { tool: 'test', intent: 'Write', actor: TESTER, decision: [] }
      expect(store.apply({ basis: store.totals.version, steps, note, limits }).ok).toBe(true)
    }
    await write('one')
    const made = store.checkpoints.create('start', TESTER)
    await write('two')
    if (made.ok) store.checkpoints.delete(made.value.id)
    expect(store.checkpoints.release()).toBe(true)
  })
  await evictDurableObject(stub)
  await runInDurableObject(stub, (_, state) => {
    const { checkpoints } = storeOf(state)
    expect(checkpoints.release()).toBe(false)
    const held = state.storage.sql.exec('SELECT count(*) AS n FROM versions WHERE held = 1').one()
    expect(held).toEqual({ n: 0 })
  })
  await expectWhole(stub)
})

describe('limits', () => {
  const fill = (workspace: Workspace, count: number, session: string | null) =>
    runInDurableObject(stubOf(workspace), (_, state) => {
      const { checkpoints } = storeOf(state)
      for (let n = 0; n < count; n++) checkpoints.create(`n${n}`, { ...TESTER, session })
    })

  it('of a workspace', async () => {
    const workspace = await withFiles({})
    await fill(workspace, MAX_CHECKPOINTS - 1, null)
    await workspace.text('create_checkpoint', { name: 'last' })
    expect(await workspace.code('create_checkpoint', { name: 'x' })).toBe('CHECKPOINTS_FULL')
    const init = { method: 'POST', body: '{"name":"x"}' }
    expect((await workspace.fetch('/checkpoints', init)).status).toBe(409)
  })

  it('of all sessions', async () => {
    const workspace = await withFiles({})
    const { client, session } = await ownerLinkOf(workspace)
    await fill(workspace, MAX_SESSION_CHECKPOINTS - 1, session)
    await client.text('create_checkpoint', { name: 'last' })
    expect(await client.code('create_checkpoint', { name: 'x' })).toBe('CHECKPOINTS_FULL')
    await workspace.text('create_checkpoint', { name: 'of the owner' })
  })

  it('of a name', async () => {
    const workspace = await withFiles({})
    const name = 'x'.repeat(MAX_CHECKPOINT_NAME_LENGTH)
    await workspace.text('create_checkpoint', { name })
    expect(await workspace.code('create_checkpoint', { name: `${name}x` })).toBe('INVALID_NAME')
  })

  it('of the paths of a restore', async () => {
    const workspace = await withFiles({})
    await mark(workspace, 'start')
    const write = (folder: string, count: number) =>
      seed(
        stubOf(workspace),
        Array.from({ length: count }, (_, n) => `${folder}/${n}`),
      )
    await write('/a', MAX_DIFFERING_PATHS - 2)
    await write('/b', 1)
    const restore = (folder?: string) =>
      workspace.fetch('/checkpoints/start/restore', {
        method: 'POST',
        body: JSON.stringify(folder === undefined ? {} : { folder }),
      })
    expect(await json(await restore())).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_PATHS' },
    })
    const { result } = await workspace.call('compare_checkpoints', { from: 'start' })
    expect(result?.structuredContent).toMatchObject({ complete: false })
    expect((await json(await restore('/a'))).status).toBe(200)
    expect(await filesOf(workspace)).toEqual({ '/b': null, '/b/0': 'x' })
  })
})
