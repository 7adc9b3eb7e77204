/** PUT of WebDAV: statuses, times and checksums of ownCloud, and bodies of unknown length. */

import { createHash } from 'node:crypto'
import { MAX_UNSIZED_BYTES } from '#worker/dav/limits.ts'
import { SELF } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { davWith } from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'

const digest = (kind: string, text: string) => createHash(kind).update(text).digest('hex')

/** A body that is sent in parts, so that no header has its length. */
function inParts(...parts: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts)
        controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part)
      controller.close()
    },
  })
}

describe('PUT', () => {
  it('creates a file, and replaces its content', async () => {
    const { dav, workspace } = await davWith({ '/a/b': 'x' })
    const created = await dav.send('PUT', '/a/c', { body: 'one' })
    expect(created.status).toBe(201)
    expect(created.headers.get('etag')).toMatch(/^"[\w-]{43}"$/)
    expect((await dav.send('PUT', '/a/c', { body: 'two' })).status).toBe(204)
    expect(await textOf(workspace, '/a/c')).toBe('two')
    expect((await dav.send('PUT', '/a/empty', { body: '' })).status).toBe(201)
    expect(await textOf(workspace, '/a/empty')).toBe('')
  })

  it('needs a folder, and no folder at its place', async () => {
    const { dav, workspace } = await davWith({ '/a/b': 'x' })
    expect((await dav.send('PUT', '/a', { body: 'x' })).status).toBe(405)
    expect((await dav.send('PUT', '/', { body: 'x' })).status).toBe(405)
    expect((await dav.send('PUT', '/no/such', { body: 'x' })).status).toBe(409)
    expect((await dav.send('PUT', '/a/b/c', { body: 'x' })).status).toBe(409)
    expect((await workspace.fetch('/files/no')).status).toBe(404)
  })

  it('keeps whether a file is executable', async () => {
    const { dav, workspace } = await davWith({})
    const headers = { 'x-edgewise-executable': 'true' }
    await workspace.fetch('/files/run', { method: 'PUT', body: 'x', headers })
    await dav.send('PUT', '/run', { body: 'y' })
    const list = await (await workspace.fetch('/files/')).json<{ entries: object[] }>()
    expect(list.entries).toMatchObject([{ name: 'run', executable: true }])
  })

  it('refuses a content coding', async () => {
    const { dav } = await davWith({})
    const headers = { 'content-encoding': 'gzip' }
    expect((await dav.send('PUT', '/a', { body: 'x', headers })).status).toBe(415)
  })
})

describe('the time of a file', () => {
  it.each([
    ['1600000000', 'Sun, 13 Sep 2020 12:26:40 GMT'],
    ['1600000000.75', 'Sun, 13 Sep 2020 12:26:40 GMT'],
    ['0', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('is X-OC-Mtime: %s', async (seconds, shown) => {
    const { dav } = await davWith({})
    const answer = await dav.send('PUT', '/a', { body: 'x', headers: { 'x-oc-mtime': seconds } })
    expect(answer.headers.get('x-oc-mtime')).toBe('accepted')
    const [file] = (await dav.propfind('/a')).resources
    expect(file?.found['getlastmodified']).toBe(shown)
    expect((await dav.send('HEAD', '/a')).headers.get('last-modified')).toBe(shown)
  })

  it.each(['', 'x', '-1', '0x5f5e100', '1e9', '253402300800', '99999999999999'])(
    'is not %j',
    async (seconds) => {
      const { dav, workspace } = await davWith({})
      const answer = await dav.send('PUT', '/a', { body: 'x', headers: { 'x-oc-mtime': seconds } })
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_HEADER' })
      expect(await textOf(workspace, '/a')).toBeNull()
    },
  )
})

describe('a checksum', () => {
  it.each([
    ['SHA1', (text: string) => digest('sha1', text)],
    ['MD5', (text: string) => digest('md5', text)],
    ['sha1', (text: string) => digest('sha1', text).toUpperCase()],
  ])('of the kind %s is compared with the body', async (kind, sum) => {
    const { dav, workspace } = await davWith({})
    const right = { 'oc-checksum': `${kind}:${sum('one')}` }
    expect((await dav.send('PUT', '/a', { body: 'one', headers: right })).status).toBe(201)
    const wrong = { 'oc-checksum': `${kind}:${sum('two')}` }
    const refused = await dav.send('PUT', '/a', { body: 'three', headers: wrong })
    expect(refused).toMatchObject({ status: 400, code: 'CHECKSUM_MISMATCH' })
    expect(await textOf(workspace, '/a')).toBe('one')
  })

  it('of another kind is passed over', async () => {
    const { dav } = await davWith({})
    const headers = { 'oc-checksum': 'ADLER32:12345678' }
    expect((await dav.send('PUT', '/a', { body: 'one', headers })).status).toBe(201)
  })
})

it.each(['/dav/a', '/files/a'])('stores no part of a file as the whole at %s', async (route) => {
  const { dav, workspace, link } = await davWith({ '/a': '0123456789' })
  const headers = { 'content-range': 'bytes 2-3/10' }
  const sent = { method: 'PUT', body: 'xx', headers }
  const answer = await SELF.fetch(link.base + route, sent)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'INVALID_HEADER' })
  expect((await dav.send('GET', '/a')).text).toBe('0123456789')
  expect(await textOf(workspace, '/a')).toBe('0123456789')
})

describe('a body without Content-Length', () => {
  it('is taken with X-Expected-Entity-Length, as Finder sends it', async () => {
    const { dav, workspace } = await davWith({})
    const headers = { 'x-expected-entity-length': '6' }
    const sent = { headers, body: inParts('one', 'two') }
    expect((await dav.send('PUT', '/a', sent)).status).toBe(201)
    expect(await textOf(workspace, '/a')).toBe('onetwo')
    for (const length of ['5', '7', 'x', '-1']) {
      const wrong = { headers: { 'x-expected-entity-length': length }, body: inParts('one', 'two') }
      expect((await dav.send('PUT', '/b', wrong)).status, length).toBe(400)
    }
    expect(await textOf(workspace, '/b')).toBeNull()
  })

  it('is taken without any, up to a limit', async () => {
    const { dav, workspace } = await davWith({})
    const most = new Uint8Array(MAX_UNSIZED_BYTES)
    const fits = { body: inParts('one', 'two') }
    expect((await dav.send('PUT', '/a', fits)).status).toBe(201)
    expect(await textOf(workspace, '/a')).toBe('onetwo')
    const edge = { body: inParts(most) }
    expect((await dav.send('PUT', '/b', edge)).status).toBe(201)
    const over = { body: inParts(most, 'x') }
    expect(await dav.send('PUT', '/c', over)).toMatchObject({ code: 'LENGTH_REQUIRED' })
    expect((await workspace.fetch('/files/c')).status).toBe(404)
  })
})
