/** The life of a page link: what it keeps, how it ends, and how its openings are counted. */

import { SELF } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OPENINGS_MS } from '#worker/page-links/openings.ts'
import { MAX_HISTORY_VERSIONS } from '#worker/limits.ts'
import { runAlarm, stubOf } from '../../support/worker/object-life.ts'
import {
  listLinks,
  makeLink,
  numberIn,
  openPage,
  putFiles,
  sharedFiles,
} from '../../support/worker/page-links.ts'

afterEach(() => vi.useRealTimers())

type Workspace = Parameters<typeof listLinks>[0]

const blobsWith = (workspace: Workspace, text: string) =>
  numberIn(workspace, 'SELECT count(*) FROM blobs WHERE CAST(bytes AS TEXT) = ?', text)
const rowsOf = (workspace: Workspace, table: string) =>
  numberIn(workspace, `SELECT count(*) FROM ${table}`)
const openedOf = (workspace: Workspace) => numberIn(workspace, 'SELECT opened FROM page_links')

const DAY_MS = 24 * 60 * 60 * 1000

describe('a pinned link', () => {
  it('shows the file as it was, after it was changed, renamed or deleted', async () => {
    const { workspace, open } = await sharedFiles({ '/a.md': 'first' }, '/a.md')
    await putFiles(workspace, { '/a.md': 'second' })
    expect((await open()).html).toContain('first')
    await workspace.call('move_file', { from: '/a.md', to: '/b.md' })
    expect((await open()).html).toContain('first')
    await workspace.call('delete_file', { path: '/b.md' })
    expect((await open()).html).toContain('first')
  })

  it('keeps its content after history has dropped it, and lets it go with its end', async () => {
    const { workspace, link, open } = await sharedFiles({ '/a.txt': 'kept-by-pin' }, '/a.txt')
    for (let at = 0; at <= MAX_HISTORY_VERSIONS; at++)
      await putFiles(workspace, { '/a.txt': `${at}` })
    expect(await blobsWith(workspace, 'kept-by-pin')).toBe(1)
    expect((await open()).html).toContain('kept-by-pin')
    await workspace.fetch(`/page-links/${link.id}`, { method: 'DELETE' })
    expect(await blobsWith(workspace, 'kept-by-pin')).toBe(0)
  })

  it('shows a folder as it was, without what came later', async () => {
    const { workspace, link, open } = await sharedFiles(
      { '/d/a.txt': 'old', '/d/s/b.txt': 'b' },
      '/d',
    )
    expect(link).toMatchObject({ files: 2, hidden: 0 })
    await putFiles(workspace, { '/d/a.txt': 'new', '/d/late.txt': 'late' })
    await workspace.call('delete_file', { path: '/d/s' })
    expect((await open()).html).not.toContain('late.txt')
    expect((await open('a.txt')).html).toContain('old')
    expect((await open('s')).html).toContain('b.txt')
    expect((await open('s/b.txt')).status).toBe(200)
    expect((await open('late.txt')).status).toBe(404)
  })

  it('is refused if the file is not at the version that the owner has seen', async () => {
    const { workspace } = await sharedFiles({ '/a.txt': 'one' }, '/a.txt')
    await putFiles(workspace, { '/a.txt': 'two' })
    await expect(makeLink(workspace, '/a.txt', { version: 1 })).rejects.toThrow('VERSION_CONFLICT')
    expect(await makeLink(workspace, '/a.txt', { version: 2 })).toMatchObject({ version: 2 })
  })
})

describe('a live link', () => {
  it('shows the files of now', async () => {
    const { workspace, open } = await sharedFiles({ '/d/a.txt': 'old' }, '/d', { live: true })
    await putFiles(workspace, { '/d/a.txt': 'new', '/d/late.txt': 'late' })
    expect((await open()).html).toContain('late.txt')
    expect((await open('a.txt')).html).toContain('new')
  })

  it('does not show what took the place of the file, or is there no more', async () => {
    const { workspace, open } = await sharedFiles({ '/a': 'text' }, '/a', { live: true })
    await workspace.call('delete_file', { path: '/a' })
    expect((await open()).status).toBe(404)
    await putFiles(workspace, { '/a/secret.txt': 'other' })
    for (const rest of ['', 'secret.txt']) expect((await open(rest)).status).toBe(404)
  })
})

