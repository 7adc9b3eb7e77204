/** What an agent might write below `/.apps`, and what must not come of it. */

import { expect, it } from 'vitest'
import {
  approveApp,
  appTools,
  decideApp,
  findApp,
  listApps,
  readAppPage,
  writeApp,
} from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { MAX_APP_FOLDERS, MAX_APPS } from '#worker/apps/limits.ts'

const PAGE = '<!doctype html><title>Board</title>'

type Workspace = ReturnType<typeof freshWorkspace>

const uriOf = ({ base }: Workspace, name: string) => `ui://${base.split('/').at(-1)}/${name}`

async function withApp(manifest: Record<string, unknown> = {}) {
  const workspace = freshWorkspace()
  await writeApp(workspace, 'board', { 'index.html': PAGE, 'app.json': manifest })
  await approveApp(workspace, 'board')
  return workspace
}

const domains = (...connectDomains: string[]) => ({ meta: { csp: { connectDomains } } })

it.each([
  ['another domain', domains('https://a.example', 'https://evil.example')],
  ['a permission', { ...domains('https://a.example'), meta: { permissions: { camera: true } } }],
  ['an origin of its own', { meta: { domain: 'evil.example' } }],
  ['more data', { ...domains('https://a.example'), data: ['**'] }],
  ['more to write', { ...domains('https://a.example'), write: ['**'] }],
])('an app that asks for %s after its approval is no longer served', async (_, next) => {
  const workspace = await withApp(domains('https://a.example'))
  const uri = uriOf(workspace, 'board')
  expect(JSON.stringify(await readAppPage(workspace, uri))).toContain('https://a.example')
  await writeApp(workspace, 'board', { 'app.json': next })
  expect(await readAppPage(workspace, uri)).toBeNull()
  expect(await appTools(workspace)).toEqual([])
  expect((await findApp(workspace, 'board')).state).toBe('waiting')
})

it('a decision on what was shown is refused if an agent wrote in between', async () => {
  const workspace = freshWorkspace()
  await writeApp(workspace, 'board', { 'index.html': PAGE })
  const { revision } = await findApp(workspace, 'board')
  await writeApp(workspace, 'board', { 'index.html': '<script>steal()</script>' })
  const { status, body } = await decideApp(workspace, 'board/approve', { revision })
  expect([status, body['code']]).toEqual([409, 'APP_CHANGED'])
  expect(await readAppPage(workspace, uriOf(workspace, 'board'))).toBeNull()
})

it.each([
  ['symbolic', '2'],
  ['hard', '1'],
] as const)('a %s link in an archive becomes no page', async (_, kind) => {
  const workspace = freshWorkspace()
  await workspace.put('/secret.html', 'secret')
  const { packTar } = await import('modern-tar')
  const type = kind === '2' ? ('symlink' as const) : ('link' as const)
  const header = { name: '.apps/evil/index.html', size: 0, type, linkname: '../../secret.html' }
  const done = await workspace.fetch('/import', {
    method: 'POST',
    body: await packTar([{ header }]),
  })
  await done.text()
  for (const { name, state } of await listApps(workspace))
    expect([name, state]).toEqual(['evil', 'invalid'])
  expect(JSON.stringify(await readAppPage(workspace, uriOf(workspace, 'evil')))).not.toContain(
    'secret',
  )
})

it.each(['../../secret.html', '/secret.html', '..%2f..%2fsecret.html', 'a/../../../secret.html'])(
  'a page is never taken from outside of the folder: %s',
  async (entrypoint) => {
    const workspace = freshWorkspace()
    await workspace.put('/secret.html', 'secret')
    await writeApp(workspace, 'board', { 'app.json': { entrypoint }, 'index.html': PAGE })
    expect(await findApp(workspace, 'board')).toMatchObject({
      state: 'invalid',
      problems: [{ pointer: '/entrypoint' }],
    })
    expect(await readAppPage(workspace, `${uriOf(workspace, 'board')}/../secret`)).toBeNull()
  },
)

