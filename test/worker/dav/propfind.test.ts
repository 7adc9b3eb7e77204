/** PROPFIND: the properties of the server, for what the caller sees and nothing else. */

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asking, davWith } from '../../support/worker/dav.ts'
import { configure } from '../../support/worker/held-draft.ts'

const hashOf = (text: string) => `"${createHash('sha256').update(text).digest('base64url')}"`

describe('a listing', () => {
  it('has a folder and what is directly in it', async () => {
    const { dav, workspace } = await davWith({ '/a/b.txt': 'one', '/a/c d/e': 'x', '/z': 'x' })
    const { resources } = await dav.propfind('/a', '1')
    const prefix = new URL(`${workspace.base}/dav`).pathname
    expect(resources.map(({ href }) => href)).toEqual([
      `${prefix}/a/`,
      `${prefix}/a/b.txt`,
      `${prefix}/a/c%20d/`,
    ])
    expect(resources[0]?.found).toMatchObject({ resourcetype: '<collection>', displayname: 'a' })
    expect(resources[1]?.found).toMatchObject({
      resourcetype: '',
      displayname: 'b.txt',
      getcontentlength: '3',
      getcontenttype: 'text/plain',
      getetag: hashOf('one'),
      getlastmodified: expect.stringMatching(/ GMT$/),
    })
    expect(resources[0]?.found).not.toHaveProperty('getetag')
  })

  it('has the resource alone with Depth 0', async () => {
    const { dav } = await davWith({ '/a/b': 'one' })
    expect((await dav.propfind('/a', '0')).resources).toHaveLength(1)
    expect((await dav.propfind('/a/b', '1')).resources).toHaveLength(1)
    expect((await dav.propfind('/a/b', 'infinity')).resources).toHaveLength(1)
  })

  it('is refused without an end', async () => {
    const { dav } = await davWith({ '/a/b': 'one' })
    for (const headers of [{ depth: 'infinity' }, {}]) {
      const refused = await dav.send('PROPFIND', '/', { headers })
      expect(refused.status).toBe(403)
      expect(refused.text).toContain('<D:propfind-finite-depth/>')
    }
    expect((await dav.propfind('/', '2')).code).toBe('INVALID_HEADER')
  })

  it('of nothing is not found', async () => {
    const { dav } = await davWith({})
    expect((await dav.propfind('/none')).status).toBe(404)
  })

  it('is XML whatever the names are', async () => {
    const names = ['a&b', '<c>', '"d"', "e'f", 'g h', 'é', '😀', ']]>', '%41', 'a;b', 'a#b', 'a?b']
    const { dav } = await davWith({})
    for (const name of names)
      expect((await dav.send('PUT', `/${encodeURIComponent(name)}`, { body: 'x' })).status).toBe(
        201,
      )
    const { resources } = await dav.propfind('/', '1')
    const shown = resources.slice(1).map(({ found }) => found['displayname'] ?? '')
    expect(shown.toSorted()).toEqual(names.toSorted())
    for (const { href, found } of resources.slice(1)) {
      const answer = await dav.send('GET', href.slice(href.indexOf('/dav') + '/dav'.length))
      expect(answer.text, found['displayname']).toBe('x')
    }
  })
})