describe('the end', () => {
  it('is the same page for an unknown, an ended and a revoked link, and for a path that is not shown', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { workspace, link, open } = await sharedFiles({ '/d/a.txt': 'a' }, '/d', {
      ttl_seconds: 60,
    })
    const other = await makeLink(workspace, '/d')
    const missing = await open('none.txt')
    const unknown = await openPage({ url: link.url.replace(/.{4}\/$/, 'AAAA/') })
    const unused = await openPage({ url: link.url.replace(/p\/[^.]+/, 'p/never-used') })
    const malformed = await openPage({ url: link.url.replace(/\.[^.]+\/$/, '.x/') })
    await workspace.fetch(`/page-links/${other.id}`, { method: 'DELETE' })
    const revoked = await openPage(other)
    vi.setSystemTime(Date.now() + 60_000)
    const ended = await open()
    for (const one of [unknown, unused, malformed, revoked, ended]) {
      expect(one.status).toBe(404)
      expect(one.html).toBe(missing.html)
      expect([...one.response.headers]).toEqual([...missing.response.headers])
    }
  })

  it('comes at the time, and the alarm lets the content go', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { workspace, open } = await sharedFiles({ '/a.txt': 'short-lived' }, '/a.txt', {
      ttl_seconds: 60,
    })
    await workspace.call('delete_file', { path: '/a.txt' })
    vi.setSystemTime(Date.now() + 59_999)
    expect((await open()).status).toBe(200)
    vi.setSystemTime(Date.now() + 1)
    expect((await open()).status).toBe(404)
    expect(await listLinks(workspace)).toEqual([])
    await runAlarm(stubOf(workspace))
    expect(await rowsOf(workspace, 'page_links')).toBe(0)
    expect(await rowsOf(workspace, 'pinned_files')).toBe(0)
  })
})

describe('openings', () => {
  it('are counted by pages, and not by pictures, downloads and HEAD', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { workspace, link, open } = await sharedFiles(
      { '/d/a.md': 'a', '/d/p.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      '/d',
    )
    expect(await listLinks(workspace)).toMatchObject([{ opened: 0, last_opened: null }])
    for (const rest of ['', 'a.md', 'p.svg?image', 'a.md?download', 'none']) await open(rest)
    await SELF.fetch(link.url, { method: 'HEAD' })
    expect(await listLinks(workspace)).toMatchObject([{ opened: 2, last_opened: Date.now() }])
  })

  it('are written once in a while, however often a page is opened', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { workspace, open } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
    for (let at = 0; at < 20; at++) await open()
    expect(await openedOf(workspace)).toBe(1)
    vi.setSystemTime(Date.now() + OPENINGS_MS)
    await runAlarm(stubOf(workspace))
    expect(await openedOf(workspace)).toBe(20)
  })
})

it('a session link is no page link, and a page link is no session link', async () => {
  const { workspace, link } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
  const made = await workspace.fetch('/sessions', {
    method: 'POST',
    body: JSON.stringify({ label: 'x' }),
  })
  const { url } = await made.json<{ url: string }>()
  expect((await openPage({ url: url.replace('/s/', '/p/').replace(/mcp$/, '') })).status).toBe(404)
  for (const rest of ['mcp', 'file', 'files/a.md', 'changes', 'dav/a.md'])
    expect((await SELF.fetch(link.url.replace('/p/', '/s/') + rest)).status).toBe(401)
})

it('lasts a week unless the owner says otherwise', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { workspace } = await sharedFiles({ '/a.md': 'a' }, '/a.md')
  expect(await listLinks(workspace)).toMatchObject([
    { path: '/a.md', kind: 'file', live: false, expires: Date.now() + 7 * DAY_MS },
  ])
})
