/** PROPPATCH, and the properties that each link stores: where they go, who reads them, and when they end. */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { asking, davClient, davWith, passwordOf, setting } from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'
import type { DavClient } from '../../support/worker/dav.ts'
import { resourcesIn } from '../../support/worker/dav.ts'

const OWN = asking('x:own')

const ownOf = async (dav: DavClient, path: string) =>
  (await dav.propfind(path, '0', OWN)).resources[0]?.found['own'] ?? null

async function patch(dav: DavClient, path: string, body: string) {
  const answer = await dav.send('PROPPATCH', path, { body })
  const [resource] = answer.status === 207 ? resourcesIn(answer.text) : []
  return { ...answer, statuses: resource?.statuses }
}

const set = (dav: DavClient, path: string, value: string) =>
  patch(dav, path, setting(`<x:own>${value}</x:own>`))

const move = (dav: DavClient, method: string, from: string, to: string) =>
  dav.send(method, from, { headers: { destination: dav.address(to) } })

describe('PROPPATCH', () => {
  it('sets properties, replaces and removes them', async () => {
    const { dav } = await davWith({ '/a': 'x' })
    expect((await set(dav, '/a', 'one')).statuses).toEqual({ own: 200 })
    expect(await ownOf(dav, '/a')).toBe('one')
    await set(dav, '/a', 'two')
    expect(await ownOf(dav, '/a')).toBe('two')
    const removal =
      '<propertyupdate xmlns="DAV:"><remove><prop><own xmlns="urn:x"/><none/></prop></remove></propertyupdate>'
    expect((await patch(dav, '/a', removal)).statuses).toEqual({ own: 200, none: 200 })
    expect(await ownOf(dav, '/a')).toBeNull()
  })

  it('carries instructions out in their order', async () => {
    const { dav } = await davWith({ '/a': 'x' })
    const one = (what: string, value = '') =>
      `<${what}><prop><x:own>${value}</x:own></prop></${what}>`
    const update = (...parts: string[]) =>
      `<propertyupdate xmlns="DAV:" xmlns:x="urn:x">${parts.join('')}</propertyupdate>`
    await patch(dav, '/a', update(one('remove'), one('set', 'one')))
    expect(await ownOf(dav, '/a')).toBe('one')
    await patch(dav, '/a', update(one('set', 'two'), one('remove')))
    expect(await ownOf(dav, '/a')).toBeNull()
  })

  it('keeps names, languages, elements and characters', async () => {
    const { dav } = await davWith({ '/a': 'x' })
    const value = '<y xmlns="urn:y" z="1">&lt;&#x1F600;</y>'
    const body = `<propertyupdate xmlns="DAV:" xmlns:x="urn:x" xml:lang="de"><set><prop><x:own>${value}</x:own><none xmlns="">n</none></prop></set></propertyupdate>`
    expect((await patch(dav, '/a', body)).statuses).toEqual({ own: 200, none: 200 })
    const { text, resources } = await dav.propfind('/a')
    expect(resources[0]?.found).toMatchObject({ own: '<y><😀', none: 'n' })
    expect(text).toContain('xml:lang="de"')
    expect(text).toContain('<y xmlns="urn:y" z="1">')
  })

  it('does nothing if one instruction is refused', async () => {
    const { dav, workspace } = await davWith({ '/a': 'x' })
    const body = setting('<x:own>one</x:own><getetag>"x"</getetag>')
    expect((await patch(dav, '/a', body)).statuses).toEqual({ own: 424, getetag: 403 })
    expect(await ownOf(dav, '/a')).toBeNull()
    for (const name of ['resourcetype', 'getcontentlength', 'displayname', 'quota-used-bytes'])
      expect((await patch(dav, '/a', setting(`<${name}>1</${name}>`))).statuses).toEqual({
        [name]: 403,
      })
    expect((await patch(dav, '/', setting('<lastmodified>1</lastmodified>'))).statuses).toEqual({
      lastmodified: 403,
    })
    expect((await patch(dav, '/a', setting('<lastmodified>x</lastmodified>'))).statuses).toEqual({
      lastmodified: 409,
    })
    expect(await textOf(workspace, '/a')).toBe('x')
  })

  it('sets the time of a file, as a change', async () => {
    const { dav, workspace } = await davWith({ '/a': 'x' })
    const time = async () => (await dav.propfind('/a')).resources[0]?.found['getlastmodified']
    for (const [name, value] of [
      ['lastmodified', '1600000000'],
      ['getlastmodified', 'Sun, 13 Sep 2020 12:26:41 GMT'],
    ])
      expect((await patch(dav, '/a', setting(`<${name}>${value}</${name}>`))).status).toBe(207)
    expect(await time()).toBe('Sun, 13 Sep 2020 12:26:41 GMT')
    const { changes } = await (
      await workspace.fetch('/changes?after=1')
    ).json<{
      changes: { tool: string }[]
    }>()
    expect(changes.map(({ tool }) => tool)).toEqual(['PROPPATCH', 'PROPPATCH'])
    expect(await textOf(workspace, '/a')).toBe('x')
  })

  it('is refused where the link may not write, or nothing is', async () => {
    const scopes = ['read', 'write:file:/in']
    const { dav } = await davWith({ '/in/a': 'x', '/out/a': 'x' }, { scopes })
    expect((await set(dav, '/out/a', 'one')).status).toBe(403)
    expect((await set(dav, '/in/none', 'one')).status).toBe(404)
    expect((await set(dav, '/in/a', 'one')).status).toBe(207)
  })
})

