/** COPY and MOVE: what they do, what they overwrite, and where they do not lead. */

import { beforeEach, describe, expect, it } from 'vitest'
import { davWith, type DavClient } from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'
import { readFeed, readTree } from '../../support/e2e/feed.ts'

let made: Awaited<ReturnType<typeof davWith>>
let dav: DavClient

beforeEach(async () => {
  made = await davWith({ '/a': 'one', '/b': 'two', '/f/c': 'three', '/f/g/d': 'four', '/h/e': 'x' })
  dav = made.dav
})

const paths = async () => (await readTree(made.workspace)).entries.map(({ path }) => path)

const send = (method: string, from: string, to: string, headers = {}) =>
  dav.send(method, from, { headers: { destination: dav.address(to), ...headers } })

describe('a file', () => {
  it('is copied', async () => {
    expect((await send('COPY', '/a', '/f/a')).status).toBe(201)
    expect(await textOf(made.workspace, '/f/a')).toBe('one')
    expect(await textOf(made.workspace, '/a')).toBe('one')
  })

  it('is moved, with its time', async () => {
    await dav.send('PUT', '/a', { body: 'one', headers: { 'x-oc-mtime': '1600000000' } })
    expect((await send('MOVE', '/a', '/f/a')).status).toBe(201)
    expect(await textOf(made.workspace, '/a')).toBeNull()
    const [file] = (await dav.propfind('/f/a')).resources
    expect(file?.found['getlastmodified']).toBe('Sun, 13 Sep 2020 12:26:40 GMT')
  })

  it.each(['COPY', 'MOVE'])('replaces another by %s, unless Overwrite is F', async (method) => {
    const refused = await send(method, '/a', '/b', { overwrite: 'F' })
    expect(refused).toMatchObject({ status: 412, code: 'TARGET_EXISTS' })
    expect(await textOf(made.workspace, '/b')).toBe('two')
    expect((await send(method, '/a', '/b', { overwrite: 'T' })).status).toBe(204)
    expect(await textOf(made.workspace, '/b')).toBe('one')
    expect(await textOf(made.workspace, '/a')).toBe(method === 'COPY' ? 'one' : null)
  })

  it('is copied with the time that the client names', async () => {
    const answer = await send('COPY', '/a', '/n', { 'x-oc-mtime': '1600000000' })
    expect(answer.headers.get('x-oc-mtime')).toBe('accepted')
    const [file] = (await dav.propfind('/n')).resources
    expect(file?.found['getlastmodified']).toBe('Sun, 13 Sep 2020 12:26:40 GMT')
  })
})

describe('a folder', () => {
  it('is copied with all that is in it', async () => {
    expect((await send('COPY', '/f/', '/n/')).status).toBe(201)
    expect(await paths()).toEqual(['/a', '/b', '/f/c', '/f/g/d', '/h/e', '/n/c', '/n/g/d'])
  })

  it('is copied alone with Depth 0', async () => {
    expect((await send('COPY', '/f', '/n', { depth: '0' })).status).toBe(201)
    expect(await paths()).toEqual(['/a', '/b', '/f/c', '/f/g/d', '/h/e', '/n'])
  })

  it('is moved with all that is in it', async () => {
    expect((await send('MOVE', '/f', '/n')).status).toBe(201)
    expect(await paths()).toEqual(['/a', '/b', '/h/e', '/n/c', '/n/g/d'])
  })

  it.each(['COPY', 'MOVE'])('takes the place of another by %s', async (method) => {
    expect((await send(method, '/f', '/h', { overwrite: 'F' })).status).toBe(412)
    expect((await send(method, '/f', '/h')).status).toBe(204)
    expect((await paths()).filter((path) => path.startsWith('/h'))).toEqual(['/h/c', '/h/g/d'])
  })

  it('and a file take the place of each other', async () => {
    expect((await send('COPY', '/a', '/h')).status).toBe(204)
    expect(await textOf(made.workspace, '/h')).toBe('one')
    expect((await send('COPY', '/f', '/b')).status).toBe(204)
    expect(await textOf(made.workspace, '/b/g/d')).toBe('four')
  })

  it('is written in one change, so that a reviewer sees what it replaces', async () => {
    const before = await readFeed(made.workspace, '')
    await send('MOVE', '/f', '/h')
    const { changes } = await readFeed(made.workspace, `after=${before.version}`)
    expect(changes).toHaveLength(1)
    const touched = changes[0]?.files.map(({ path, kind }) => [path, kind])
    expect(touched).toEqual(
      expect.arrayContaining([
        ['/h/e', 'gone'],
        ['/h/c', 'file'],
      ]),
    )
  })
})

