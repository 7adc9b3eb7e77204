/** Limits of apps from files, each at its edge. */

import * as limits from '#worker/apps/limits.ts'
import { readManifest } from '#worker/apps/manifest.ts'
import { describe, expect, it } from 'vitest'
import {
  approveApp,
  decideApp,
  appTools,
  findApp,
  listApps,
  writeApp,
} from '../../support/worker/apps.ts'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'

const {
  MAX_APPS,
  MAX_APPS_ENTRIES,
  MAX_APP_DATA_BYTES,
  MAX_APP_DATA_FILES,
  MAX_APP_DATA_PATHS,
  MAX_APP_FILES,
  MAX_APP_FOLDERS,
  MAX_APP_FOLDERS_LOOKED_AT,
  MAX_APP_ORIGINS,
  MAX_APP_PAGE_BYTES,
  MAX_APP_PART_BYTES,
  MAX_APP_PATTERNS,
  MAX_MANIFEST_BYTES,
  MAX_MANIFEST_DEPTH,
  MAX_MANIFEST_PROBLEMS,
  MAX_PROBLEM_LENGTH,
} = limits

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

type Workspace = ReturnType<typeof freshWorkspace>

/** Imports an archive of files, which is faster than many uploads. */
async function importFiles({ fetch }: Workspace, files: readonly (readonly [string, string])[]) {
  const { packTar } = await import('modern-tar')
  const entries = files.map(([name, body]) => ({
    header: { name, size: body.length, type: 'file' as const },
    body,
  }))
  const done = await fetch('/import', { method: 'POST', body: await packTar(entries) })
  expect(done.status, await done.text()).toBe(200)
}

async function open(workspace: Workspace, name = 'big') {
  const { result } = await workspace.call(`open_${name}`)
  const { files, truncated } = result?.structuredContent ?? {}
  return { files: files as { text?: string; omitted?: string }[], truncated }
}

it('MAX_APPS folders are apps', async () => {
  const workspace = freshWorkspace()
  const name = (index: number) => `app-${String(index).padStart(2, '0')}`
  await importFiles(
    workspace,
    numbers(MAX_APPS + 1).map((index) => [`.apps/${name(index)}/index.html`, 'page']),
  )
  const names = (await listApps(workspace)).map((app) => app.name)
  expect(names).toEqual(numbers(MAX_APPS).map(name))
})

describe('folders of one link, and of links below it', () => {
  /** An app of one link that waits, and many folders that another link and links below it make. */
  async function flooded() {
    const workspace = freshWorkspace()
    const [quiet, busy] = [await ownerLinkOf(workspace), await ownerLinkOf(workspace)]
    const page = (client: Workspace, name: string) =>
      client.call('write_file', { path: `/.apps/${name}/index.html`, content: 'page' })
    await page(busy.client, '0-first')
    for (const index of numbers(MAX_APPS)) await page(busy.client, `a${index}`)
    for (const index of numbers(5)) await page((await linkOf(busy.client)).client, `b${index}`)
    await page(quiet.client, 'zeta')
    const left = async () => (await (await workspace.fetch('/apps')).json<{ left: number }>()).left
    const names = async () => (await listApps(workspace)).map((app) => app.name)
    return { workspace, left, names }
  }

  it('hide no app of another, and those that are not listed are counted', async () => {
    const { left, names } = await flooded()
    expect(await names()).toHaveLength(MAX_APPS)
    expect(await names()).toContain('zeta')
    expect(await names()).toContain('0-first')
    expect(await left()).toBe(7)
  })

  it('hide no further app of one with as many approved ones', async () => {
    const workspace = freshWorkspace()
    const [quiet, busy] = [await ownerLinkOf(workspace), await ownerLinkOf(workspace)]
    const page = (client: Workspace, name: string) =>
      client.call('write_file', { path: `/.apps/${name}/index.html`, content: 'page' })
    for (const index of numbers(MAX_APPS)) await page(quiet.client, `q${index}`)
    for (const index of numbers(MAX_APPS)) await approveApp(workspace, `q${index}`)
    for (const index of numbers(MAX_APPS)) await page(busy.client, `a${index}`)
    await page(quiet.client, 'zeta')
    expect((await listApps(workspace)).map((app) => app.name)).toContain('zeta')
  })

  it('hide no app that was decided', async () => {
    const { workspace, left, names } = await flooded()
    await approveApp(workspace, 'zeta')
    expect(await names()).toHaveLength(MAX_APPS + 1)
    expect(await names()).toContain('zeta')
    expect(await left()).toBe(6)
  })
})