describe('properties', () => {
  it('are those that the client names, and what is missing has the status 404', async () => {
    const { dav } = await davWith({ '/a': 'one' })
    const [file] = (await dav.propfind('/a', '0', asking('getetag', 'x:own', 'creationdate')))
      .resources
    expect(file?.found).toEqual({ getetag: hashOf('one') })
    expect(file?.missing).toEqual(['own', 'creationdate'])
  })

  it('are all, or their names alone', async () => {
    const { dav } = await davWith({ '/a': 'one' })
    const all = '<propfind xmlns="DAV:"><allprop/></propfind>'
    const names = '<propfind xmlns="DAV:"><propname/></propfind>'
    const [one] = (await dav.propfind('/a', '0', all)).resources
    const [none] = (await dav.propfind('/a')).resources
    expect(none).toEqual(one)
    const [named] = (await dav.propfind('/a', '0', names)).resources
    expect(Object.keys(named?.found ?? {}).toSorted()).toEqual(
      Object.keys(one?.found ?? {}).toSorted(),
    )
    expect(new Set(Object.values(named?.found ?? {}))).toEqual(new Set(['']))
    const more =
      '<propfind xmlns="DAV:"><allprop/><include><quota-used-bytes/></include></propfind>'
    const [top] = (await dav.propfind('/', '0', more)).resources
    expect(top?.found).toMatchObject({ 'quota-used-bytes': '3', displayname: '/' })
  })

  it('that a request extends are passed over', async () => {
    const { dav } = await davWith({ '/a': 'one' })
    const body =
      '<propfind xmlns="DAV:" xmlns:x="urn:x"><x:more><prop/></x:more><prop><getetag/></prop></propfind>'
    expect((await dav.propfind('/a', '0', body)).resources[0]?.found).toEqual({
      getetag: hashOf('one'),
    })
  })

  it('of the quota are those of the workspace, for a link that may read all of it', async () => {
    const quota = asking('quota-used-bytes', 'quota-available-bytes')
    const { dav, workspace } = await davWith({ '/a': 'one', '/b/c': 'four' })
    await configure(workspace, { max_workspace_bytes: 1000 })
    const [top, file] = (await dav.propfind('/', '1', quota)).resources
    expect(top?.found).toEqual({ 'quota-used-bytes': '7', 'quota-available-bytes': '993' })
    expect(file?.missing).toHaveLength(2)
    const part = await davWith({ '/a': 'one', '/b/c': 'four' }, { scopes: ['read:file:/b'] })
    const [folder] = (await part.dav.propfind('/b', '0', quota)).resources
    expect(folder?.missing).toEqual(['quota-used-bytes', 'quota-available-bytes'])
  })
})

describe('what is hidden', () => {
  it('is in no listing, and looks the same as what is not there', async () => {
    const policy = { roots: [{ path: '/', deny: ['in/secret*', 'hidden/**'] }] }
    const twins = await Promise.all(
      [true, false].map(async (isThere) => {
        const hidden = isThere ? { '/in/secret.md': 'x', '/hidden/b': 'x' } : {}
        return (await davWith({ '/in/a': 'one', ...hidden }, { policy })).dav
      }),
    )
    const shown = twins.map(async (dav) => {
      const found = []
      for (const path of ['/', '/in', '/in/secret.md', '/in/secrets', '/hidden', '/hidden/b'])
        for (const depth of ['0', '1']) {
          const { status, text, code } = await dav.propfind(path, depth)
          const times = /<D:getlastmodified>[^<]*<.D:getlastmodified>|\/w\/[^/]*/g
          found.push([path, depth, status, code, text.replace(times, '')])
        }
      return found
    })
    const [there, absent] = await Promise.all(shown)
    expect(there).toEqual(absent)
    expect(JSON.stringify(there)).not.toContain('secret.md</D:href>')
  })

  it('is all that a link cannot reach, beside the folders above what it can', async () => {
    const { dav } = await davWith(
      { '/in/deep/a': 'one', '/in/other/b': 'x', '/out/c': 'x' },
      { scopes: ['read:file:/in/deep'] },
    )
    const names = async (path: string) =>
      (await dav.propfind(path, '1')).resources.slice(1).map(({ found }) => found['displayname'])
    expect(await names('/')).toEqual(['in'])
    expect(await names('/in')).toEqual(['deep'])
    expect(await names('/in/deep')).toEqual(['a'])
    for (const path of ['/out', '/out/c', '/in/other', '/in/other/b', '/none'])
      expect((await dav.propfind(path, '0')).status, path).toBe(403)
  })
})
