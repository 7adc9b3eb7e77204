/** The methods of WebDAV on one resource: their statuses, their refusals, and the entity tags, which are content hashes. */

import { createHash } from 'node:crypto'
import { LINK_HEADER, PREFIX_HEADER, SENDER_HEADER } from '#worker/sessions/links.ts'
import { SELF } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { davWith } from '../../support/worker/dav.ts'
import { configure, textOf } from '../../support/worker/held-draft.ts'

const hashOf = (text: string) => `"${createHash('sha256').update(text).digest('base64url')}"`

describe('OPTIONS', () => {
  it('says what the server can do, before a password is sent', async () => {
    // Explorer asks at the root of the server first, and goes away where it is not WebDAV.
    for (const path of ['/', '/dav', '/dav/', '/w/x/dav/a', '/s/x.y/dav/']) {
      const answer = await SELF.fetch(`http://localhost${path}`, { method: 'OPTIONS' })
      expect(answer.headers.get('dav'), path).toMatch(/^1\b/)
      expect(answer.headers.get('ms-author-via')).toBe('DAV')
      for (const method of ['PROPFIND', 'PUT', 'MKCOL', 'COPY', 'MOVE', 'PROPPATCH'])
        expect(answer.headers.get('allow')).toContain(method)
    }
  })

  it('is the preflight request of a browser elsewhere', async () => {
    const headers = { origin: 'http://localhost', 'access-control-request-method': 'PUT' }
    for (const path of ['/files/a', '/dav/a', '/davos', '/'])
      for (const init of [{}, { headers }]) {
        if (['/', '/dav/a'].includes(path) && init.headers === undefined) continue
        const answer = await SELF.fetch(`http://localhost${path}`, { method: 'OPTIONS', ...init })
        expect(answer.headers.get('dav'), path).toBeNull()
        expect(answer.headers.get('access-control-allow-methods')).not.toBeNull()
      }
  })
})

