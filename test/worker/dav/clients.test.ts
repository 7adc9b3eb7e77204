/**
 * What clients send, in the order in which they send it: a text of each request as they are known from their traces, with
 * the paths of this test. `test/e2e/dav/judges.slow.test.ts` runs clients themselves.
 */

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { davWith, resourcesIn, type DavClient, type Sent } from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'
import { readTree } from '../../support/e2e/feed.ts'

const inParts = (text: string) => new Blob([text]).stream()

/** Sends requests one after another, and returns their statuses. */
async function replay(dav: DavClient, sent: readonly (readonly [string, string, Sent?])[]) {
  const statuses: number[] = []
  for (const [method, path, init] of sent)
    statuses.push((await dav.send(method, path, init)).status)
  return statuses
}

describe('Finder', () => {
  const headers = { 'user-agent': 'WebDAVFS/3.0.0 (03008000) Darwin/25.0.0 (arm64)' }
  const STATFS =
    '<?xml version="1.0" encoding="utf-8"?>\n<D:propfind xmlns:D="DAV:">\n<D:prop>\n<D:quota-available-bytes/>\n<D:quota-used-bytes/>\n<D:quota/>\n<D:quotaused/>\n</D:prop>\n</D:propfind>\n'
  const STAT =
    '<?xml version="1.0" encoding="utf-8"?>\n<D:propfind xmlns:D="DAV:">\n<D:prop>\n<D:getlastmodified/>\n<D:getcontentlength/>\n<D:creationdate/>\n<D:resourcetype/>\n</D:prop>\n</D:propfind>\n'
  const stat = (path: string) =>
    ['PROPFIND', path, { headers: { ...headers, depth: '0' }, body: STAT }] as const

  it('mounts, and asks for the room that is left', async () => {
    const { dav } = await davWith({ '/a': 'x' })
    const sent = { headers: { ...headers, depth: '0' }, body: STATFS }
    const [top] = resourcesIn((await dav.send('PROPFIND', '/', sent)).text)
    expect(Number(top?.found['quota-available-bytes'])).toBeGreaterThan(0)
    expect(top?.missing).toEqual(['quota', 'quotaused'])
  })

  it('copies a file with the file that it keeps beside it', async () => {
    const { dav, workspace } = await davWith({ '/f/a': 'x' })
    const length = (text: string) => ({
      headers: { ...headers, 'x-expected-entity-length': String(text.length) },
      body: inParts(text),
    })
    const statuses = await replay(dav, [
      stat('/f/report.txt'),
      ['PUT', '/f/report.txt', { headers, body: '' }],
      stat('/f/report.txt'),
      stat('/f/._report.txt'),
      ['PUT', '/f/._report.txt', { headers, body: '' }],
      ['PUT', '/f/._report.txt', length('attributes')],
      stat('/f/._report.txt'),
      ['PUT', '/f/report.txt', length('the report')],
      ['GET', '/f/.DS_Store', { headers }],
      ['PUT', '/f/.DS_Store', { headers, body: '' }],
    ])
    expect(statuses).toEqual([404, 201, 207, 404, 201, 204, 207, 204, 404, 201])
    expect((await readTree(workspace)).entries.map(({ path }) => path)).toEqual([
      '/f/a',
      '/f/report.txt',
    ])
    expect(await textOf(workspace, '/f/report.txt')).toBe('the report')
  })

  it('saves by a file beside it, which takes its place', async () => {
    const { dav, workspace } = await davWith({ '/a.txt': 'old' })
    const destination = dav.address('/a.txt')
    const statuses = await replay(dav, [
      ['PUT', '/a.txt.sb-1', { headers, body: 'new' }],
      ['MOVE', '/a.txt.sb-1', { headers: { ...headers, destination, overwrite: 'T' } }],
      ['MOVE', '/._a.txt.sb-1', { headers: { ...headers, destination: dav.address('/._a.txt') } }],
    ])
    expect(statuses).toEqual([201, 204, 404])
    expect(await textOf(workspace, '/a.txt')).toBe('new')
  })
})

