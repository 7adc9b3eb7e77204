/** `for` in a manifest: an app shows the results of a tool that only reads, in place of its own view. */

import { readManifest } from '#worker/apps/manifest.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { evictDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import {
  approveApp,
  appTools,
  decideApp,
  findApp,
  readAppPage,
  viewOf,
  writeApp,
} from '../../support/worker/apps.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'

const PAGE = '<!doctype html><title>Results</title>'
const OWN = 'ui://edgewise/files'

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

type Workspace = ReturnType<typeof freshWorkspace>

const uriOf = ({ base }: Workspace, name: string) => `ui://${base.split('/').at(-1)}/${name}`

async function withView(name = 'results', tool = 'search_files') {
  const workspace = freshWorkspace()
  await workspace.put('/a.txt', 'alpha')
  await writeApp(workspace, name, { 'index.html': PAGE, 'app.json': { for: tool } })
  return { workspace, uri: uriOf(workspace, name) }
}

const setConfig = async ({ fetch }: Workspace, config: unknown) => {
  const set = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(set.status, await set.text()).toBe(200)
}

it('shows the results once it is approved, and until the approval ends', async () => {
  const { workspace, uri } = await withView()
  expect(await viewOf(workspace, 'search_files')).toBe(OWN)
  await approveApp(workspace, 'results')
  expect(await viewOf(workspace, 'search_files')).toBe(uri)
  expect(await viewOf(workspace, 'find_files')).toBe(OWN)
  expect(await readAppPage(workspace, uri)).toMatchObject({ text: PAGE })
  await decideApp(workspace, 'results/withdraw', {})
  expect(await viewOf(workspace, 'search_files')).toBe(OWN)
})

it('gives a view to a tool that has none', async () => {
  const { workspace, uri } = await withView('reader', 'read_file')
  expect(await viewOf(workspace, 'read_file')).toBeNull()
  await approveApp(workspace, 'reader')
  expect(await viewOf(workspace, 'read_file')).toBe(uri)
})

it('leaves the tool as it is: its result, its hints and who may call it', async () => {
  const { workspace } = await withView()
  const before = await workspace.call('search_files', { pattern: 'alpha' })
  await approveApp(workspace, 'results')
  const { result } = await workspace.call('search_files', { pattern: 'alpha' })
  expect(result).toEqual(before.result)
})

it('is no longer shown once a file of its folder has changed', async () => {
  const { workspace, uri } = await withView()
  await approveApp(workspace, 'results')
  await writeApp(workspace, 'results', { 'index.html': 'other' })
  expect(await viewOf(workspace, 'search_files')).toBe(OWN)
  await writeApp(workspace, 'results', { 'app.json': { for: 'find_files' }, 'index.html': PAGE })
  expect(await viewOf(workspace, 'find_files')).toBe(OWN)
  await writeApp(workspace, 'results', { 'app.json': { for: 'search_files' } })
  expect(await viewOf(workspace, 'search_files')).toBe(uri)
})

it('is for clients that show apps', async () => {
  const { workspace } = await withView()
  await approveApp(workspace, 'results')
  expect(await viewOf(workspace, 'search_files', { [CAPABILITIES]: {} })).toBeNull()
})

it('has no tool of its own', async () => {
  const { workspace } = await withView()
  await approveApp(workspace, 'results')
  expect(await appTools(workspace)).toEqual([])
  for (const name of ['open_results', 'part_of_results'])
    expect((await workspace.call(name)).error?.message).toBe(`Unknown tool: "${name}"`)
})

it('is for callers that may read its folder', async () => {
  const { workspace } = await withView()
  await approveApp(workspace, 'results')
  const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
  expect(await viewOf(client, 'search_files')).toBe(OWN)
  await setConfig(workspace, { roots: [{ path: '/', deny: ['.apps/results/**'] }] })
  expect(await viewOf(workspace, 'search_files')).toBe(OWN)
})

it('of two apps for a tool, the one that was approved last is shown, and then the other', async () => {
  const { workspace } = await withView('zeta')
  await writeApp(workspace, 'alpha', { 'index.html': PAGE, 'app.json': { for: 'search_files' } })
  await approveApp(workspace, 'zeta')
  await approveApp(workspace, 'alpha')
  expect(await viewOf(workspace, 'search_files')).toBe(uriOf(workspace, 'alpha'))
  await evictDurableObject(stubOf(workspace))
  expect(await viewOf(workspace, 'search_files')).toBe(uriOf(workspace, 'alpha'))
  await writeApp(workspace, 'alpha', { 'index.html': 'other' })
  expect(await viewOf(workspace, 'search_files')).toBe(uriOf(workspace, 'zeta'))
  await decideApp(workspace, 'zeta/withdraw', {})
  expect(await viewOf(workspace, 'search_files')).toBe(OWN)
})

it('a caller that may not read the newest app for a tool sees the one before it', async () => {
  const { workspace, uri } = await withView('one')
  await writeApp(workspace, 'two', { 'index.html': PAGE, 'app.json': { for: 'search_files' } })
  await approveApp(workspace, 'one')
  await approveApp(workspace, 'two')
  await setConfig(workspace, { roots: [{ path: '/', deny: ['.apps/two', '.apps/two/**'] }] })
  expect(await viewOf(workspace, 'search_files')).toBe(uri)
})

const problemsOf = (manifest: unknown) => {
  const read = readManifest(JSON.stringify(manifest), 'results')
  return read.ok ? [] : read.error
}

const READING = [...TOOLS.values()].filter(({ kind, appOnly }) => kind === 'read' && !appOnly)

it.each(READING.map(({ name }) => name))('can be for %s', (name) => {
  expect(problemsOf({ for: name })).toEqual([])
})

it.each([
  ...[...TOOLS.values()].filter((tool) => !READING.includes(tool)).map(({ name }) => name),
  ...['open_board', 'part_of_board', 'SEARCH_FILES', 'search_files ', '__proto__', '', 5, null],
])('cannot be for %j', async (name) => {
  const [problem, ...others] = problemsOf({ for: name })
  expect(others).toEqual([])
  expect(problem?.pointer).toBe('/for')
  expect(problem?.message).toMatch(/^is not one of the tools that only read: list_roots, /)
  expect(problem?.message).toContain('The view of a change is its difference')
})

it('for a tool that changes cannot be approved, and its view stays', async () => {
  const { workspace } = await withView('results', 'write_file')
  const { state, revision } = await findApp(workspace, 'results')
  expect(state).toBe('invalid')
  expect((await decideApp(workspace, 'results/approve', { revision })).status).toBe(422)
  expect(await viewOf(workspace, 'write_file')).toBe('ui://edgewise/review')
})

it('has no data of its own beside the results', () => {
  expect(problemsOf({ for: 'search_files', data: ['a.md'] })).toEqual([
    {
      pointer: '/data',
      message: 'cannot be given with for: the app shows the results of that tool',
    },
  ])
})