const listOf = async (workspace: Workspace) => ({
  names: (await listApps(workspace)).map((app) => app.name),
  left: (await (await workspace.fetch('/apps')).json<{ left: number }>()).left,
})

it('a folder or a file that another adds to the folder of an app does not hide it', async () => {
  const workspace = freshWorkspace()
  const [quiet, busy] = [
    (await ownerLinkOf(workspace)).client,
    (await ownerLinkOf(workspace)).client,
  ]
  await seed(stubOf(workspace), ['/x'])
  for (const index of numbers(MAX_APPS + 8))
    await busy.call('write_file', { path: `/.apps/a${index}/index.html`, content: 'page' })
  await busy.call('create_folder', { path: '/.apps/first' })
  for (const name of ['first', 'later'])
    await quiet.call('write_file', { path: `/.apps/${name}/index.html`, content: 'page' })
  await busy.call('write_file', { path: '/.apps/later/app.json', content: '{}' })
  const { names } = await listOf(workspace)
  expect(names).toEqual(expect.arrayContaining(['first', 'later']))
})

it('files, empty folders and names of no app take no place', async () => {
  const workspace = freshWorkspace()
  await seed(stubOf(workspace), [
    ...numbers(MAX_APPS_ENTRIES).map((index) => `/.apps/!${index}`),
    ...numbers(MAX_APPS_ENTRIES).map((index) => `/.apps/a.${index}/index.html`),
    ...numbers(MAX_APPS_ENTRIES).map((index) => `/.apps/a${index}`),
    '/.apps/zeta/index.html',
  ])
  expect(await listOf(workspace)).toEqual({ names: ['zeta'], left: 0 })
})

it('MAX_APPS_ENTRIES folders are searched for apps, those of each maker in turn', async () => {
  const workspace = freshWorkspace()
  const folders = numbers(MAX_APPS_ENTRIES + 2).map((index) => `/.apps/a${index}/index.html`)
  await seed(stubOf(workspace), folders)
  const { client } = await linkOf(workspace)
  await client.call('write_file', { path: '/.apps/zeta/index.html', content: 'page' })
  const { names, left } = await listOf(workspace)
  expect(names).toContain('zeta')
  expect(left).toBe(MAX_APPS_ENTRIES - MAX_APPS + 1)
})

it('MAX_APP_FOLDERS_LOOKED_AT folders are looked into, and those of no app take no place', async () => {
  const workspace = freshWorkspace()
  const large = (index: number) =>
    numbers(MAX_APP_FILES + 1).map((file) => `/.apps/b${index}/${file}`)
  const folders = numbers(MAX_APP_FOLDERS_LOOKED_AT).flatMap(large)
  await seed(stubOf(workspace), [...folders, '/.apps/a/index.html'])
  expect((await listOf(workspace)).names).toEqual([])
  await workspace.call('delete_file', { path: '/.apps/b0' })
  expect((await listOf(workspace)).names).toEqual(['a'])
})

it('MAX_APP_FILES files are in the folder of an app', async () => {
  const workspace = freshWorkspace()
  const files = numbers(MAX_APP_FILES - 1).map((index) => [`.apps/a/${index}`, 'x'] as const)
  await importFiles(workspace, [['.apps/a/index.html', 'page'], ...files])
  await approveApp(workspace, 'a')
  expect(await appTools(workspace)).toEqual(['open_a'])
  await workspace.put('/.apps/a/one-more', 'x')
  expect(await appTools(workspace)).toEqual([])
  expect(await listApps(workspace)).toMatchObject([{ name: 'a', state: 'invalid' }])
  await decideApp(workspace, 'a/withdraw', {})
  expect(await listApps(workspace)).toEqual([])
})