describe('Explorer', () => {
  const headers = {
    'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.26100',
    translate: 'f',
    'content-length': '0',
  }
  const PATCH = `<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop><Z:Win32CreationTime>Mon, 30 Nov 2026 10:00:00 GMT</Z:Win32CreationTime><Z:Win32LastAccessTime>Mon, 30 Nov 2026 10:00:00 GMT</Z:Win32LastAccessTime><Z:Win32LastModifiedTime>Mon, 30 Nov 2026 10:00:00 GMT</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>`

  it('lists without a body, and asks again for what it has set', async () => {
    const { dav, workspace } = await davWith({ '/a b/c.txt': 'x' })
    const list = await dav.send('PROPFIND', '/a%20b', { headers: { ...headers, depth: '1' } })
    expect(resourcesIn(list.text)).toHaveLength(2)
    const type = { 'content-type': 'text/xml; charset="utf-8"' }
    const statuses = await replay(dav, [
      ['HEAD', '/a%20b/new.txt', { headers }],
      ['PUT', '/a%20b/new.txt', { headers, body: '' }],
      ['PUT', '/a%20b/new.txt', { headers: { translate: 'f' }, body: 'content' }],
      ['PROPPATCH', '/a%20b/new.txt', { headers: type, body: PATCH }],
      ['PROPFIND', '/a%20b/new.txt', { headers: { ...headers, depth: '0' } }],
      ['PROPFIND', '/a%20b/desktop.ini', { headers: { ...headers, depth: '0' } }],
      [
        'MOVE',
        '/a%20b/new.txt',
        {
          headers: { translate: 'f', destination: dav.address('/a%20b/c.txt'), overwrite: 'F' },
        },
      ],
      [
        'MOVE',
        '/a%20b/new.txt',
        {
          headers: { translate: 'f', destination: dav.address('/a%20b/other.txt'), overwrite: 'F' },
        },
      ],
    ])
    expect(statuses).toEqual([404, 201, 204, 207, 207, 404, 412, 201])
    const [file] = (await dav.propfind('/a%20b/other.txt')).resources
    expect(file?.found['Win32FileAttributes']).toBe('00000020')
    expect(await textOf(workspace, '/a%20b/other.txt')).toBe('content')
  })
})

describe('a plugin of Obsidian', () => {
  it('walks folders one by one where depth infinity is refused, and goes up by entity tags', async () => {
    const { dav, workspace } = await davWith({ '/vault/a.md': 'one', '/vault/sub/b.md': 'two' })
    const deep = await dav.send('PROPFIND', '/vault/', { headers: { depth: 'infinity' } })
    expect(deep.status).toBe(403)
    const found: string[] = []
    const walk = async (path: string): Promise<void> => {
      const { resources } = await dav.propfind(path, '1')
      for (const { href, found: props } of resources.slice(1)) {
        const below = href.slice(href.indexOf('/dav') + '/dav'.length)
        if (props['resourcetype'] === '<collection>') await walk(below)
        else found.push(below)
      }
    }
    await walk('/vault/')
    expect(found).toEqual(['/vault/a.md', '/vault/sub/b.md'])
    const tag = (await dav.propfind('/vault/a.md')).resources[0]?.found['getetag'] ?? ''
    expect(tag).toBe(`"${createHash('sha256').update('one').digest('base64url')}"`)
    await workspace.put('/vault/a.md', 'changed elsewhere')
    const headers = { 'if-match': tag }
    const answer = await dav.send('PUT', '/vault/a.md', { headers, body: 'mine' })
    expect(answer.status).toBe(412)
    expect((await dav.send('MKCOL', '/vault/.obsidian/')).status).toBe(201)
    expect((await dav.send('MKCOL', '/vault/.obsidian/')).status).toBe(405)
  })
})

describe('a client with If', () => {
  it('names states of several resources, as RFC 4918, 10.4.7 has it', async () => {
    const { dav, workspace } = await davWith({ '/a': 'one', '/b': 'two' })
    const tag = async (path: string) =>
      (await dav.propfind(path)).resources[0]?.found['getetag'] ?? ''
    const [a, b] = [await tag('/a'), await tag('/b')]
    const lists = (...parts: string[]) => ({
      if: parts.join(' '),
      destination: dav.address('/b'),
    })
    const from = `<${dav.address('/a')}>`
    const to = `<${dav.address('/b')}>`
    const statuses = await replay(dav, [
      ['COPY', '/a', { headers: lists(`${from} ([${b}])`, `${to} ([${a}])`) }],
      ['COPY', '/a', { headers: lists(`${from} (Not <DAV:no-lock> [${b}])`, `(["x"])`) }],
      ['COPY', '/a', { headers: lists(`${from} ([${b}])`, `([${a}])`) }],
    ])
    expect(statuses).toEqual([412, 412, 204])
    expect(await textOf(workspace, '/b')).toBe('one')
  })
})