it('tools of the product win over apps with such names', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/a.txt', 'alpha')
  const names = ['read_file', 'file', 'write_file', 'list_roots', 'part_of_board', 'open_board']
  for (const name of names) {
    await writeApp(workspace, name, { 'index.html': PAGE })
    await approveApp(workspace, name)
  }
  const { result } = await workspace.call('read_file', { path: '/a.txt' })
  expect(result?.structuredContent).toMatchObject({ content: '1: alpha' })
  const listed = await workspace.send('tools/list')
  const { tools: all } = listed.result as unknown as { tools: { name: string }[] }
  const tools = all.map(({ name }) => name)
  expect(new Set(tools).size).toBe(tools.length)
})

it('no app has the address of a view of the product', async () => {
  const workspace = freshWorkspace('http://localhost/w/edgewise/mcp')
  for (const name of ['files', 'review', 'other'])
    await writeApp(workspace, name, { 'index.html': PAGE })
  expect(await findApp(workspace, 'files')).toMatchObject({
    state: 'invalid',
    problems: [{ pointer: '/name' }],
  })
  const { revision } = await findApp(workspace, 'review')
  expect((await decideApp(workspace, 'review/approve', { revision })).status).toBe(422)
  await approveApp(workspace, 'other')
  expect(await appTools(workspace)).toEqual(['open_other'])
})

it('the tool of one app gives no data of another', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/one.md', 'first')
  await workspace.put('/two.md', 'second')
  for (const name of ['one', 'two']) {
    await writeApp(workspace, name, { 'index.html': name, 'app.json': { data: [`${name}.md`] } })
    await approveApp(workspace, name)
  }
  const { result } = await workspace.call('open_one')
  expect(JSON.stringify(result)).not.toContain('second')
  expect(await workspace.code('part_of_one', { file: '/two.md' })).toBe('FILE_NOT_FOUND')
  expect(await readAppPage(workspace, uriOf(workspace, 'one'))).toMatchObject({ text: 'one' })
})

it('apps that were turned down take no place of apps that wait', async () => {
  const workspace = freshWorkspace()
  const names = Array.from({ length: MAX_APPS }, (_, at) => `a${at}`)
  for (const name of names) {
    await writeApp(workspace, name, { 'index.html': PAGE })
    const { revision } = await findApp(workspace, name)
    expect((await decideApp(workspace, `${name}/turn-down`, { revision })).status).toBe(200)
  }
  await writeApp(workspace, 'board', { 'index.html': PAGE })
  expect((await findApp(workspace, 'board')).state).toBe('waiting')
})

it('an approved app stays in the list while its folder is elsewhere, or full of folders', async () => {
  const workspace = await withApp()
  await workspace.text('move_file', { from: '/.apps/board', to: '/elsewhere' })
  expect((await findApp(workspace, 'board')).state).toBe('invalid')
  await workspace.text('move_file', { from: '/elsewhere', to: '/.apps/board' })
  expect((await findApp(workspace, 'board')).state).toBe('approved')
  for (let at = 0; at <= MAX_APP_FOLDERS; at++)
    await workspace.text('create_folder', { path: `/.apps/board/${at}` })
  expect((await findApp(workspace, 'board')).state).toBe('invalid')
  expect(await appTools(workspace)).toEqual([])
})

it('folders without a file take no place of apps that wait', async () => {
  const workspace = freshWorkspace()
  for (let at = 0; at < MAX_APPS; at++)
    await workspace.text('create_folder', { path: `/.apps/a${at}/deep/er` })
  await writeApp(workspace, 'board', { 'index.html': PAGE })
  expect((await listApps(workspace)).map(({ name }) => name)).toEqual(['board'])
  expect((await findApp(workspace, 'board')).state).toBe('waiting')
})
