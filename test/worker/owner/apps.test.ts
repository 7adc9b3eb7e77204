/** `/apps`: what the owner is shown, and that only a page of this origin decides on what it has shown. */

import { MAX_DIFF_BYTES } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import {
  approveApp,
  appTools,
  appUris,
  decideApp,
  findApp,
  readAppPage,
  writeApp,
} from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

async function withApp() {
  const workspace = freshWorkspace()
  const manifest = { title: 'Board', data: ['board.md'], write: ['board.md'] }
  await writeApp(workspace, 'board', { 'app.json': manifest, 'index.html': 'one\ntwo\n' })
  return workspace
}

const read = async ({ fetch }: ReturnType<typeof freshWorkspace>, path: string) => {
  const answer = await fetch(path)
  return { status: answer.status, body: await answer.json<Record<string, unknown>>() }
}

it('lists the apps with what they ask for', async () => {
  const workspace = await withApp()
  const { body } = await read(workspace, '/apps')
  expect(body).toMatchObject({
    waiting: 1,
    apps: [
      {
        name: 'board',
        state: 'waiting',
        manifest: { title: 'Board', data: ['board.md'], write: ['board.md'] },
        problems: [],
        files: [
          { path: '/.apps/board/app.json', change: 'added' },
          { path: '/.apps/board/index.html', change: 'added', size: 8 },
        ],
        decided: null,
      },
    ],
  })
  expect((await read(workspace, '/apps/board')).body).toMatchObject({ name: 'board' })
  expect((await read(workspace, '/apps/other')).status).toBe(404)
})

it('lists an approved app, however many files and folders come before it', async () => {
  const workspace = await withApp()
  await approveApp(workspace, 'board')
  for (let index = 0; index < 33; index++) {
    await workspace.put(`/.apps/0${index}.txt`, 'x')
    await writeApp(workspace, `a${index}`, { 'index.html': 'page' })
  }
  expect(await findApp(workspace, 'board')).toMatchObject({ state: 'approved' })
  expect(await findApp(workspace, 'a0')).toMatchObject({ state: 'waiting' })
})

it('lists an approved app while its folder is none, because it is served again once the files are back', async () => {
  const workspace = await withApp()
  await approveApp(workspace, 'board')
  const { revision } = await findApp(workspace, 'board')
  await workspace.call('move_file', { from: '/.apps/board', to: '/elsewhere' })
  const app = await findApp(workspace, 'board')
  expect(app).toMatchObject({
    state: 'invalid',
    manifest: null,
    problems: [
      { pointer: '', message: 'is not in a folder of 1 to 64 files and at most 64 folders' },
    ],
    files: [{ change: 'deleted' }, { change: 'deleted' }],
    decided: { state: 'approved', manifest: { title: 'Board' } },
  })
  for (const shown of [revision, app.revision])
    expect((await decideApp(workspace, 'board/approve', { revision: shown })).status).toBe(409)
  await workspace.call('move_file', { from: '/elsewhere', to: '/.apps/board' })
  expect(await findApp(workspace, 'board')).toMatchObject({ state: 'approved', revision })
})

it('lists no app that was turned down and is gone', async () => {
  const workspace = await withApp()
  const { revision } = await findApp(workspace, 'board')
  await decideApp(workspace, 'board/turn-down', { revision })
  await workspace.call('delete_file', { path: '/.apps/board' })
  expect((await read(workspace, '/apps')).body).toEqual({ waiting: 0, left: 0, apps: [] })
})

it.each([
  ['nests deeply', `{"config":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`],
  ['has many problems', `{"meta":{"csp":{"connectDomains":[${'1,'.repeat(32_000)}1]}}}`],
  ['has many bad origins', `{"meta":{"csp":{"connectDomains":[${'"",'.repeat(21_000)}""]}}}`],
  ['has a long field', `{"${'x'.repeat(60_000)}":1}`],
])('stays readable beside an app whose manifest %s', async (_, manifest) => {
  const workspace = await withApp()
  await writeApp(workspace, 'bad', { 'index.html': 'page', 'app.json': manifest })
  const answer = await workspace.fetch('/apps')
  expect(answer.status).toBe(200)
  expect((await answer.text()).length).toBeLessThan(20_000)
  expect(await findApp(workspace, 'bad')).toMatchObject({ state: 'invalid' })
  await approveApp(workspace, 'board')
  expect(await appTools(workspace)).toEqual(['open_board'])
})

it('shows what has changed since the approval', async () => {
  const workspace = await withApp()
  await approveApp(workspace, 'board')
  await writeApp(workspace, 'board', { 'index.html': 'one\nTWO\n', 'new.css': 'x' })
  const { body } = await read(workspace, '/apps/board/diff?path=/.apps/board/index.html')
  expect(body).toMatchObject({
    file: {
      from: '/.apps/board/index.html',
      hunks: [{ lines: [{ text: 'one' }, { text: 'two' }, { text: 'TWO' }] }],
    },
    forgotten: false,
  })
  const added = await read(workspace, '/apps/board/diff?path=/.apps/board/new.css')
  expect(added.body).toMatchObject({ file: { from: null } })
})

