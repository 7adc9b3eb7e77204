/** Backup and restore as in docs/deploy.md: an export is restored after all data was lost. */

import { readdirSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectSame, removeFolder, temporaryFolder, unpacked } from '../support/e2e/folder.ts'
import { Person, SECRET } from '../support/e2e/person.ts'
import { ask } from '../support/e2e/raw-http.ts'
import type { Running } from '../support/e2e/running.ts'
import { startHere } from '../support/e2e/product.ts'

const LARGE = new Uint8Array(5_000_000).map((_, at) => (at * at) % 251)

/** Files as people have them: small, empty, large, with names of all kinds, and an empty folder. */
const FILES: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  '/notes/plan.md': 'one\r\ntwo\r\n',
  '/notes/empty': '',
  '/ünï-日本-👋/a b#?&.txt': 'names',
  [`/${'long/'.repeat(60)}name`]: 'deep',
  '/large.bin': LARGE,
  '/bytes.bin': new Uint8Array([0, 255, 10, 13, 0]),
}

const JSON_TYPE = { 'content-type': 'application/json' }

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const variants: readonly [string, Readonly<Record<string, string>>][] = [
  ['on this machine', {}],
  ['with an owner', { EDGEWISE_OWNER_SECRET: SECRET }],
]

describe.each(variants)('%s', (_, variables) => {
  const data = temporaryFolder()
  let running: Running
  let cookie = ''

  const start = async () => {
    running = await startHere(data, variables)
    if ('EDGEWISE_OWNER_SECRET' in variables) {
      const owner = new Person()
      await owner.signIn(running.url)
      cookie = owner.cookie
    }
  }
  beforeEach(start)
  afterEach(async () => {
    expect(await running.stop()).toBe(0)
    expect(running.complaints()).toBe('')
    removeFolder(data)
  })

  const send = (path: string, init: RequestInit = {}) =>
    ask(running.url + path, {
      ...init,
      headers: { cookie, 'x-edgewise-console': '1', ...(path === '/config' && JSON_TYPE) },
    })

  const bodyOf = async (path: string) => {
    const response = await send(path)
    expect(response.status, path).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }

  const restore = async (path: string, archive: Buffer) => {
    const response = await send(path, { method: 'POST', body: new Uint8Array(archive) })
    expect(await response.json()).toMatchObject({ files: 6, skipped: 0 })
  }

  async function fill(): Promise<void> {
    for (const [path, body] of Object.entries(FILES))
      expect((await send(`/files${encoded(path)}`, { method: 'PUT', body })).ok, path).toBe(true)
    await send('/files/notes/sub/gone', { method: 'PUT', body: '' })
    await send('/files/notes/sub/gone', { method: 'DELETE' })
  }

  async function loseEverything(): Promise<void> {
    expect(await running.stop()).toBe(0)
    expect(readdirSync(data).length).toBeGreaterThan(0)
    rmSync(data, { recursive: true })
    await start()
    expect(await (await send('/status')).json()).toMatchObject({ files: 0, bytes: 0 })
  }

  it('restores lost data with names, bytes, times and empty folders', async () => {
    await fill()
    const config = JSON.stringify({ roots: [{ path: '/notes' }] })
    await send('/config', { method: 'PUT', body: config })
    const [archive, kept] = [await bodyOf('/export'), await bodyOf('/config')]
    expect(kept.toString()).toContain('/notes')
    // Times come from the archive and not from the hour of the restoration.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    await loseEverything()
    await restore('/import', archive)
    expectSame(unpacked(await bodyOf('/export')), unpacked(archive))
    expect(unpacked(archive).map(({ name }) => name)).toContain('notes/sub/')
    expect((await bodyOf('/files/large.bin')).equals(LARGE)).toBe(true)
    await send('/config', { method: 'PUT', body: new Uint8Array(kept) })
    expect(JSON.parse((await bodyOf('/config')).toString())).toEqual(JSON.parse(kept.toString()))
  })

  it('restores into another workspace, and leaves the first unchanged', async () => {
    await fill()
    const archive = await bodyOf('/export')
    await restore('/w/other/import', archive)
    expectSame(unpacked(await bodyOf('/w/other/export')), unpacked(archive))
    expectSame(unpacked(await bodyOf('/export')), unpacked(archive))
  })
})