describe('is refused', () => {
  it.each([
    ['a file onto itself', 'COPY', '/a', '/a', 403],
    ['a move onto itself', 'MOVE', '/a', '/a', 403],
    ['a folder into itself', 'COPY', '/f', '/f/n', 403],
    ['a move into itself', 'MOVE', '/f', '/f/g/n', 403],
    ['a file onto a folder above it', 'COPY', '/f/c', '/f', 403],
    ['the top', 'MOVE', '/', '/n', 403],
    ['onto the top', 'COPY', '/f', '/', 403],
    ['into a missing folder', 'COPY', '/a', '/no/such', 409],
    ['a move into a missing folder', 'MOVE', '/a', '/no/such', 409],
    ['below a file', 'COPY', '/a', '/b/n', 409],
    ['what is missing', 'COPY', '/no', '/n', 404],
    ['a move of what is missing', 'MOVE', '/no', '/n', 404],
    ['the name of a system file', 'MOVE', '/a', '/._a', 403],
  ])('%s', async (_, method, from, to, status) => {
    const before = await paths()
    expect((await send(method, from, to)).status).toBe(status)
    expect(await paths()).toEqual(before)
  })

  it.each([
    ['no Destination', { destination: '' }, 400],
    ['a relative one', { destination: 'n' }, 400],
    ['another server', { destination: 'http://other.example/dav/n' }, 502],
    ['another workspace', { destination: 'http://localhost/w/other/dav/n' }, 502],
    ['the files of another route', { destination: 'http://localhost/files/n' }, 502],
    ['a way out', { destination: '/w/x/dav/../../../files/n' }, 502],
    ['another Overwrite', { overwrite: 'maybe' }, 400],
    ['another Depth', { depth: '1' }, 400],
  ])('a request with %s', async (_, headers, status) => {
    const before = await paths()
    expect((await send('COPY', '/f', '/n', headers)).status).toBe(status)
    expect(await paths()).toEqual(before)
  })

  it('a move with Depth 0, and a copy without Destination', async () => {
    expect((await send('MOVE', '/f', '/n', { depth: '0' })).status).toBe(400)
    expect((await dav.send('COPY', '/a')).status).toBe(400)
  })
})

describe('with an access of its own', () => {
  it('a link leads no content to where it may not write, and none from where it may not read', async () => {
    const wish = {
      scopes: ['read:file:/in', 'write:file:/in', 'read:file:/out', 'write:file:/drop'],
    }
    const { dav: own, workspace } = await davWith(
      { '/in/a': 'in', '/out/b': 'out', '/drop/c': 'drop', '/gone/d': 'gone' },
      wish,
    )
    const go = (method: string, from: string, to: string) =>
      own.send(method, from, { headers: { destination: own.address(to) } })
    expect((await go('COPY', '/in/a', '/out/n')).status).toBe(403)
    expect((await go('MOVE', '/out/b', '/in/n')).status).toBe(403)
    expect((await go('COPY', '/drop/c', '/in/n')).status).toBe(403)
    expect((await go('MOVE', '/drop/c', '/in/n')).status).toBe(403)
    expect((await go('COPY', '/gone/d', '/in/n')).status).toBe(403)
    expect((await go('COPY', '/out/b', '/in/n')).status).toBe(201)
    expect(await textOf(workspace, '/drop/c')).toBe('drop')
  })

  it('a denied file does not go with its folder, nor tell of itself', async () => {
    const policy = { roots: [{ path: '/', deny: ['f/secret'] }] }
    const { dav: own, workspace } = await davWith(
      { '/f/a': 'x', '/f/secret': 'hidden', '/g/b': 'x' },
      { policy },
    )
    const go = (method: string, from: string, to: string) =>
      own.send(method, from, { headers: { destination: own.address(to) } })
    expect((await go('COPY', '/f', '/n')).status).toBe(201)
    expect((await workspace.fetch('/files/n/secret')).status).toBe(404)
    for (const [method, from, to] of [
      ['MOVE', '/f', '/m'],
      ['COPY', '/g', '/f'],
    ] as const) {
      const { status, text } = await go(method, from, to)
      expect(status, method).toBe(403)
      expect(text).not.toContain('secret')
    }
    expect((await own.send('DELETE', '/f')).status).toBe(403)
    expect(await textOf(workspace, '/f/secret')).toBe('hidden')
  })
})
