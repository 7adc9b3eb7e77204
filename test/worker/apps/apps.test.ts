/** Apps from files: only what the owner has approved is served, and only while it is unchanged. */

import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import {
  approveApp,
  appTools,
  appUris,
  decideApp,
  findApp,
  listApps,
  readAppPage,
  writeApp,
} from '../../support/worker/apps.ts'

const PAGE = '<!doctype html><title>Board</title>'

type Workspace = ReturnType<typeof freshWorkspace>

const uriOf = ({ base }: Workspace, name: string) => `ui://${base.split('/').at(-1)}/${name}`

async function withBoard(manifest: Record<string, unknown> = { data: ['board.md'] }) {
  const workspace = freshWorkspace()
  await workspace.put('/board.md', '## To do\n- [ ] one\n')
  await writeApp(workspace, 'board', { 'index.html': PAGE, 'app.json': manifest })
  return { workspace, uri: uriOf(workspace, 'board') }
}

/** Expects that the app is not offered and cannot be used. */
async function expectUnserved(workspace: Workspace, name = 'board') {
  expect(await appTools(workspace)).toEqual([])
  expect(await appUris(workspace)).toEqual([])
  expect(await readAppPage(workspace, uriOf(workspace, name))).toBeNull()
  const { error } = await workspace.call(`open_${name}`)
  expect(error?.message).toBe(`Unknown tool: "open_${name}"`)
}

const setConfig = async ({ fetch }: Workspace, config: unknown) => {
  const set = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(set.status, await set.text()).toBe(200)
}

describe('an app', () => {
  it('waits until the owner has approved it, and is served then', async () => {
    const { workspace, uri } = await withBoard()
    expect(await findApp(workspace, 'board')).toMatchObject({ state: 'waiting', problems: [] })
    await expectUnserved(workspace)

    await approveApp(workspace, 'board')
    expect(await findApp(workspace, 'board')).toMatchObject({ state: 'approved' })
    expect(await appTools(workspace)).toEqual(['open_board'])
    expect(await appUris(workspace)).toEqual([uri])
    expect(await readAppPage(workspace, uri)).toMatchObject({ uri, text: PAGE })

    await evictDurableObject(stubOf(workspace))
    expect(await appTools(workspace)).toEqual(['open_board'])
  })

  it.each([
    ['its page is changed', 'index.html', '<script>steal()</script>'],
    ['its manifest is changed', 'app.json', { data: ['**'] }],
    ['a file is added', 'more.js', 'x'],
  ])('is not served once %s', async (_, file, content) => {
    const { workspace } = await withBoard()
    await approveApp(workspace, 'board')
    await writeApp(workspace, 'board', { [file]: content })
    await expectUnserved(workspace)
    const app = await findApp(workspace, 'board')
    expect(app.state).toBe('waiting')
    expect(app.files.filter(({ change }) => change !== null)).toMatchObject([
      { path: `/.apps/board/${file}`, change: file === 'more.js' ? 'added' : 'changed' },
    ])
  })

  it('is served again when its files are what was approved', async () => {
    const { workspace } = await withBoard()
    await approveApp(workspace, 'board')
    await writeApp(workspace, 'board', { 'index.html': 'other' })
    await writeApp(workspace, 'board', { 'index.html': PAGE })
    expect(await appTools(workspace)).toEqual(['open_board'])
  })

  it('is served again when exactly the approved files are back after its folder was deleted', async () => {
    const { workspace } = await withBoard({})
    await approveApp(workspace, 'board')
    await workspace.call('delete_file', { path: '/.apps/board' })
    await writeApp(workspace, 'board', { 'index.html': PAGE })
    await expectUnserved(workspace)
    await writeApp(workspace, 'board', { 'app.json': {} })
    expect(await appTools(workspace)).toEqual(['open_board'])
  })

  it('does not come back once the decision is taken back, also while its folder is gone', async () => {
    const { workspace } = await withBoard({})
    await approveApp(workspace, 'board')
    await workspace.call('delete_file', { path: '/.apps/board' })
    expect((await decideApp(workspace, 'board/withdraw', {})).status).toBe(200)
    await writeApp(workspace, 'board', { 'index.html': PAGE, 'app.json': {} })
    await expectUnserved(workspace)
    expect(await findApp(workspace, 'board')).toMatchObject({ state: 'waiting' })
  })

  it('shows the manifest of its files of now after each change', async () => {
    const { workspace } = await withBoard({ title: 'One' })
    const title = async () => (await findApp(workspace, 'board')).manifest?.['title']
    for (const next of ['Two', 'One', 'Three']) {
      await writeApp(workspace, 'board', { 'app.json': { title: next } })
      expect([await title(), await title()]).toEqual([next, next])
    }
  })

  it.each([
    ['deleted', 'delete_file', { path: '/.apps/board' }],
    ['moved', 'move_file', { from: '/.apps/board', to: '/.apps/other' }],
    ['moved with all apps', 'move_file', { from: '/.apps', to: '/old' }],
  ])('is not served once its folder is %s', async (_, tool, args) => {
    const { workspace } = await withBoard()
    await approveApp(workspace, 'board')
    const { result } = await workspace.call(tool, args)
    expect(result?.isError).toBeFalsy()
    await expectUnserved(workspace)
    expect(await appTools(workspace)).toEqual([])
  })

  it('is not served from a draft, and a draft does not change what is served', async () => {
    const { workspace, uri } = await withBoard()
    await setConfig(workspace, { approval: 'review' })
    await workspace.call('write_file', { path: '/.apps/new/index.html', content: PAGE })
    expect((await listApps(workspace)).map(({ name }) => name)).toEqual(['board'])
    await approveApp(workspace, 'board')
    await workspace.call('write_file', { path: '/.apps/board/index.html', content: 'evil' })
    expect(await readAppPage(workspace, uri)).toMatchObject({ text: PAGE })
    expect(await appTools(workspace)).toEqual(['open_board'])
  })

  it('that was turned down stays so until it changes', async () => {
    const { workspace } = await withBoard()
    const { revision } = await findApp(workspace, 'board')
    await decideApp(workspace, 'board/turn-down', { revision })
    expect(await findApp(workspace, 'board')).toMatchObject({ state: 'turned_down' })
    await expectUnserved(workspace)
    await writeApp(workspace, 'board', { 'index.html': 'better' })
    expect(await findApp(workspace, 'board')).toMatchObject({ state: 'waiting' })
  })

  it('is not served once the approval is taken back', async () => {
    const { workspace } = await withBoard()
    await approveApp(workspace, 'board')
    expect((await decideApp(workspace, 'board/withdraw', {})).status).toBe(200)
    await expectUnserved(workspace)
    expect((await decideApp(workspace, 'board/withdraw', {})).status).toBe(404)
  })

  it('is for callers that may read its folder', async () => {
    const { workspace, uri } = await withBoard()
    await approveApp(workspace, 'board')
    await setConfig(workspace, { roots: [{ path: '/docs' }] })
    await expectUnserved(workspace)
    await setConfig(workspace, { roots: [{ path: '/', deny: ['.apps/**'] }] })
    await expectUnserved(workspace)
    await setConfig(workspace, { roots: [{ path: '/.apps' }] })
    expect(await readAppPage(workspace, uri)).toMatchObject({ text: PAGE })
  })
})