it('MAX_APP_FOLDERS folders are in the folder of an app', async () => {
  const workspace = freshWorkspace()
  const folders = numbers(MAX_APP_FOLDERS).map((index) => [`.apps/a/${index}/x`, 'x'] as const)
  await importFiles(workspace, [['.apps/a/index.html', 'page'], ...folders])
  // Empty folders, so that there are not too many files.
  for (const index of numbers(MAX_APP_FOLDERS))
    await workspace.call('delete_file', { path: `/.apps/a/${index}/x` })
  await approveApp(workspace, 'a')
  expect(await appTools(workspace)).toEqual(['open_a'])
  await importFiles(workspace, [['.apps/a/one-more/x', 'x']])
  await workspace.call('delete_file', { path: '/.apps/a/one-more/x' })
  expect(await appTools(workspace)).toEqual([])
  expect(await findApp(workspace, 'a')).toMatchObject({ state: 'invalid' })
})

it.each([
  ['MAX_APP_PAGE_BYTES', 'index.html', MAX_APP_PAGE_BYTES],
  ['MAX_MANIFEST_BYTES', 'app.json', MAX_MANIFEST_BYTES],
])('%s is the size of %s', async (_, file, limit) => {
  const workspace = freshWorkspace()
  const content = (size: number) => (file === 'app.json' ? '{}' : '').padEnd(size)
  await writeApp(workspace, 'a', { 'index.html': 'page', [file]: content(limit) })
  expect(await findApp(workspace, 'a')).toMatchObject({ state: 'waiting' })
  await writeApp(workspace, 'a', { [file]: content(limit + 1) })
  expect(await findApp(workspace, 'a')).toMatchObject({ state: 'invalid' })
})

it('MAX_APP_PATTERNS patterns are in a manifest', async () => {
  const workspace = freshWorkspace()
  const data = numbers(MAX_APP_PATTERNS).map((index) => `f${index}`)
  await writeApp(workspace, 'a', { 'index.html': 'page', 'app.json': { data } })
  expect(await findApp(workspace, 'a')).toMatchObject({ state: 'waiting' })
  await writeApp(workspace, 'a', { 'app.json': { data: [...data, 'one'] } })
  expect(await findApp(workspace, 'a')).toMatchObject({ problems: [{ pointer: '/data' }] })
})

/** The problems of a manifest; none if it can be used. */
function problemsOf(manifest: unknown) {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
  const read = readManifest(text, 'a')
  return read.ok ? [] : read.error
}

it.each(['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'])(
  'MAX_APP_ORIGINS origins are in %s',
  (list) => {
    const origins = numbers(MAX_APP_ORIGINS).map((index) => `https://a${index}.example`)
    expect(problemsOf({ meta: { csp: { [list]: origins } } })).toEqual([])
    expect(problemsOf({ meta: { csp: { [list]: [...origins, 'no origin'] } } })).toMatchObject([
      { pointer: `/meta/csp/${list}` },
    ])
  },
)

it.each(['[]', '{}'])('MAX_MANIFEST_DEPTH levels of %s are in a manifest', (pair) => {
  const nested = (depth: number) => {
    const [open = '', close = ''] = pair === '[]' ? ['[', ']'] : ['{"a":', '}']
    // The manifest and its settings are the first two levels.
    return `{"config":{"a":${open.repeat(depth - 2)}1${close.repeat(depth - 2)}}}`
  }
  const message = `nests deeper than ${MAX_MANIFEST_DEPTH} levels`
  expect(problemsOf(nested(MAX_MANIFEST_DEPTH))).toEqual([])
  expect(problemsOf(nested(MAX_MANIFEST_DEPTH + 1))).toEqual([{ pointer: '', message }])
  expect(problemsOf(nested(10_000))).toEqual([{ pointer: '', message }])
})