it('shows no diff of other files than those of the named revision', async () => {
  const workspace = await withApp()
  const { revision } = await findApp(workspace, 'board')
  const address = `/apps/board/diff?path=/.apps/board/index.html&revision=${revision}`
  expect((await read(workspace, address)).body).toMatchObject({
    revision,
    file: { hunks: [{ lines: [{ text: 'one' }, { text: 'two' }] }] },
  })
  await writeApp(workspace, 'board', { 'index.html': 'other\n' })
  expect(await read(workspace, address)).toMatchObject({
    status: 409,
    body: { code: 'APP_CHANGED' },
  })
  await writeApp(workspace, 'board', { 'index.html': 'one\ntwo\n' })
  expect((await read(workspace, address)).status).toBe(200)
})

const BYTES = new Uint8Array([0x23, 0xff, 0x0a, 0x00])

describe('a file of an app that cannot be shown as text', () => {
  const path = '/.apps/board/code.wasm'
  const approve = async (workspace: ReturnType<typeof freshWorkspace>, unseen?: unknown) => {
    const { revision } = await findApp(workspace, 'board')
    return decideApp(workspace, 'board/approve', { revision, unseen })
  }

  it.each([
    ['bytes', BYTES],
    ['a long text', 'x'.repeat(MAX_DIFF_BYTES + 1)],
  ])('is approved only by its path: %s', async (_, content) => {
    const workspace = await withApp()
    await workspace.put(path, content)
    expect((await findApp(workspace, 'board')).files).toMatchObject([
      { path: '/.apps/board/app.json' },
      { path, unseen: true },
      { path: '/.apps/board/index.html' },
    ])
    for (const unseen of [undefined, [], ['/.apps/board/index.html']])
      expect(await approve(workspace, unseen)).toMatchObject({
        status: 409,
        body: { code: 'APP_UNSEEN', message: expect.stringContaining(JSON.stringify(path)) },
      })
    expect(await appTools(workspace)).toEqual([])
    expect(await approve(workspace, [path])).toMatchObject({ status: 200 })
    expect(await appTools(workspace)).toEqual(['open_board'])
  })

  it('is approved again only if it has changed since', async () => {
    const workspace = await withApp()
    await workspace.put(path, BYTES)
    expect(await approve(workspace, [path])).toMatchObject({ status: 200 })
    await writeApp(workspace, 'board', { 'index.html': 'other' })
    expect(await approve(workspace)).toMatchObject({ status: 200 })
    await workspace.put(path, new Uint8Array([0xff, 0x00, 0x01]))
    expect(await approve(workspace)).toMatchObject({ status: 409, body: { code: 'APP_UNSEEN' } })
  })

  it('was not approved by turning it down, which needs no path', async () => {
    const workspace = await withApp()
    await workspace.put(path, BYTES)
    const { revision } = await findApp(workspace, 'board')
    expect(await decideApp(workspace, 'board/turn-down', { revision })).toMatchObject({
      status: 200,
    })
    expect(await approve(workspace)).toMatchObject({ status: 409, body: { code: 'APP_UNSEEN' } })
  })
})

