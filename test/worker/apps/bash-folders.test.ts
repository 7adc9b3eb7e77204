/** The folders of mcp-bash, `/ui/{name}` and `/tools/{tool}/ui`: apps by the same rules, and nothing else of these folders. */

import { MAX_APPS, MAX_APPS_ENTRIES } from '#worker/apps/limits.ts'
import { describe, expect, it } from 'vitest'
import {
  approveApp,
  appTools,
  appUris,
  decideApp,
  findApp,
  listApps,
  readAppPage,
  viewOf,
} from '../../support/worker/apps.ts'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'

const PAGE = '<!doctype html><title>Board</title>'
const [BOARD, SEARCH] = ['ui/board', 'tools/search_files/ui']

const DENIED = ['ui/**', 'tools/**']

type Workspace = ReturnType<typeof freshWorkspace>

const uriOf = ({ base }: Workspace, name: string) => `ui://${base.split('/').at(-1)}/${name}`

/** The name of an app in an address. */
const at = (name: string) => encodeURIComponent(name)

async function write(workspace: Workspace, folder: string, files: Record<string, unknown>) {
  for (const [file, content] of Object.entries(files))
    await workspace.put(
      `/${folder}/${file}`,
      typeof content === 'string' ? content : JSON.stringify(content),
    )
}

async function withApp(folder: string, manifest: Record<string, unknown> = {}) {
  const workspace = freshWorkspace()
  await write(workspace, folder, { 'index.html': PAGE, 'ui.meta.json': manifest })
  return { workspace, uri: uriOf(workspace, folder) }
}

async function approve(workspace: Workspace, name: string) {
  const { revision } = await findApp(workspace, name)
  const { status, body } = await decideApp(workspace, `${at(name)}/approve`, { revision })
  expect(status, JSON.stringify(body)).toBe(200)
}

const names = async (workspace: Workspace) => (await listApps(workspace)).map(({ name }) => name)

describe('/ui/{name}', () => {
  it('is an app once it is approved', async () => {
    const { workspace, uri } = await withApp(BOARD, { data: ['board.md'] })
    await workspace.put('/board.md', 'text')
    expect(await findApp(workspace, BOARD)).toMatchObject({ state: 'waiting', problems: [] })
    expect(await appTools(workspace)).toEqual([])
    expect(await readAppPage(workspace, uri)).toBeNull()

    await approve(workspace, BOARD)
    expect(await appTools(workspace)).toEqual(['open_ui_board'])
    expect(await appUris(workspace)).toEqual([uri])
    expect(await readAppPage(workspace, uri)).toMatchObject({ uri, text: PAGE })
    const { result } = await workspace.call('open_ui_board')
    expect(result?.structuredContent).toMatchObject({ files: [{ path: '/board.md' }] })
    const part = await workspace.call('part_of_ui_board', { file: '/board.md' })
    expect(part.result?.structuredContent).toMatchObject({ text: 'text' })
    expect(await viewOf(workspace, 'open_ui_board')).toBe(uri)
  })

  it('is not served once a file of its folder has changed, nor once its approval is taken back', async () => {
    const { workspace, uri } = await withApp(BOARD)
    await approve(workspace, BOARD)
    await write(workspace, BOARD, { 'more.js': 'x' })
    expect(await readAppPage(workspace, uri)).toBeNull()
    expect(await findApp(workspace, BOARD)).toMatchObject({ state: 'waiting' })
    await workspace.call('delete_file', { path: `/${BOARD}/more.js` })
    expect(await appTools(workspace)).toEqual(['open_ui_board'])
    expect((await decideApp(workspace, `${at(BOARD)}/withdraw`, {})).status).toBe(200)
    expect(await appTools(workspace)).toEqual([])
  })

  it('shows each file and what it differs in', async () => {
    const { workspace } = await withApp(BOARD)
    const { revision, files } = await findApp(workspace, BOARD)
    expect(files.map(({ path }) => path)).toEqual([
      `/${BOARD}/index.html`,
      `/${BOARD}/ui.meta.json`,
    ])
    const query = new URLSearchParams({ path: `/${BOARD}/index.html`, revision })
    const diff = await workspace.fetch(`/apps/${at(BOARD)}/diff?${query.toString()}`)
    expect(JSON.stringify(await diff.json())).toContain('<title>Board')
  })

  it('can show the results of a tool', async () => {
    const { workspace, uri } = await withApp(BOARD, { for: 'find_files' })
    await approve(workspace, BOARD)
    expect(await viewOf(workspace, 'find_files')).toBe(uri)
    expect(await appTools(workspace)).toEqual([])
  })

  it('may be named in its manifest by its own folder, and not by another name', async () => {
    const { workspace } = await withApp(BOARD, { name: 'board' })
    expect(await findApp(workspace, BOARD)).toMatchObject({ state: 'waiting' })
    await write(workspace, BOARD, { 'ui.meta.json': { name: BOARD } })
    expect(await findApp(workspace, BOARD)).toMatchObject({ problems: [{ pointer: '/name' }] })
  })

  it('is another app than the folder of the same name below /.apps', async () => {
    const { workspace } = await withApp(BOARD)
    await write(workspace, '.apps/board', { 'index.html': 'other' })
    await approve(workspace, BOARD)
    expect(await names(workspace)).toEqual(['board', BOARD])
    expect(await readAppPage(workspace, uriOf(workspace, 'board'))).toBeNull()
    expect(await appTools(workspace)).toEqual(['open_ui_board'])
    await approveApp(workspace, 'board')
    expect(await appTools(workspace)).toEqual(['open_board', 'open_ui_board'])
    expect(await readAppPage(workspace, uriOf(workspace, BOARD))).toMatchObject({ text: PAGE })
  })

  it('has no tool where an app below /.apps has the tool of that name', async () => {
    const { workspace } = await withApp(BOARD)
    await write(workspace, '.apps/ui_board', { 'index.html': 'other' })
    await approve(workspace, BOARD)
    await approveApp(workspace, 'ui_board')
    expect(await appTools(workspace)).toEqual(['open_ui_board'])
    const { result } = await workspace.call('open_ui_board')
    expect(result?.structuredContent).toMatchObject({ app: 'ui_board' })
  })
})

