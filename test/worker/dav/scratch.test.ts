/** Files that operating systems write for themselves: taken, and never a change. */

import { MAX_SCRATCH_BYTES, MAX_SCRATCH_FILE_BYTES, MAX_SCRATCH_FILES } from '#worker/dav/limits.ts'
import { createScratch } from '#worker/dav/scratch.ts'
import { parsePath } from '#core/path.ts'
import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { davClient, davWith, passwordOf } from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'

const NAMES = ['/a/._b', '/.DS_Store', '/a/Thumbs.db', '/desktop.ini', '/._.DS_Store', '/THUMBS.DB']

const versionOf = async ({ fetch }: { fetch: (path: string) => Promise<Response> }) =>
  (await (await fetch('/changes?after=0')).json<{ version: number }>()).version

describe.each(NAMES)('%s', (path) => {
  it('is written, read, moved and deleted without a change', async () => {
    const { dav, workspace } = await davWith({ '/a/b': 'x' })
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const before = await versionOf(workspace)
    expect((await dav.send('PUT', path, { body: 'own' })).status).toBe(201)
    expect((await dav.send('PUT', path, { body: 'again' })).status).toBe(204)
    expect(await dav.send('GET', path)).toMatchObject({ status: 200, text: 'again' })
    const [file] = (await dav.propfind(path)).resources
    expect(file?.found).toMatchObject({ getcontentlength: '5', resourcetype: '' })
    const headers = { destination: dav.address('/._moved') }
    expect((await dav.send('COPY', path, { headers })).status).toBe(201)
    expect((await dav.send('MOVE', path, { headers })).status).toBe(204)
    expect((await dav.send('GET', path)).status).toBe(404)
    expect((await dav.send('DELETE', '/._moved')).status).toBe(204)
    expect(await versionOf(workspace)).toBe(before)
    expect(await owner.drafts()).toEqual([])
  })
})

it('is in no listing, and in no other link', async () => {
  const { dav, workspace } = await davWith({ '/a': 'x' })
  await dav.send('PUT', '/._a', { body: 'own' })
  expect((await dav.propfind('/', '1')).resources).toHaveLength(2)
  const { client } = await linkOf(workspace)
  const other = davClient(workspace, passwordOf(client))
  expect((await other.send('GET', '/._a')).status).toBe(404)
  expect(await textOf(workspace, '/._a')).toBeNull()
})

it('becomes no file of the workspace, and none becomes one', async () => {
  const { dav, workspace } = await davWith({ '/a': 'x' })
  const before = await versionOf(workspace)
  await dav.send('PUT', '/._a', { body: 'own' })
  const go = (method: string, from: string, to: string) =>
    dav.send(method, from, { headers: { destination: dav.address(to) } })
  for (const [from, to] of [
    ['/._a', '/b'],
    ['/a', '/._b'],
    ['/a', '/.DS_Store'],
  ] as const)
    for (const method of ['COPY', 'MOVE'])
      expect((await go(method, from, to)).code, `${method} ${from}`).toBe('SYSTEM_FILE')
  expect((await dav.send('MKCOL', '/._f')).code).toBe('SYSTEM_FILE')
  expect(await versionOf(workspace)).toBe(before)
})

it('needs the access that any other file needs', async () => {
  const { dav } = await davWith({ '/in/a': 'x' }, { scopes: ['read:file:/in', 'write:file:/in'] })
  expect((await dav.send('PUT', '/in/._a', { body: 'own' })).status).toBe(201)
  expect((await dav.send('PUT', '/out/._a', { body: 'own' })).status).toBe(403)
  const headers = { destination: dav.address('/out/._a') }
  expect((await dav.send('MOVE', '/in/._a', { headers })).status).toBe(403)
})

it('leaves a file of such a name that came another way as it is', async () => {
  const { dav, workspace } = await davWith({ '/desktop.ini': 'real' })
  expect((await dav.send('GET', '/desktop.ini')).text).toBe('real')
  expect((await dav.send('PUT', '/desktop.ini', { body: 'own' })).status).toBe(201)
  expect(await textOf(workspace, '/desktop.ini')).toBe('real')
  await dav.send('DELETE', '/desktop.ini')
  expect((await dav.send('GET', '/desktop.ini')).text).toBe('real')
  expect((await dav.send('DELETE', '/desktop.ini')).status).toBe(204)
  expect(await textOf(workspace, '/desktop.ini')).toBeNull()
})

describe('a limit', () => {
  const fileOf = (session: string, at: number, { size = 1, budget = session } = {}) => ({
    ...{ session, budget, path: parsePath(`/._${at}`), bytes: new Uint8Array(size) },
    ...{ hash: '', mtime: 0 },
  })

  it('of one file holds at its edge', async () => {
    const { dav } = await davWith({})
    const most = new Uint8Array(MAX_SCRATCH_FILE_BYTES)
    expect((await dav.send('PUT', '/._a', { body: most })).status).toBe(201)
    const over = new Uint8Array(MAX_SCRATCH_FILE_BYTES + 1)
    expect((await dav.send('PUT', '/._b', { body: over })).status).toBe(413)
    expect((await dav.send('GET', '/._b')).status).toBe(404)
  })

  it('of the files of one link drops its oldest', () => {
    const scratch = createScratch()
    scratch.put(fileOf('other', 0))
    for (let at = 0; at <= MAX_SCRATCH_FILES; at++) scratch.put(fileOf('one', at))
    expect(scratch.find('one', parsePath('/._0'))).toBeNull()
    expect(scratch.find('one', parsePath('/._1'))).not.toBeNull()
    expect(scratch.find('other', parsePath('/._0'))).not.toBeNull()
  })

  it('of all bytes drops the oldest of the principal with the most', () => {
    const scratch = createScratch()
    const count = MAX_SCRATCH_BYTES / MAX_SCRATCH_FILE_BYTES
    scratch.put(fileOf('two', 0))
    for (let at = 0; at < count; at++)
      scratch.put(fileOf('one', at, { size: MAX_SCRATCH_FILE_BYTES }))
    expect(scratch.find('one', parsePath('/._0'))).toBeNull()
    expect(scratch.find('one', parsePath('/._1'))).not.toBeNull()
    expect(scratch.find('two', parsePath('/._0'))).not.toBeNull()
    scratch.put(fileOf('two', 1))
    expect(scratch.find('one', parsePath('/._1'))).not.toBeNull()
  })

  it('of all bytes counts the links of a principal together', () => {
    const scratch = createScratch()
    const size = MAX_SCRATCH_FILE_BYTES
    for (const at of [0, 1]) scratch.put(fileOf('victim', at, { size }))
    for (let at = 0; at < MAX_SCRATCH_BYTES / size; at++)
      scratch.put(fileOf(`many ${at}`, at, { size, budget: 'many' }))
    for (const at of [0, 1])
      expect(scratch.find('victim', parsePath(`/._${at}`)), `${at}`).not.toBeNull()
  })

  it('of all bytes counts paths, so that empty files have an end as well', () => {
    const scratch = createScratch()
    const path = (link: number, at: number) => parsePath(`/._${link}-${at}-${'x'.repeat(200)}`)
    const links = MAX_SCRATCH_BYTES / (MAX_SCRATCH_FILES * 400)
    for (let link = 0; link <= links; link++)
      for (let at = 0; at < MAX_SCRATCH_FILES; at++)
        scratch.put({ ...fileOf(`${link}`, at, { size: 0, budget: 'one' }), path: path(link, at) })
    expect(scratch.find('0', path(0, 0))).toBeNull()
  })
})