describe('a file of an app', () => {
  it('can be opened in full, as it was approved and as it is now', async () => {
    const workspace = await withApp()
    await approveApp(workspace, 'board')
    await workspace.put('/.apps/board/index.html', BYTES)
    const address = '/apps/board/file?path=/.apps/board/index.html'
    const raw = await workspace.fetch(`${address}&side=after`)
    expect(new Uint8Array(await raw.arrayBuffer())).toEqual(BYTES)
    expect(raw.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(raw.headers.get('content-security-policy')).toContain('sandbox')
    const before = await workspace.fetch(`${address}&side=before`)
    expect(await before.text()).toBe('one\ntwo\n')
    expect(await read(workspace, `${address}&side=x`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_SIDE' },
    })
  })

  it('is opened only at the named revision', async () => {
    const workspace = await withApp()
    const { revision } = await findApp(workspace, 'board')
    await writeApp(workspace, 'board', { 'app.json': { title: 'Other' } })
    const address = '/apps/board/file?path=/.apps/board/index.html'
    expect(await read(workspace, `${address}&revision=${revision}`)).toMatchObject({
      status: 409,
      body: { code: 'APP_CHANGED' },
    })
  })

  it.each([
    ['/board.md', 'after'],
    ['/.apps/other/index.html', 'after'],
    ['/.apps/board/index.html', 'before'],
  ])('is not opened at %s %s', async (path, side) => {
    const workspace = await withApp()
    await workspace.put('/board.md', 'x')
    const { status } = await read(workspace, `/apps/board/file?path=${path}&side=${side}`)
    expect(status).toBe(404)
  })
})

it.each(['/board.md', '/.apps/other/index.html', '..', ''])('shows no diff of %j', async (path) => {
  const workspace = await withApp()
  await workspace.put('/board.md', 'x')
  const { status } = await read(workspace, `/apps/board/diff?path=${encodeURIComponent(path)}`)
  expect(status).toBeGreaterThanOrEqual(400)
})

describe('a preview', () => {
  const preview = async (
    workspace: ReturnType<typeof freshWorkspace>,
    manifest: unknown,
    name = 'tasks',
  ) => {
    const body = JSON.stringify({
      manifest: typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
    })
    const answer = await workspace.fetch(`/apps/${name}/preview`, { method: 'POST', body })
    return { status: answer.status, body: await answer.json<Record<string, unknown>>() }
  }

  it('is the page that the app would have, and changes nothing', async () => {
    const workspace = freshWorkspace()
    const config = { title: '</script>' }
    const manifest = { title: 'Tasks', template: 'kanban', data: ['t/*.md'], config }
    const { body } = await preview(workspace, manifest)
    expect(body).toMatchObject({ taken: false, problems: [], title: 'Tasks', data: ['/t/*.md'] })
    const page = String(body['page'])
    expect(page).toContain(String.raw`"config":{"title":"\u003c/script>"}`)
    expect((await read(workspace, '/apps')).body).toMatchObject({ waiting: 0, apps: [] })
    expect(await appTools(workspace)).toEqual([])
    await writeApp(workspace, 'tasks', { 'app.json': manifest })
    await approveApp(workspace, 'tasks')
    const [uri = ''] = await appUris(workspace)
    expect(await readAppPage(workspace, uri)).toMatchObject({ text: page })
  })

  it.each([
    ['{', ''],
    [{ template: 'kanban', config: { columns: [{ id: 7 }] } }, '/config/columns/0/id'],
    [{ template: 'kanban', data: ['../x'] }, '/data/0'],
    [{ entrypoint: 'index.html' }, '/template'],
    ['x'.repeat(64 * 1024 + 1), ''],
  ])('names the problem of %j at its place', async (manifest, pointer) => {
    const { status, body } = await preview(freshWorkspace(), manifest)
    expect(status).toBe(200)
    expect(body).toMatchObject({ problems: [{ pointer }] })
    expect(body['page']).toBeUndefined()
  })

  it('says that a name is taken, or is none', async () => {
    const workspace = await withApp()
    expect((await preview(workspace, { template: 'kanban' }, 'board')).body).toMatchObject({
      taken: true,
    })
    const { body } = await preview(workspace, { template: 'kanban' }, 'No-Name')
    expect(body).toMatchObject({ taken: false, problems: [{ pointer: '/name' }] })
  })

  it.each([null, {}, { manifest: 7 }, { manifest: '{}', more: 1 }])(
    'is refused for %j',
    async (body) => {
      const init = { method: 'POST', body: JSON.stringify(body) }
      expect((await freshWorkspace().fetch('/apps/tasks/preview', init)).status).toBe(400)
    },
  )

  it('is asked for with POST', async () => {
    expect((await read(freshWorkspace(), '/apps/tasks/preview')).status).toBe(405)
  })
})

describe('a decision', () => {
  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['no page', {}],
  ])('does not come from %s', async (_, headers) => {
    const workspace = await withApp()
    const { revision } = await findApp(workspace, 'board')
    for (const what of ['approve', 'turn-down', 'withdraw'])
      expect((await decideApp(workspace, `board/${what}`, { revision }, headers)).status).toBe(403)
    expect(await appTools(workspace)).toEqual([])
  })

  it('names the revision that was shown', async () => {
    const workspace = await withApp()
    const { revision } = await findApp(workspace, 'board')
    await writeApp(workspace, 'board', { 'index.html': 'swapped' })
    const { status, body } = await decideApp(workspace, 'board/approve', { revision })
    expect([status, body['code']]).toEqual([409, 'APP_CHANGED'])
    expect(await appTools(workspace)).toEqual([])
  })

  it.each([{}, { revision: 1 }, { revision: 'x', name: 'y' }, null, []])(
    'is refused as %j',
    async (body) => {
      expect((await decideApp(await withApp(), 'board/approve', body)).status).toBe(400)
    },
  )

  it('is not taken back by a body that was meant for an MCP endpoint', async () => {
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }
    expect((await decideApp(await withApp(), 'board/withdraw', body)).status).toBe(400)
  })

  it('is in the audit log', async () => {
    const workspace = await withApp()
    await approveApp(workspace, 'board')
    const { body } = await read(workspace, '/audit')
    expect(JSON.stringify(body)).toContain('approve_app')
  })

  it('is not made over MCP, nor through a link', async () => {
    const workspace = await withApp()
    const made = await workspace.fetch('/sessions', {
      method: 'POST',
      body: JSON.stringify({ label: 'agent', ttl_seconds: 60 }),
    })
    const { url } = await made.json<{ url: string }>()
    const link = url.replace(/\/mcp$/, '')
    const { revision } = await findApp(workspace, 'board')
    const headers = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
    const init = { method: 'POST', body: JSON.stringify({ revision }), headers }
    const { status } = await freshWorkspace(`${link}/mcp`).fetch('/apps/board/approve', init)
    expect(status).toBe(401)
    expect(await appTools(workspace)).toEqual([])
  })
})
