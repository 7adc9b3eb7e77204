/** If-Match, If-None-Match and If, by content hashes. */

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { davWith } from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'

const hashOf = (text: string) => `"${createHash('sha256').update(text).digest('base64url')}"`
const [ONE, OTHER] = [hashOf('one'), hashOf('other')]

describe('a write', () => {
  it.each([
    ['If-Match of the content', { 'if-match': ONE }, 204],
    ['If-Match of another', { 'if-match': OTHER }, 412],
    ['If-Match of several', { 'if-match': `${OTHER}, ${ONE}` }, 204],
    ['If-Match of a version', { 'if-match': '"1"' }, 412],
    ['If-Match *', { 'if-match': '*' }, 204],
    ['If-None-Match *', { 'if-none-match': '*' }, 412],
    ['If-None-Match of the content', { 'if-none-match': ONE }, 412],
    ['If-None-Match of another', { 'if-none-match': OTHER }, 204],
    ['If of the content', { if: `([${ONE}])` }, 204],
    ['If of another', { if: `([${OTHER}])` }, 412],
    ['If of several lists', { if: `([${OTHER}]) ([${ONE}])` }, 204],
    ['If of a lock that is none', { if: '(<urn:none>)' }, 412],
    ['If of no such lock', { if: '(Not <urn:none>)' }, 204],
    ['an invalid If', { if: 'one' }, 400],
  ])('with %s', async (_, headers, status) => {
    const { dav, workspace } = await davWith({ '/a': 'one' })
    const answer = await dav.send('PUT', '/a', { body: 'new', headers })
    expect(answer.status).toBe(status)
    expect(await textOf(workspace, '/a')).toBe(status === 204 ? 'new' : 'one')
  })

  it('creates a file only where there is none', async () => {
    const { dav } = await davWith({ '/a': 'one' })
    const headers = { 'if-none-match': '*' }
    expect((await dav.send('PUT', '/b', { body: 'x', headers })).status).toBe(201)
    expect((await dav.send('PUT', '/b', { body: 'y', headers })).status).toBe(412)
    const match = { 'if-match': '*' }
    expect((await dav.send('PUT', '/c', { body: 'y', headers: match })).status).toBe(412)
  })
})

describe('If with resources', () => {
  it.each([
    ['/b', OTHER, 204],
    ['/b', ONE, 412],
    ['/none', ONE, 412],
  ])('looks at %s', async (path, tag, status) => {
    const { dav } = await davWith({ '/a': 'one', '/b': 'other' })
    const headers = { if: `<${dav.address(path)}> ([${tag}])` }
    expect((await dav.send('DELETE', '/a', { headers })).status).toBe(status)
  })

  it('knows nothing of other servers and workspaces', async () => {
    const { dav } = await davWith({ '/a': 'one' })
    for (const address of [
      'http://other.example/dav/a',
      'http://localhost/w/other/dav/a',
      'urn:a',
    ]) {
      const headers = { if: `<${address}> ([${ONE}])` }
      expect((await dav.send('DELETE', '/a', { headers })).status, address).toBe(412)
    }
  })

  it('does not tell whether a hidden file has a content', async () => {
    const policy = { roots: [{ path: '/', deny: ['secret'] }] }
    const { dav } = await davWith({ '/a': 'x', '/secret': 'one' }, { policy })
    for (const [tag, not] of [
      [ONE, ''],
      [OTHER, ''],
    ]) {
      const headers = { if: `<${dav.address('/secret')}> (${not}[${tag}])` }
      expect((await dav.send('PUT', '/a', { body: 'y', headers })).status).toBe(412)
    }
  })
})

describe('each method', () => {
  it.each(['GET', 'DELETE', 'COPY', 'MOVE', 'PROPFIND', 'PROPPATCH'])('%s', async (method) => {
    const { dav, workspace } = await davWith({ '/a': 'one' })
    const headers = { 'if-match': OTHER, depth: '0', destination: dav.address('/n') }
    const body =
      method === 'PROPPATCH'
        ? '<propertyupdate xmlns="DAV:"><set><prop><a xmlns="x"/></prop></set></propertyupdate>'
        : null
    const sent =
      method === 'COPY' || method === 'MOVE' ? { ...headers, depth: 'infinity' } : headers
    expect((await dav.send(method, '/a', { headers: sent, body })).status).toBe(412)
    expect(await textOf(workspace, '/a')).toBe('one')
    expect(await textOf(workspace, '/n')).toBeNull()
  })

  it('a conditional write needs to read, because its answer tells of the content', async () => {
    const { dav } = await davWith({ '/in/a': 'one' }, { scopes: ['write:file:/in'] })
    for (const headers of [{ 'if-match': ONE }, { if: `([${ONE}])` }, { 'if-none-match': '*' }])
      expect((await dav.send('PUT', '/in/a', { body: 'x', headers })).status).toBe(403)
    expect((await dav.send('PUT', '/in/a', { body: 'x' })).status).toBe(201)
  })
})