describe('/tools/{tool}/ui', () => {
  it('is the view of that tool once it is approved', async () => {
    const { workspace, uri } = await withApp(SEARCH)
    expect(await findApp(workspace, SEARCH)).toMatchObject({
      state: 'waiting',
      manifest: { title: 'search_files', forTool: 'search_files' },
    })
    expect(await viewOf(workspace, 'search_files')).toBe('ui://edgewise/files')
    await approve(workspace, SEARCH)
    expect(await viewOf(workspace, 'search_files')).toBe(uri)
    expect(await readAppPage(workspace, uri)).toMatchObject({ text: PAGE })
    expect(await appTools(workspace)).toEqual([])
    await write(workspace, SEARCH, { 'index.html': 'other' })
    expect(await viewOf(workspace, 'search_files')).toBe('ui://edgewise/files')
  })

  it('can be for no other tool', async () => {
    const { workspace } = await withApp(SEARCH, { for: 'find_files' })
    const message = 'is not the tool of its folder, search_files'
    expect(await findApp(workspace, SEARCH)).toMatchObject({
      state: 'invalid',
      problems: [{ pointer: '/for', message }],
    })
    await write(workspace, SEARCH, { 'ui.meta.json': { for: 'search_files' } })
    expect(await findApp(workspace, SEARCH)).toMatchObject({ state: 'waiting' })
  })

  it.each(['write_file', 'delegate', 'list_folder'])('of %s cannot be approved', async (tool) => {
    const { workspace } = await withApp(`tools/${tool}/ui`)
    const { state, problems, revision } = await findApp(workspace, `tools/${tool}/ui`)
    expect([state, problems[0]?.pointer]).toEqual(['invalid', '/for'])
    const decided = await decideApp(workspace, `${at(`tools/${tool}/ui`)}/approve`, { revision })
    expect(decided.status).toBe(422)
  })
})

