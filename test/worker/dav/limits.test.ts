/** The limits of WebDAV that have no other test, each at its edge. */

import { parsePath } from '#core/path.ts'
import {
  MAX_DAV_LISTED,
  MAX_DAV_TREE,
  MAX_MULTISTATUS_LENGTH,
  MAX_PATH_PROPERTIES,
  MAX_PROPERTIES,
  MAX_PROPERTY_BYTES,
  MAX_WORKSPACE_PROPERTIES,
  MAX_XML_INHERITED,
} from '#worker/dav/limits.ts'
import { createProperties } from '#worker/dav/properties.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { davWith, resourcesIn, setting } from '../../support/worker/dav.ts'
import { newStub, seed, stubOf } from '../../support/worker/object-life.ts'

describe('folders', () => {
  const paths = (folder: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${folder}/${at}`)

  it('are listed, copied, moved and deleted up to their limits', async () => {
    expect(MAX_DAV_TREE).toBe(MAX_DAV_LISTED)
    const { dav, workspace } = await davWith({})
    await seed(stubOf(workspace), [
      ...paths('/a', MAX_DAV_LISTED),
      ...paths('/b', MAX_DAV_TREE + 1),
    ])
    const listed = await dav.send('PROPFIND', '/a', { headers: { depth: '1' } })
    expect(listed.text.split('<D:response>')).toHaveLength(MAX_DAV_LISTED + 2)
    const cut = await dav.send('PROPFIND', '/b', { headers: { depth: '1' } })
    expect(cut).toMatchObject({ status: 507, code: 'OVER_BUDGET' })
    const go = (method: string, from: string, to: string) =>
      dav.send(method, from, { headers: { destination: dav.address(to) } })
    for (const [method, from, to] of [
      ['COPY', '/b', '/n'],
      ['MOVE', '/b', '/n'],
      // What is overwritten counts as well.
      ['COPY', '/a', '/b'],
    ] as const)
      expect((await go(method, from, to)).status, method).toBe(507)
    expect((await dav.send('DELETE', '/b')).status).toBe(507)
    expect((await go('COPY', '/a', '/n')).status).toBe(201)
    expect((await go('MOVE', '/n', '/m')).status).toBe(201)
    expect((await dav.send('DELETE', '/m')).status).toBe(204)
  })
})

describe('an answer', () => {
  const names = Array.from({ length: 1_900 }, (_, at) => `<p${at}/>`).join('')
  const asking = (namespace: string) =>
    `<D:propfind xmlns:D="DAV:"><D:prop xmlns="${namespace}">${names}</D:prop></D:propfind>`

  it('is refused where it would be longer than its limit', async () => {
    const { dav, workspace } = await davWith({ '/f/0': 'x' })
    const body = asking('n'.repeat(MAX_XML_INHERITED))
    const list = (depth: string) => dav.send('PROPFIND', '/f', { headers: { depth }, body })
    const fit = Math.floor(MAX_MULTISTATUS_LENGTH / (await list('0')).text.length)
    // The folder is one of the resources.
    for (let at = 1; at < fit - 1; at++) await workspace.put(`/f/${at}`, 'x')
    expect((await list('1')).status).toBe(207)
    for (let at = fit - 1; at < fit + 1; at++) await workspace.put(`/f/${at}`, 'x')
    expect(await list('1')).toMatchObject({ status: 507, code: 'OVER_BUDGET' })
  })

  it('repeats no long namespace for each name', async () => {
    const { dav } = await davWith({})
    const body = asking('n'.repeat(MAX_XML_INHERITED + 1))
    const answer = await dav.send('PROPFIND', '/', { headers: { depth: '0' }, body })
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_XML' })
    const lang = setting('<x:a/>').replace('<set', `<set xml:lang="${'n'.repeat(1_001)}"`)
    expect((await dav.send('PROPPATCH', '/', { body: lang })).code).toBe('INVALID_XML')
  })

  it('is refused before all stored properties of a large folder are read', () =>
    runInDurableObject(newStub(), (_, { storage }) => {
      const properties = createProperties(storage.sql)
      const path = parsePath('/a')
      const given = { session: 'one', budget: 'one', path }
      for (const name of ['m', 'n']) properties.set({ ...given, name, value: 'x'.repeat(100) })
      expect(properties.of('one', [path], 200)?.get(path)?.size).toBe(2)
      expect(properties.of('one', [path], 199)).toBeNull()
    }))
})

describe('properties', () => {
  it('of one path are refused beyond their number and their size', async () => {
    const { dav } = await davWith({ '/a': 'x' })
    const statusesOf = async (body: string) =>
      resourcesIn((await dav.send('PROPPATCH', '/a', { body })).text)[0]?.statuses
    const names = (count: number) =>
      Array.from({ length: count }, (_, at) => `<x:p${at}/>`).join('')
    expect(
      new Set(Object.values((await statusesOf(setting(names(MAX_PATH_PROPERTIES)))) ?? {})),
    ).toEqual(new Set([200]))
    expect(await statusesOf(setting('<x:more/>'))).toEqual({ more: 507 })
    expect(await statusesOf(setting('<x:p0>again</x:p0>'))).toEqual({ p0: 200 })
    const empty = '<p0 xmlns="urn:x"></p0>'.length
    const sized = (bytes: number) => setting(`<x:p0>${'y'.repeat(bytes - empty)}</x:p0>`)
    expect(await statusesOf(sized(MAX_PROPERTY_BYTES))).toEqual({ p0: 200 })
    expect(await statusesOf(sized(MAX_PROPERTY_BYTES + 1))).toEqual({ p0: 507 })
  })

  it('of one principal, and of all, lose their oldest', () =>
    runInDurableObject(newStub(), (_, { storage }) => {
      const properties = createProperties(storage.sql)
      const path = parsePath('/a')
      const set = (budget: string, at: number) =>
        properties.set({ session: `${budget}-${at}`, budget, path, name: 'n', value: 'v' })
      const has = (budget: string, at: number) =>
        properties.of(`${budget}-${at}`, [path])?.size === 1
      set('other', 0)
      for (let at = 0; at <= MAX_PROPERTIES; at++) set('one', at)
      expect([has('one', 0), has('one', 1), has('other', 0)]).toEqual([false, true, true])
      // Four principals fill the workspace; then the largest loses its oldest, and the small one nothing.
      const budgets = ['two', 'three', 'four']
      for (const budget of budgets) for (let at = 0; at < MAX_PROPERTIES; at++) set(budget, at)
      expect(budgets.length + 1).toBe(MAX_WORKSPACE_PROPERTIES / MAX_PROPERTIES)
      expect(has('other', 0)).toBe(true)
      expect(has('one', 1)).toBe(false)
    }))
})
