/** `npm run new-app` as a person uses it, in a workspace and in a folder, and its errors. @module */

import { starterFiles } from '#core/apps/starters.ts'
import { TEMPLATES } from '#core/apps/templates.ts'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run as makeApp } from '../../scripts/new-app.ts'
import { contentsOf, scratch } from '../support/e2e/folder.ts'
import { Person, SECRET } from '../support/e2e/person.ts'
import { ROOT, run } from '../support/e2e/run.ts'
import { runHere } from '../support/e2e/run-here.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()

const make = (...args: string[]) => runHere(makeApp, args)

/** The state of each app of a workspace, by its name. */
async function statesIn(workspace: string): Promise<Record<string, string>> {
  const response = await fetch(`${workspace}/apps`)
  // The server's own answer, whose shape its tests check.
  const { apps } = (await response.json()) as { apps: { name: string; state: string }[] }
  return Object.fromEntries(apps.map(({ name, state }) => [name, state]))
}

const read = async (url: string) => (await fetch(url)).text()

const filesIn = (folder: string) =>
  contentsOf(folder)
    .map(({ name }) => name)
    .filter((name) => !name.endsWith('/'))

describe('in a workspace', () => {
  it.each(TEMPLATES)('makes an app of %s that waits for approval', async (template) => {
    const base = `${server.url}/w/new-${template}`
    const { code, stdout, stderr } = await make(template, 'first', `${base}/mcp`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Made the app first in ${base}:\n  /.apps/first/app.json\n`)
    expect(await statesIn(base)).toEqual({ first: 'waiting' })
    for (const [, path] of stdout.matchAll(/^ {2}(\/.*)$/gm))
      expect((await fetch(`${base}/files${path}`)).status, path).toBe(200)
  })

  it('uses PORT, and names the page where the app waits', async () => {
    const { port } = new URL(server.url)
    const { code, stdout } = await runHere(makeApp, ['kanban', 'board'], { PORT: port })
    expect(code).toBe(0)
    expect(stdout).toContain(`approve it: ${server.url}/#/waiting`)
    expect(await read(`${server.url}/files/tasks/board.md`)).toMatch(/^## To do/)
  })

  it('names the page of another workspace', async () => {
    const { stdout } = await make('tree-view', 'plants', `${server.url}/w/plants`)
    expect(stdout).toContain(`${server.url}/?at=/w/plants/mcp#/waiting`)
  })

  it('shows a given file, and writes only the manifest', async () => {
    const base = `${server.url}/w/given`
    const { code } = await make('kanban', 'board', base, '--data', '/plan/*.md')
    expect(code).toBe(0)
    const manifest: unknown = JSON.parse(await read(`${base}/files/.apps/board/app.json`))
    expect(manifest).toMatchObject({ data: ['/plan/*.md'], write: ['/plan/*.md'] })
    expect((await fetch(`${base}/files/tasks`)).status).toBe(404)
  })

  it('overwrites neither an app nor a file', async () => {
    const base = `${server.url}/w/kept`
    const put = (path: string) =>
      fetch(`${base}/files${path}`, { method: 'PUT', body: 'mine', headers: TEXT })
    await put('/.apps/own/index.html')
    await put('/tasks/board.md')
    expect(await make('form', 'own', base)).toMatchObject({
      code: 1,
      stderr: `Cannot create /.apps/own in ${base}: it exists already. Choose another name\n`,
    })
    expect(await make('kanban', 'board', base)).toMatchObject({
      code: 1,
      stderr: `Cannot create /tasks/board.md in ${base}: it exists already. To show it, add --data /tasks/board.md\n`,
    })
    expect(await read(`${base}/files/tasks/board.md`)).toBe('mine')
    expect((await fetch(`${base}/files/.apps/board`)).status).toBe(404)
    expect((await fetch(`${base}/files/forms`)).status).toBe(404)
  })
})

const TEXT = { 'content-type': 'text/plain' }

describe('in a folder', () => {
  it('writes the files, which an import brings into a workspace', async () => {
    const folder = join(scratch(), 'made')
    const { code, stdout } = await make('kanban', 'board', '--folder', folder)
    expect(code).toBe(0)
    expect(filesIn(folder)).toEqual(['.apps/board/app.json', 'tasks/board.md'])
    const [, given] = /npm run import -- (".*")/.exec(stdout) ?? []
    expect(given).toBe(JSON.stringify(folder))
    const base = `${server.url}/w/imported`
    expect(await run('scripts/import.ts', folder, base)).toMatchObject({ code: 0 })
    expect(await statesIn(base)).toEqual({ board: 'waiting' })
  })

  it('is relative to the folder in which npm was started', async () => {
    const folder = scratch()
    const variables = { npm_lifecycle_event: 'new-app', INIT_CWD: folder }
    const done = await runHere(makeApp, ['progress', 'build', '--folder', 'here'], variables)
    expect(done).toMatchObject({ code: 0 })
    expect(filesIn(folder)).toEqual(['here/.apps/build/app.json', 'here/progress/build.json'])
  })

  it('overwrites neither an app nor a file', async () => {
    const folder = scratch()
    mkdirSync(join(folder, 'tables'))
    writeFileSync(join(folder, 'tables/list.csv'), 'mine')
    expect(await make('data-table', 'list', '--folder', folder)).toMatchObject({ code: 1 })
    expect(filesIn(folder)).toEqual(['tables/list.csv'])
    expect(await make('kanban', 'board', '--folder', folder)).toMatchObject({ code: 0 })
    const before = readFileSync(join(folder, '.apps/board/app.json'), 'utf8')
    const again = await make('form', 'board', '--folder', folder)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
    expect(readFileSync(join(folder, '.apps/board/app.json'), 'utf8')).toBe(before)
    expect(filesIn(folder)).not.toContain('forms/board.csv')
  })
})

it('prints its usage, with the templates', async () => {
  const { code, stdout } = await run('scripts/new-app.ts', '--help')
  expect(code).toBe(0)
  for (const template of TEMPLATES) expect(stdout).toContain(template)
})

it.each([
  ['no template', () => [], /^Cannot make an app: a template and a name are required\. Use/],
  ['no name', () => ['kanban'], /^Cannot make an app: a template and a name are required\. Use/],
  [
    'an unknown template',
    () => ['pie', 'board'],
    /^Cannot make the app: invalid template\. Expected one of: form, /,
  ],
  [
    'a bad name',
    () => ['kanban', 'My Board'],
    /^Cannot make the app: invalid name\. Expected 1 to 40 small letters/,
  ],
  [
    'a name that leaves the folder',
    () => ['kanban', '../x'],
    /^Cannot make the app: invalid name\./,
  ],
  [
    'bad data',
    () => ['kanban', 'x', '--data', '../y'],
    /^Cannot make the app: invalid data\. It leaves the workspace$/,
  ],
  [
    'data for which there is no form',
    () => ['form', 'x', '--data', '/y/*.csv'],
    /^Cannot make the app: invalid data\. A form adds to one file/,
  ],
  [
    'an unknown option',
    () => ['kanban', 'x', '--frobnicate'],
    /^Cannot read the command line: Unknown option '--frobnicate'\. See --help$/,
  ],
  [
    'a folder without a name',
    () => ['kanban', 'x', '--folder', ''],
    /^Cannot write into a folder: its/,
  ],
  [
    'a server and a folder',
    () => ['kanban', 'x', server.url, '--folder', '.'],
    /^Cannot write to a server and into a folder/,
  ],
  [
    'a server that is not there',
    () => ['kanban', 'x', 'http://localhost:9'],
    /^Cannot reach http:.*npm start/,
  ],
  [
    'another address',
    () => ['kanban', 'x', `${server.url}/console`],
    /refused the app: Not found: /,
  ],
])('reports %s in one sentence', async (_, args, sentence) => {
  const { code, stdout, stderr } = await make(...args())
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trim()).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

describe('with an owner', () => {
  const owned = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

  it('signs in with the secret of the environment, and prints it nowhere', async () => {
    const secret = { EDGEWISE_OWNER_SECRET: SECRET }
    const done = await runHere(makeApp, ['kanban', 'board', owned.url], secret)
    expect(done).toMatchObject({ code: 0, stderr: '' })
    expect(done.stdout).not.toContain(SECRET)
    const owner = new Person()
    await owner.signIn(owned.url)
    const file = await owner.visit(`${owned.url}/files/.apps/board/app.json`)
    expect(await file.json()).toMatchObject({ template: 'kanban' })
  })

  it('says that it needs the secret', async () => {
    const none = { EDGEWISE_OWNER_SECRET: '' }
    const done = await runHere(makeApp, ['kanban', 'other', owned.url], none)
    expect(done).toMatchObject({
      code: 1,
      stderr: `Cannot sign in at ${owned.url}: no secret is set. Set EDGEWISE_OWNER_SECRET to the owner's secret\n`,
    })
  })
})

it('examples/board is what it makes', () => {
  const made = starterFiles({ template: 'kanban', name: 'board' })
  const [manifest, board] = made.ok ? made.value : []
  const example = (path: string) => readFileSync(join(ROOT, 'examples/board', path), 'utf8')
  // Only the white space of JSON is up to the formatter.
  expect(JSON.parse(example('.apps/board/app.json'))).toEqual(JSON.parse(manifest?.text ?? ''))
  expect(example('tasks/board.md')).toBe(board?.text)
})