describe('GET and HEAD', () => {
  it('serve a file with the hash of its content as the entity tag', async () => {
    const { dav } = await davWith({ '/a.txt': 'one' })
    const answer = await dav.send('GET', '/a.txt')
    expect(answer).toMatchObject({ status: 200, text: 'one' })
    expect(answer.headers.get('etag')).toBe(hashOf('one'))
    const head = await dav.send('HEAD', '/a.txt')
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('content-length')).toBe('3')
    const again = { headers: { 'if-none-match': hashOf('one') } }
    expect((await dav.send('GET', '/a.txt', again)).status).toBe(304)
  })

  it('serve a range, unless the content is another', async () => {
    const { dav } = await davWith({ '/a': 'abcdef' })
    const range = { range: 'bytes=1-2' }
    expect(await dav.send('GET', '/a', { headers: range })).toMatchObject({
      status: 206,
      text: 'bc',
    })
    const same = { ...range, 'if-range': hashOf('abcdef') }
    expect((await dav.send('GET', '/a', { headers: same })).text).toBe('bc')
    const other = { ...range, 'if-range': hashOf('other') }
    expect((await dav.send('GET', '/a', { headers: other })).text).toBe('abcdef')
  })

  it('serve no content that a browser would execute', async () => {
    const { dav } = await davWith({ '/a.html': '<script>alert(1)</script>' })
    const { headers } = await dav.send('GET', '/a.html')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  it('tell a folder from nothing', async () => {
    const { dav } = await davWith({ '/a/b': 'x' })
    for (const path of ['/', '/a', '/a/'])
      expect((await dav.send('GET', path)).text).toContain('WebDAV client')
    expect((await dav.send('HEAD', '/a')).status).toBe(200)
    expect(await dav.send('GET', '/none')).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' })
  })
})

describe('MKCOL', () => {
  it('creates a folder in an existing one', async () => {
    const { dav, workspace } = await davWith({ '/a': 'x' })
    expect((await dav.send('MKCOL', '/new/')).status).toBe(201)
    expect((await dav.send('MKCOL', '/new/inner')).status).toBe(201)
    expect((await dav.send('MKCOL', '/new')).status).toBe(405)
    expect((await dav.send('MKCOL', '/a')).status).toBe(405)
    expect((await dav.send('MKCOL', '/')).status).toBe(405)
    expect(await dav.send('MKCOL', '/no/such')).toMatchObject({
      status: 409,
      code: 'FOLDER_MISSING',
    })
    expect(await dav.send('MKCOL', '/a/b')).toMatchObject({ status: 409, code: 'NOT_A_FOLDER' })
    expect(await dav.send('MKCOL', '/body', { body: '<a/>' })).toMatchObject({ status: 415 })
    expect((await workspace.fetch('/files/new/inner')).status).toBe(200)
    expect((await workspace.fetch('/files/body')).status).toBe(404)
  })
})

describe('DELETE', () => {
  it('deletes a file, and a folder with all that is in it', async () => {
    const { dav, workspace } = await davWith({ '/a': 'x', '/b/c/d': 'x' })
    expect((await dav.send('DELETE', '/a')).status).toBe(204)
    expect((await dav.send('DELETE', '/a')).status).toBe(404)
    expect((await dav.send('DELETE', '/b/')).status).toBe(204)
    expect((await workspace.fetch('/files/b')).status).toBe(404)
    expect((await dav.send('DELETE', '/')).status).toBe(403)
  })

  it('leaves what is immutable, and what a read-only workspace has', async () => {
    const { dav, workspace } = await davWith({ '/a/fixed': 'x' })
    await configure(workspace, { roots: [{ path: '/', immutable: ['a/fixed'] }] })
    expect((await dav.send('DELETE', '/a')).code).toBe('PATH_IMMUTABLE')
    await configure(workspace, { read_only: true })
    for (const [method, path] of [
      ['DELETE', '/a'],
      ['PUT', '/b'],
      ['MKCOL', '/c'],
      ['PROPPATCH', '/a/fixed'],
    ] as const) {
      const body =
        method === 'PROPPATCH'
          ? '<propertyupdate xmlns="DAV:"><set><prop><a xmlns="x"/></prop></set></propertyupdate>'
          : null
      expect((await dav.send(method, path, { body })).code, method).toBe('READ_ONLY')
    }
    expect(await textOf(workspace, '/a/fixed')).toBe('x')
  })
})

it('no other method is served', async () => {
  const { dav } = await davWith({ '/a': 'x' })
  for (const method of ['POST', 'PATCH', 'SEARCH', 'REPORT', 'ACL', 'BIND'])
    expect((await dav.send(method, '/a')).status, method).toBe(405)
})

it('the owner sees each change with its method and its link', async () => {
  const { dav, workspace, session } = await davWith({})
  await dav.send('MKCOL', '/a')
  await dav.send('PUT', '/a/b', { body: 'x' })
  const to = { destination: dav.address('/a/c') }
  await dav.send('COPY', '/a/b', { headers: to })
  await dav.send('MOVE', '/a/b', { headers: { destination: dav.address('/a/d') } })
  await dav.send('DELETE', '/a/d')
  const { changes } = await (
    await workspace.fetch('/changes?after=0')
  ).json<{
    changes: { tool: string; session: string; intent: string }[]
  }>()
  expect(changes.map(({ tool }) => tool)).toEqual(['MKCOL', 'PUT', 'COPY', 'MOVE', 'DELETE'])
  expect(new Set(changes.map((change) => change.session))).toEqual(new Set([session]))
  expect(changes[3]?.intent).toBe('Move /a/b to /a/d')
})

it('a refusal is an entry of the audit log', async () => {
  const { dav, workspace } = await davWith({ '/in/a': 'x' }, { scopes: ['read:file:/in'] })
  expect((await dav.send('PUT', '/in/a', { body: 'y' })).code).toBe('INSUFFICIENT_SCOPE')
  expect((await dav.propfind('/out')).code).toBe('INSUFFICIENT_SCOPE')
  const { entries } = await (
    await workspace.fetch('/audit?outcome=refused')
  ).json<{
    entries: { tool: string }[]
  }>()
  expect(entries.map(({ tool }) => tool)).toEqual(['PROPFIND', 'PUT'])
})

it('no header from outside is taken for one of the front', async () => {
  const { dav, workspace } = await davWith({ '/a': 'x' })
  const forged = {
    [PREFIX_HEADER]: '/evil',
    [SENDER_HEADER]: 'elsewhere',
    [LINK_HEADER]: 'x'.repeat(43),
  }
  const found = await dav.send('PROPFIND', '/', { headers: { depth: '0', ...forged } })
  expect(found.status).toBe(207)
  expect(found.text).not.toContain('evil')
  const without = await SELF.fetch(`${workspace.base}/dav/a`, { headers: forged })
  expect(without.status).toBe(401)
  await without.text()
})
