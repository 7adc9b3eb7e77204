/** The page of an app as a resource: what it asks its host for is what was approved. */

import { defaultManifest, type Manifest } from '#worker/apps/manifest.ts'
import { appAt, appUri, fillTemplate } from '#worker/apps/page.ts'
import { expect, it } from 'vitest'
import { approveApp, readAppPage, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

it('declares what was approved, in the list and in the content', async () => {
  const workspace = freshWorkspace()
  const meta = {
    csp: { connectDomains: ['https://api.example.com'] },
    permissions: { clipboardWrite: {}, camera: false },
    prefersBorder: false,
    domain: 'board.example.com',
  }
  const manifest = { title: 'Board', description: 'Tasks', meta }
  await writeApp(workspace, 'board', { 'app.json': manifest, 'index.html': 'page' })
  await approveApp(workspace, 'board')
  const uri = `ui://${workspace.base.split('/').at(-1)}/board`
  const ui = {
    csp: {
      connectDomains: ['https://api.example.com'],
      resourceDomains: [],
      frameDomains: [],
      baseUriDomains: [],
    },
    permissions: { clipboardWrite: {} },
    prefersBorder: false,
    domain: 'board.example.com',
  }
  const mimeType = 'text/html;profile=mcp-app'
  expect(await readAppPage(workspace, uri)).toEqual({ uri, mimeType, text: 'page', _meta: { ui } })
  const { result } = await workspace.send('resources/list')
  const resources = result?.['resources'] as { uri: string }[]
  expect(resources.find((one) => one.uri === uri)).toEqual({
    ...{ uri, name: 'board', title: 'Board', description: 'Tasks', mimeType },
    annotations: { audience: ['user'], type: 'application' },
    _meta: { ui, 'dev.edgewise/type': 'application' },
  })
})

it('shows a template in place of a page, with the app in it', async () => {
  const workspace = freshWorkspace()
  const manifest = { template: 'kanban', data: ['board.md'], config: { draggable: false } }
  await writeApp(workspace, 'board', { 'app.json': manifest })
  await approveApp(workspace, 'board')
  const uri = `ui://${workspace.base.split('/').at(-1)}/board`
  const page = await readAppPage(workspace, uri)
  const { text } = page as { text: string }
  const [, json = ''] =
    /<script type="application\/json" id="app">([^<]*)<\/script>/.exec(text) ?? []
  expect(JSON.parse(json)).toMatchObject({ name: 'board', template: 'kanban', data: ['/board.md'] })
})

it.each(['', '/', '/..', '/board/x', '/board%2f..', '/Board', '/BOARD?x', '#'])(
  'has no page at the address with %j',
  async (end) => {
    const workspace = freshWorkspace()
    await writeApp(workspace, 'board', { 'index.html': 'page' })
    await approveApp(workspace, 'board')
    const name = workspace.base.split('/').at(-1)
    expect(await readAppPage(workspace, `ui://${name}${end}`)).toBeNull()
  },
)

it('knows the apps of its own workspace by their addresses', () => {
  expect(appAt(appUri('notes', 'board'), 'notes')).toBe('board')
  expect(appAt(appUri('notes', 'board'), 'other')).toBeNull()
  expect(appAt('ui://edgewise/review', 'notes')).toBeNull()
})

it.each([
  ['its own title', {}, 'A &amp; B'],
  ['the title of the settings', { title: '</title><b>' }, '&lt;/title&gt;&lt;b&gt;'],
])('gives the document of a template %s', (_, config, title) => {
  const page = '<title>App</title><script type="application/json" id="app">{}</script>'
  const manifest = { ...defaultManifest('board'), title: 'A & B', config }
  const filled = fillTemplate(page, { name: 'board', manifest })
  expect(filled).toMatch(new RegExp(`^<title>${title}</title><script`))
})

it('puts an app into the page of templates without letting its text end the element', () => {
  const page = '<script type="application/json" id="app">{}</script><p>'
  const manifest: Manifest = {
    ...defaultManifest('board'),
    title: '</script><script>alert(1)</script>$&',
    template: 'kanban',
    config: { a: '<!--' },
    data: ['board.md'],
    write: ['board.md'],
  }
  const filled = fillTemplate(page, { name: 'board', manifest })
  const [, json = ''] = /id="app">([^<]*)<\/script><p>$/.exec(filled) ?? []
  expect(JSON.parse(json)).toEqual({
    name: 'board',
    title: manifest.title,
    description: '',
    template: 'kanban',
    config: { a: '<!--' },
    data: ['/board.md'],
    write: ['/board.md'],
  })
})