describe('a folder', () => {
  it.each([
    ['has capital letters', 'Board'],
    ['has a dot', 'a.b'],
    ['is too long', 'x'.repeat(41)],
    ['starts with a dash', '-a'],
  ])('is no app if its name %s', async (_, name) => {
    const workspace = freshWorkspace()
    await writeApp(workspace, name, { 'index.html': PAGE })
    expect(await listApps(workspace)).toEqual([])
    expect((await decideApp(workspace, `${name}/approve`, { revision: 'x' })).status).toBe(404)
  })

  it.each([
    ['in Latin-1', [0x63, 0x61, 0x66, 0xe9]],
    ['in UTF-16', [0xff, 0xfe, 0x3c, 0x00]],
    ['with a NUL', [0x3c, 0x00, 0x3e]],
  ])('whose page is %s cannot be approved, with or without a template', async (_, bytes) => {
    const workspace = freshWorkspace()
    await workspace.put('/.apps/board/index.html', new Uint8Array(bytes))
    for (const manifest of [{}, { template: 'kanban' }]) {
      await writeApp(workspace, 'board', { 'app.json': manifest })
      expect(await findApp(workspace, 'board')).toMatchObject({
        state: 'invalid',
        problems: [{ pointer: '/entrypoint', message: 'is not text in UTF-8' }],
      })
    }
    const { revision } = await findApp(workspace, 'board')
    const { body } = await decideApp(workspace, 'board/approve', { revision })
    expect(body).toMatchObject({ code: 'APP_INVALID' })
    await expectUnserved(workspace)
  })

  it.each([
    ['without a page or a template', { 'app.json': {} }, '/entrypoint'],
    ['whose manifest is not JSON', { 'index.html': PAGE, 'app.json': '{' }, ''],
    ['whose manifest is not text', { 'index.html': PAGE, 'app.json': '\u0000' }, ''],
    ['whose page is elsewhere', { 'app.json': { entrypoint: '../x.html' } }, '/entrypoint'],
  ])('%s cannot be approved', async (_, files, pointer) => {
    const workspace = freshWorkspace()
    await writeApp(workspace, 'board', files)
    const app = await findApp(workspace, 'board')
    expect(app).toMatchObject({ state: 'invalid', manifest: null })
    expect(app.problems.map((problem) => problem.pointer)).toEqual([pointer])
    const { revision } = app
    expect(await decideApp(workspace, 'board/approve', { revision })).toMatchObject({
      status: 422,
      body: { code: 'APP_INVALID' },
    })
  })
})

it('two apps have pages and data of their own', async () => {
  const { workspace } = await withBoard()
  await writeApp(workspace, 'list', { 'index.html': 'list', 'app.json': { data: ['list.csv'] } })
  await workspace.put('/list.csv', 'a,b\n')
  await approveApp(workspace, 'board')
  await approveApp(workspace, 'list')
  expect(await appTools(workspace)).toEqual(['open_board', 'open_list'])
  const { result } = await workspace.call('open_list')
  expect(result?.structuredContent['files']).toMatchObject([{ path: '/list.csv' }])
  expect(await readAppPage(workspace, uriOf(workspace, 'list'))).toMatchObject({ text: 'list' })
})

it('an app that was approved in one workspace is not served in another', async () => {
  const { workspace, uri } = await withBoard()
  await approveApp(workspace, 'board')
  expect(await readAppPage(freshWorkspace(), uri)).toBeNull()
})
