/** Pages of templates that were filled already: each once, and never an old one. */

import { MAX_KEPT_PAGES } from '#worker/apps/limits.ts'
import { defaultManifest, type Manifest } from '#worker/apps/manifest.ts'
import { createAppPages } from '#worker/apps/pages.ts'
import { expect, it } from 'vitest'
import { approveApp, readAppPage, writeApp } from '../../support/worker/apps.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const TEMPLATES = '<title>App</title><script type="application/json" id="app">{}</script>'

/** An app whose manifest counts how often a page is filled with it. */
function countedApp(name: string, title = name) {
  const count = { filled: 0 }
  const config = { toJSON: () => ({ filled: ++count.filled }) }
  const manifest: Manifest = { ...defaultManifest(name), title, template: 'kanban', config }
  return { count, app: { name, manifest } }
}

/** The pages of apps that a test replaces, and of templates that it replaces as well. */
function pagesOf(...apps: { name: string; manifest: Manifest }[]) {
  const now = { apps, templates: TEMPLATES }
  const pages = createAppPages({
    apps: {
      served: () => now.apps,
      find: (name) => now.apps.find((one) => one.name === name) ?? null,
      readPage: async () => null,
    },
    workspace: 'notes',
    readTemplates: async () => now.templates,
  })
  const read = async (name: string) =>
    (await pages.read(`ui://notes/${name}`, { canRead: () => true }))?.text ?? ''
  return { now, read }
}

it('a page is filled once for a manifest', async () => {
  const { app, count } = countedApp('board')
  const { read } = pagesOf(app)
  const first = await read('board')
  expect(first).toContain('"name":"board"')
  expect(await read('board')).toBe(first)
  expect(count.filled).toBe(1)
})

it('another manifest and other templates are seen at once', async () => {
  const { app } = countedApp('board')
  const { now, read } = pagesOf(app)
  await read('board')
  now.apps = [countedApp('board', 'Later').app]
  expect(await read('board')).toContain('<title>Later</title>')
  now.templates = `<html lang="en">${TEMPLATES}`
  expect(await read('board')).toMatch(/^<html lang="en"><title>Later<\/title>/)
})

it('MAX_KEPT_PAGES pages are kept', async () => {
  const counted = Array.from({ length: MAX_KEPT_PAGES + 1 }, (_, at) => countedApp(`a${at}`))
  const { read } = pagesOf(...counted.map(({ app }) => app))
  const filled = () => counted.map(({ count }) => count.filled)
  const most = counted.slice(0, MAX_KEPT_PAGES)
  for (const { app } of [...most, ...most]) await read(app.name)
  expect(filled()).toEqual([...most.map(() => 1), 0])
  await read(`a${MAX_KEPT_PAGES}`)
  await read('a0')
  expect(filled()).toEqual([2, ...most.slice(1).map(() => 1), 1])
})

it('two apps with equal settings have pages of their own', async () => {
  const { read } = pagesOf(countedApp('one', 'Same').app, countedApp('two', 'Same').app)
  expect(await read('one')).toContain('"name":"one"')
  expect(await read('two')).toContain('"name":"two"')
})

it('a changed manifest and changed data are seen at once', async () => {
  const workspace = freshWorkspace()
  const uri = `ui://${workspace.base.split('/').at(-1)}/board`
  const manifest = { template: 'kanban', data: ['board.md'] }
  const data = async () => {
    const { result } = await workspace.call('open_board')
    return JSON.stringify(result?.structuredContent['files'])
  }
  await workspace.put('/board.md', 'first')
  await writeApp(workspace, 'board', { 'app.json': manifest })
  await approveApp(workspace, 'board')
  expect(await readAppPage(workspace, uri)).toMatchObject({ text: expect.any(String) })
  expect(await data()).toContain('first')

  await workspace.put('/board.md', 'second')
  expect(await data()).toContain('second')
  await writeApp(workspace, 'board', { 'app.json': { ...manifest, title: 'Later' } })
  expect(await readAppPage(workspace, uri)).toBeNull()
  await approveApp(workspace, 'board')
  const page = await readAppPage(workspace, uri)
  expect(JSON.stringify(page)).toContain('<title>Later</title>')
})