describe('a property', () => {
  it('goes with its file, and with the folder of it', async () => {
    const { dav } = await davWith({ '/f/a': 'x', '/b': 'x' })
    await set(dav, '/f/a', 'one')
    await set(dav, '/f', 'two')
    await move(dav, 'MOVE', '/f', '/g')
    expect([await ownOf(dav, '/g/a'), await ownOf(dav, '/g')]).toEqual(['one', 'two'])
    await move(dav, 'COPY', '/g/a', '/c')
    expect([await ownOf(dav, '/g/a'), await ownOf(dav, '/c')]).toEqual(['one', 'one'])
    await move(dav, 'COPY', '/b', '/c')
    expect(await ownOf(dav, '/c')).toBeNull()
  })

  it('goes with a move of another program', async () => {
    const { dav, workspace } = await davWith({ '/a': 'x' })
    await set(dav, '/a', 'one')
    await workspace.call('move_file', { from: '/a', to: '/b' })
    expect(await ownOf(dav, '/b')).toBe('one')
    await workspace.call('delete_file', { path: '/b' })
    await workspace.put('/b', 'x')
    expect(await ownOf(dav, '/b')).toBeNull()
  })

  it('ends with its file', async () => {
    const { dav } = await davWith({ '/f/a': 'x' })
    await set(dav, '/f/a', 'one')
    await dav.send('DELETE', '/f')
    await dav.send('MKCOL', '/f')
    await dav.send('PUT', '/f/a', { body: 'x' })
    expect(await ownOf(dav, '/f/a')).toBeNull()
  })

  it('stays when the content is replaced', async () => {
    const { dav } = await davWith({ '/a': 'x' })
    await set(dav, '/a', 'one')
    await dav.send('PUT', '/a', { body: 'y' })
    expect(await ownOf(dav, '/a')).toBe('one')
  })

  it('is of its link alone', async () => {
    const { dav, workspace } = await davWith({ '/a': 'x' })
    await set(dav, '/a', 'one')
    const { client } = await linkOf(workspace)
    const other = davClient(workspace, passwordOf(client))
    expect(await ownOf(other, '/a')).toBeNull()
    expect((await other.propfind('/a')).resources[0]?.found).not.toHaveProperty('own')
    await set(other, '/a', 'two')
    expect([await ownOf(dav, '/a'), await ownOf(other, '/a')]).toEqual(['one', 'two'])
  })

  it('goes with a move that waits, and is there when that is approved', async () => {
    const { dav, workspace } = await davWith({ '/a': 'x', '/b': 'y' })
    await set(dav, '/a', 'one')
    const owner = ownerOf(workspace)
    await owner.demand('review')
    const moved = await move(dav, 'MOVE', '/a', '/b')
    expect(moved.headers.get('edgewise-draft')).not.toBeNull()
    expect(await ownOf(dav, '/b')).toBe('one')
    await owner.decide('approve')
    expect(await ownOf(dav, '/b')).toBe('one')
    expect(await textOf(workspace, '/b')).toBe('x')
  })

  it('ends with the session of its link', async () => {
    const { dav, workspace, session } = await davWith({ '/a': 'x' })
    await set(dav, '/a', 'one')
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    expect((await dav.propfind('/a')).status).toBe(401)
    const status = recordOf(await (await workspace.fetch('/status')).json())
    expect(status['files']).toBe(1)
  })
})
