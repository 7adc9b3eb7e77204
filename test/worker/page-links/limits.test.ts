/** The limits of page links, each at its edge. */

import { expect, it, vi } from 'vitest'
import {
  MAX_PAGE_CHARACTERS,
  MAX_PAGE_COLUMNS,
  MAX_PAGE_ENTRIES,
  MAX_PAGE_IMAGES,
  MAX_PAGE_LINES,
  MAX_PAGE_LINK_SECONDS,
  MAX_PAGE_LINKS,
  MAX_PAGE_TEXT_BYTES,
  MAX_PINNED_FILES,
  PAGE_REQUESTS_AT_ONCE,
  PAGE_REQUESTS_PER_SECOND,
} from '#worker/page-links/limits.ts'
import {
  askForLink,
  makeLink,
  openPage,
  putFiles,
  sharedFiles,
} from '../../support/worker/page-links.ts'

const codeOf = async (response: Response) => (await response.json<{ code: string }>()).code

it('MAX_PAGE_LINKS: a workspace has so many that have not ended', async () => {
  const { workspace, link } = await sharedFiles({ '/a.txt': '' }, '/a.txt')
  for (let at = 1; at < MAX_PAGE_LINKS; at++) await makeLink(workspace, '/a.txt')
  expect(await codeOf(await askForLink(workspace, { path: '/a.txt' }))).toBe('PAGE_LINKS_FULL')
  await workspace.fetch(`/page-links/${link.id}`, { method: 'DELETE' })
  expect((await askForLink(workspace, { path: '/a.txt' })).status).toBe(201)
})

it('MAX_PAGE_LINK_SECONDS: a link lasts a year at most', async () => {
  const { workspace } = await sharedFiles({ '/a.txt': '' }, '/a.txt')
  const ask = (ttl_seconds: number) => askForLink(workspace, { path: '/a.txt', ttl_seconds })
  expect(await codeOf(await ask(MAX_PAGE_LINK_SECONDS + 1))).toBe('INVALID_TTL_SECONDS')
  expect((await ask(MAX_PAGE_LINK_SECONDS)).status).toBe(201)
})

it('MAX_PINNED_FILES: a pinned folder has so many, and a live one any number', async () => {
  const files = Object.fromEntries(
    Array.from({ length: MAX_PINNED_FILES }, (_, at) => [`/d/${at}`, '']),
  )
  const { workspace } = await sharedFiles(files, '/d')
  await putFiles(workspace, { '/d/more': '' })
  expect(await codeOf(await askForLink(workspace, { path: '/d' }))).toBe('TOO_MANY_PAGE_FILES')
  expect((await askForLink(workspace, { path: '/d', live: true })).status).toBe(201)
})

it('PAGE_REQUESTS_AT_ONCE and PAGE_REQUESTS_PER_SECOND: a link answers so many, and others go on', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { workspace, link, open } = await sharedFiles({ '/a.txt': '' }, '/a.txt')
  const other = await makeLink(workspace, '/a.txt')
  for (let at = 0; at < PAGE_REQUESTS_AT_ONCE; at++) expect((await open()).status).toBe(200)
  const { status, response } = await open('?download')
  expect([status, response.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await openPage(other)).status).toBe(200)
  vi.setSystemTime(Date.now() + 1_000)
  for (let at = 0; at < PAGE_REQUESTS_PER_SECOND; at++)
    expect((await openPage(link)).status).toBe(200)
  expect((await openPage(link)).status).toBe(429)
  vi.useRealTimers()
})

it('MAX_PAGE_TEXT_BYTES: a larger file is only a download', async () => {
  const line = `${'x'.repeat(1_023)}\n`
  const text = line.repeat(MAX_PAGE_TEXT_BYTES / 1_024)
  const { open } = await sharedFiles({ '/d/a.txt': text, '/d/b.txt': `${text}x` }, '/d')
  expect((await open('a.txt')).html).toContain('xxx')
  expect((await open('b.txt')).html).toContain('too large to be shown')
  expect((await open('b.txt?download')).response.headers.get('content-length')).toBe(
    String(MAX_PAGE_TEXT_BYTES + 1),
  )
})

it('MAX_PAGE_CHARACTERS: a page has so many', async () => {
  const half = `${'x'.repeat(MAX_PAGE_CHARACTERS / 2 - 1)}\n`
  const { open } = await sharedFiles(
    { '/d/a.txt': half + half.trimEnd(), '/d/b.txt': half + half + 'x' },
    '/d',
  )
  expect((await open('a.txt?part=2')).status).toBe(404)
  expect((await open('b.txt?part=2')).status).toBe(200)
})

it('MAX_PAGE_LINES: a page has so many', async () => {
  const lines = (count: number) => Array.from({ length: count }, () => 'x').join('\n')
  const { open } = await sharedFiles(
    { '/d/a.txt': lines(MAX_PAGE_LINES), '/d/b.txt': lines(MAX_PAGE_LINES + 1) },
    '/d',
  )
  expect((await open('a.txt?part=2')).status).toBe(404)
  expect((await open('b.txt?part=2')).status).toBe(200)
})

it('MAX_PAGE_COLUMNS: a table has so many', async () => {
  const { open } = await sharedFiles({ '/a.csv': 'a,'.repeat(2 * MAX_PAGE_COLUMNS) }, '/a.csv')
  expect((await open()).html.match(/<th /g)).toHaveLength(MAX_PAGE_COLUMNS)
})

it('MAX_PAGE_IMAGES: a page has so many pictures, and links to the others', async () => {
  const { open } = await sharedFiles(
    { '/d/a.md': '![x](p.png)\n'.repeat(MAX_PAGE_IMAGES + 3) },
    '/d',
  )
  const { html } = await open('a.md')
  expect(html.match(/<img /g)).toHaveLength(MAX_PAGE_IMAGES)
  expect(html.match(/class="picture"/g)).toHaveLength(3)
})

it('MAX_PAGE_ENTRIES: a page of a folder has so many', async () => {
  const names = Array.from({ length: MAX_PAGE_ENTRIES }, (_, at) => `/d/${1000 + at}`)
  const { workspace, link } = await sharedFiles(
    Object.fromEntries(names.map((name) => [name, ''])),
    '/d',
    { live: true },
  )
  expect((await openPage(link)).html).not.toContain('More entries')
  await putFiles(workspace, { '/d/z': '' })
  expect((await openPage(link)).html).toContain('More entries')
})
