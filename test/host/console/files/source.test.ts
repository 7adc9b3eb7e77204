/** What is read of the workspace: places, pages of folders, and texts with the form that they are kept in. */

import {
  addressOf,
  decodeSource,
  readPage,
  readPlace,
  readSource,
} from '#host/console/files/source.ts'
import { afterEach, expect, it, vi } from 'vitest'

const { signal } = new AbortController()

afterEach(() => vi.unstubAllGlobals())

/** Answers every request with what a test has, and notes what was asked for. */
function answer(response: () => Response) {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    asked.push({ url, init })
    return response()
  })
  return asked
}

it.each([
  ['/', '/w/x/files/'],
  ['/a b/ä#?.md', '/w/x/files/a%20b/%C3%A4%23%3F.md'],
])('builds the address of %s', (path, address) => {
  expect(addressOf('/w/x', path)).toBe(address)
})

it('tells a file, a folder and nothing apart', async () => {
  const headers = {
    etag: '"7"',
    'content-length': '3',
    'content-type': 'text/plain; charset=utf-8',
  }
  answer(() => new Response(null, { headers }))
  expect(await readPlace('', '/a', signal)).toEqual({
    type: 'file',
    file: { path: '/a', version: 7, size: 3, mime: 'text/plain', changed: null },
  })
  answer(() => Response.json({ entries: [], next: null }))
  expect(await readPlace('', '/a', signal)).toMatchObject({ type: 'folder' })
  answer(() => new Response(null, { status: 404 }))
  expect(await readPlace('', '/a', signal)).toEqual({ type: 'missing' })
})

it('reads a page after a name, and leaves out what is no entry', async () => {
  const entry = { name: 'b', type: 'file', version: 2, mtime: 5, size: 9 }
  const asked = answer(() =>
    Response.json({ entries: [entry, null, { name: 'c' }, { name: 'd', type: 'x' }], next: 'b' }),
  )
  expect(await readPage('', '/f', { after: 'a&b', signal })).toEqual({
    entries: [{ name: 'b', type: 'file', path: '/f/b', version: 2, changed: 5, size: 9 }],
    next: 'b',
  })
  expect(asked[0]?.url).toBe('/files/f?limit=500&after=a%26b')
})

it('reads a text at its version, and never one that a browser has kept', async () => {
  const asked = answer(() => new Response('a\r\n', { headers: { etag: '"4"' } }))
  const read = await readSource('', '/a', signal)
  const value = { version: 4, text: 'a\r\n', encoding: 'utf-8', hasMark: false }
  expect(read).toEqual({ ok: true, value })
  expect(asked[0]?.init).toMatchObject({ cache: 'no-store' })
})

const bytes = (...all: number[]) => new Uint8Array(all)

it.each([
  ['a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x61), { text: 'a', hasMark: true }],
  ['UTF-16', bytes(0xff, 0xfe, 0x61, 0), { text: 'a', encoding: 'utf-16le', hasMark: true }],
  ['UTF-16 the other way', bytes(0xfe, 0xff, 0, 0x61), { text: 'a', encoding: 'utf-16be' }],
  ['nothing', bytes(), { text: '', hasMark: false }],
])('keeps the form of a text: %s', (_, content, form) => {
  expect(decodeSource(content, 1)).toMatchObject({ ok: true, value: form })
})

it.each([
  ['bytes that are not valid', bytes(0x61, 0xff)],
  ['a NUL', bytes(0x61, 0, 0x61)],
  ['half a character', bytes(0xff, 0xfe, 0x61)],
])('edits nothing that would not be kept: %s', (_, content) => {
  expect(decodeSource(content, 1)).toMatchObject({ ok: false, error: { reason: 'not_text' } })
})