it.each([
  ['unknown fields', (count: number) => numbers(count).map((index) => [`x${index}`, 1])],
  [
    'bad origins',
    (count: number) => [['meta', { csp: { frameDomains: numbers(count).map(String) } }]],
  ],
])('MAX_MANIFEST_PROBLEMS problems are reported for %s', (_, fields) => {
  const count = (given: number) => problemsOf(Object.fromEntries(fields(given))).length
  expect(count(MAX_MANIFEST_PROBLEMS - 1)).toBe(MAX_MANIFEST_PROBLEMS - 1)
  expect(count(MAX_MANIFEST_PROBLEMS)).toBe(MAX_MANIFEST_PROBLEMS)
  expect(count(MAX_MANIFEST_PROBLEMS + 1)).toBe(MAX_MANIFEST_PROBLEMS)
})

it('MAX_PROBLEM_LENGTH characters of a pointer are reported', () => {
  const pointer = (length: number) => problemsOf({ ['x'.repeat(length - 1)]: 1 })[0]?.pointer
  const whole = `/${'x'.repeat(MAX_PROBLEM_LENGTH - 1)}`
  expect(pointer(MAX_PROBLEM_LENGTH)).toBe(whole)
  expect(pointer(MAX_PROBLEM_LENGTH + 1)).toBe(`${whole.slice(0, -1)}…`)
})

it('MAX_APP_DATA_FILES files are returned', async () => {
  const workspace = freshWorkspace()
  const files = numbers(MAX_APP_DATA_FILES).map((index) => [`d/${index}`, 'x'] as const)
  await importFiles(workspace, files)
  await writeApp(workspace, 'big', { 'index.html': 'page', 'app.json': { data: ['d/*'] } })
  await approveApp(workspace, 'big')
  expect(await open(workspace)).toMatchObject({ truncated: false })
  await workspace.put('/d/one-more', 'x')
  const { files: found, truncated } = await open(workspace)
  expect([found.length, truncated]).toEqual([MAX_APP_DATA_FILES, true])
})

it('MAX_APP_DATA_BYTES bytes of text are returned', async () => {
  const workspace = freshWorkspace()
  await workspace.put('/d/1', 'x'.repeat(MAX_APP_DATA_BYTES - 1))
  await workspace.put('/d/2', 'x')
  await writeApp(workspace, 'big', { 'index.html': 'page', 'app.json': { data: ['d/*'] } })
  await approveApp(workspace, 'big')
  const texts = async () => (await open(workspace)).files.map((file) => file.omitted ?? 'text')
  expect(await texts()).toEqual(['text', 'text'])
  await workspace.put('/d/2', 'xx')
  expect(await texts()).toEqual(['text', 'too_large'])
})

it('MAX_APP_PART_BYTES bytes of a file are read with one call', async () => {
  const workspace = freshWorkspace()
  await writeApp(workspace, 'big', { 'index.html': 'page', 'app.json': { data: ['d'] } })
  await approveApp(workspace, 'big')
  const next = async (size: number) => {
    await workspace.put('/d', 'x'.repeat(size))
    const { result } = await workspace.call('part_of_big', { file: '/d' })
    return result?.structuredContent['next_offset']
  }
  expect(await next(MAX_APP_PART_BYTES)).toBeUndefined()
  expect(await next(MAX_APP_PART_BYTES + 1)).toBe(MAX_APP_PART_BYTES)
})

it('MAX_APP_DATA_PATHS paths are compared', async () => {
  const workspace = freshWorkspace()
  const others = numbers(MAX_APP_DATA_PATHS - 1).map((index) => `/d/${index}.x`)
  await seed(stubOf(workspace), [...others, '/d/zz.md'])
  await writeApp(workspace, 'big', { 'index.html': 'page', 'app.json': { data: ['d/*.md'] } })
  await approveApp(workspace, 'big')
  const { files, truncated } = await open(workspace)
  expect([files.length, truncated]).toEqual([1, false])
  await workspace.put('/d/a.x', '')
  expect(await open(workspace)).toEqual({ files: [], truncated: true })
})

it('has a test for every limit, but for MAX_KEPT_PAGES, which is in kept-pages.test.ts', () => {
  expect(Object.keys(limits)).toHaveLength(17)
})