describe('a folder that people have for other reasons', () => {
  it.each([
    ['has no manifest', 'ui/board', { 'index.html': PAGE }],
    ['has an app.json of something else', 'ui/board', { 'index.html': PAGE, 'app.json': {} }],
    ['has its manifest deeper', 'ui/board/src', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['is the folder itself', 'ui', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['has capital letters', 'UI/board', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['has a name of no app', 'ui/Board', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['is in another folder', 'docs/ui/board', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['is of no tool', 'tools/weather/ui', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['is the folder of a tool', 'tools/search_files', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['differs in case', 'Tools/search_files/UI', { 'ui.meta.json': {}, 'index.html': PAGE }],
    ['has no manifest', 'tools/search_files/ui', { 'index.html': PAGE, 'app.json': {} }],
    ['has its manifest deeper', 'tools/search_files/ui/x', { 'ui.meta.json': {} }],
    ['has a folder in place of it', 'ui/board/ui.meta.json', { 'index.html': PAGE }],
  ])('%s: /%s is no app', async (_, folder, files) => {
    const workspace = freshWorkspace()
    await write(workspace, folder, files)
    expect(await listApps(workspace)).toEqual([])
    expect((await workspace.fetch(`/apps/${at(folder)}`)).status).toBe(404)
    const decided = await decideApp(workspace, `${at(folder)}/approve`, { revision: 'x' })
    expect(decided.status).toBe(404)
  })

  it.each([
    ['is not JSON', '{'],
    ['has unknown fields', { titel: 'x' }],
    ['has neither page nor template', {}],
  ])('with a manifest that %s cannot be approved', async (_, manifest) => {
    const workspace = freshWorkspace()
    await write(workspace, BOARD, { 'ui.meta.json': manifest })
    const { state, revision } = await findApp(workspace, BOARD)
    expect(state).toBe('invalid')
    const decided = await decideApp(workspace, `${at(BOARD)}/approve`, { revision })
    expect(decided.status).toBe(422)
  })

  it('with more files than an app may have is no app', async () => {
    const workspace = freshWorkspace()
    const files = Array.from({ length: 65 }, (_, index) => `/ui/site/${index}`)
    await seed(stubOf(workspace), [...files, '/ui/site/ui.meta.json', '/ui/zeta/ui.meta.json'])
    expect(await names(workspace)).toEqual(['ui/zeta'])
  })
})

it.each([
  '%',
  '%zz',
  '%2F',
  'ui%2F',
  'ui%2F..%2Fboard',
  '..%2Fui%2Fboard',
  'ui%2Fboard%2F',
  'tools%2F%2Fui',
])('there is no app at the address %s', async (name) => {
  const { workspace } = await withApp(BOARD)
  expect((await workspace.fetch(`/apps/${name}`)).status).toBe(404)
})

describe('who may read what', () => {
  it('an app is for callers that may read its folder', async () => {
    const { workspace, uri } = await withApp(BOARD)
    await write(workspace, SEARCH, { 'ui.meta.json': {}, 'index.html': PAGE })
    await approve(workspace, BOARD)
    await approve(workspace, SEARCH)
    for (const scope of ['read:file:/.apps', 'read:file:/docs']) {
      const { client } = await linkOf(workspace, { scopes: [scope] })
      expect(await appTools(client)).toEqual([])
      expect(await readAppPage(client, uri)).toBeNull()
      expect(await viewOf(client, 'search_files')).toBe('ui://edgewise/files')
      const { error } = await client.call('open_ui_board')
      expect(error?.message).toBe('Unknown tool: "open_ui_board"')
    }
    const { client } = await linkOf(workspace, { scopes: [`read:file:/${BOARD}`] })
    expect(await appTools(client)).toEqual(['open_ui_board'])
    expect(await viewOf(client, 'search_files')).toBe('ui://edgewise/files')
  })

  it.each([
    ['may not read', { scopes: ['write:file:/ui'] }, {}],
    ['is denied the folders by a policy', {}, { policy: { roots: [{ path: '/', deny: DENIED }] } }],
    [
      'is denied the folders by a person',
      {},
      { denied_scopes: ['read:file:/ui', 'read:file:/tools'] },
    ],
  ])('a caller that %s gets no app', async (_, wish, meta) => {
    const { workspace, uri } = await withApp(BOARD)
    await write(workspace, SEARCH, { 'ui.meta.json': {}, 'index.html': PAGE })
    await approve(workspace, BOARD)
    await approve(workspace, SEARCH)
    expect(await viewOf(workspace, 'search_files')).toBe(uriOf(workspace, SEARCH))
    const { client } = await linkOf(workspace, wish)
    expect(await appTools(client, meta)).toEqual([])
    expect(await viewOf(client, 'search_files', meta)).not.toBe(uriOf(workspace, SEARCH))
    const { error } = await client.call('open_ui_board', {}, meta)
    expect(error?.message).toBe('Unknown tool: "open_ui_board"')
    const read = await client.send('resources/read', { uri }, { meta: { ...meta } })
    expect(read.result).toBeUndefined()
  })

  it.each(['2', '1'])('a link of type %s in an archive becomes no app', async (kind) => {
    const workspace = freshWorkspace()
    await workspace.put('/secret.json', '{"template":"kanban"}')
    const { packTar } = await import('modern-tar')
    const type = kind === '2' ? ('symlink' as const) : ('link' as const)
    const headers = ['ui/evil/ui.meta.json', 'tools/read_file/ui/ui.meta.json'].map((name) => ({
      header: { name, size: 0, type, linkname: '../../secret.json' },
    }))
    const body = await packTar(headers)
    await (await workspace.fetch('/import', { method: 'POST', body })).text()
    for (const { name, state } of await listApps(workspace))
      expect([name, state]).toEqual([name, 'invalid'])
  })

  it('nothing is served from a draft', async () => {
    const workspace = freshWorkspace()
    const config = JSON.stringify({ approval: 'review' })
    expect((await workspace.fetch('/config', { method: 'PUT', body: config })).status).toBe(200)
    for (const folder of [BOARD, SEARCH])
      for (const [file, content] of [
        ['ui.meta.json', '{}'],
        ['index.html', PAGE],
      ])
        await workspace.text('write_file', { path: `/${folder}/${file}`, content })
    expect(await listApps(workspace)).toEqual([])
  })

  it('a decision on what was shown is refused if an agent wrote in between', async () => {
    const { workspace, uri } = await withApp(SEARCH)
    const { revision } = await findApp(workspace, SEARCH)
    await write(workspace, SEARCH, { 'index.html': '<script>steal()</script>' })
    const { status, body } = await decideApp(workspace, `${at(SEARCH)}/approve`, { revision })
    expect([status, body['code']]).toEqual([409, 'APP_CHANGED'])
    expect(await readAppPage(workspace, uri)).toBeNull()
  })

  it('an approval is for its folder: the same files elsewhere wait', async () => {
    const { workspace } = await withApp(BOARD)
    await approve(workspace, BOARD)
    await workspace.text('move_file', { from: '/ui/board', to: '/ui/other' })
    expect(await appTools(workspace)).toEqual([])
    expect(await findApp(workspace, 'ui/other')).toMatchObject({ state: 'waiting' })
    expect(await findApp(workspace, BOARD)).toMatchObject({ state: 'invalid' })
    await workspace.text('move_file', { from: '/ui/other', to: '/ui/board' })
    expect(await appTools(workspace)).toEqual(['open_ui_board'])
  })
})

it('folders of one link hide no app of another', async () => {
  const workspace = freshWorkspace()
  const [quiet, busy] = [
    (await ownerLinkOf(workspace)).client,
    (await ownerLinkOf(workspace)).client,
  ]
  const app = (client: Workspace, name: string) =>
    client.call('write_file', { path: `/${name}/ui.meta.json`, content: '{}' })
  for (let index = 0; index < MAX_APPS + 8; index++) await app(busy, `ui/a${index}`)
  await app(quiet, 'ui/zeta')
  await app(quiet, SEARCH)
  const listed = await names(workspace)
  expect(listed).toHaveLength(MAX_APPS)
  expect(listed).toEqual(expect.arrayContaining(['ui/zeta', SEARCH]))
  const { left } = await (await workspace.fetch('/apps')).json<{ left: number }>()
  expect(left).toBe(10)
})

it('MAX_APPS_ENTRIES manifests in /ui are searched, and more are reported', async () => {
  const workspace = freshWorkspace()
  const folders = Array.from({ length: MAX_APPS_ENTRIES + 1 }, (_, index) => `/ui/a${index}`)
  await seed(
    stubOf(workspace),
    folders.map((folder) => `${folder}/ui.meta.json`),
  )
  expect(await names(workspace)).toHaveLength(MAX_APPS)
  const { left } = await (await workspace.fetch('/apps')).json<{ left: number }>()
  expect(left).toBe(MAX_APPS_ENTRIES - MAX_APPS + 1)
})
