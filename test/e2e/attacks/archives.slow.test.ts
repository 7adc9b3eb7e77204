/**
 * Over real connections: uploads that break off, bodies in a coding of their own, and very little that
 * becomes very much. Nothing is left half done, and the log of a server that did its work stays empty.
 */

import { request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createFiles } from '../../support/e2e/files.ts'
import { ask } from '../../support/e2e/raw-http.ts'
import { useServer } from '../../support/e2e/server.ts'

const server = useServer()
const { put, read, get } = createFiles(server)

const MIB = 1024 * 1024

/** Sends the head of a request and some of its body, and hangs up when that has been taken. */
async function hangUp(method: string, path: string, headers: Record<string, string>, body: Buffer) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const sent = request(server.url + path, { method, headers })
  sent.on('error', () => resolve())
  sent.on('close', () => resolve())
  sent.write(body, () => sent.destroy())
  await promise
}

async function totals() {
  const { version, files, bytes } = await (await ask(`${server.url}/status`)).json()
  return { version, files, bytes }
}

it.each([
  ['a large file', 'PUT', '/files/in/a', { 'content-length': '50000000' }, 5 * MIB],
  ['a small one', 'PUT', '/files/in/a', { 'content-length': '50000' }, 20_000],
  ['nothing of one', 'PUT', '/files/in/a', { 'content-length': '50000' }, 0],
  ['an archive', 'POST', '/import?to=/in', {}, 5 * MIB],
  ['a message', 'POST', '/mcp', { 'content-type': 'application/json' }, 20_000],
] as const)(
  'a client that disconnects during %s changes nothing',
  async (_, method, path, headers, size) => {
    await put('/in/a', 'old')
    const before = await totals()
    for (let time = 0; time < 5; time++) await hangUp(method, path, headers, Buffer.alloc(size, 1))
    expect(await totals()).toEqual(before)
    expect(await read('/in/a')).toBe('old')
    expect((await put('/in/b', 'later')).status).toBeLessThan(300)
  },
)

const TEXT = Buffer.alloc(10 * MIB, '{"jsonrpc":"2.0"} ')

it.each([
  ['gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['gzip, gzip', gzipSync(gzipSync(TEXT))],
])('a body in the coding %s is not decoded', async (coding, packed) => {
  const headers = { 'content-encoding': coding, 'content-type': 'application/json' }
  const body = new Uint8Array(packed)
  const send = (method: string, path: string) => ask(server.url + path, { method, headers, body })
  const file = await send('PUT', '/files/coded')
  expect(file.status).toBe(415)
  expect(file.headers.get('accept-encoding')).toBe('identity')
  expect(await file.json()).toEqual({
    code: 'UNSUPPORTED_ENCODING',
    message: expect.stringContaining(coding),
  })
  const archive = await send('POST', '/import?to=/coded')
  expect(archive.status).toBe(422)
  expect(await archive.json()).toMatchObject({
    files: 0,
    error: expect.any(String),
  })
  const message = await send('POST', '/mcp')
  expect(message.status).toBe(415)
  expect(await message.json()).toMatchObject({ error: { code: -32000 } })
  expect((await get('/coded')).status).toBe(404)
})

it('an archive of 10 MB that expands to 10 GiB is refused, and other clients are served', async () => {
  await put('/kept', 'kept')
  const member = gzipSync(Buffer.alloc(64 * MIB))
  const bomb = new Uint8Array(Buffer.concat(Array<Buffer>(160).fill(member)))
  const sent = ask(`${server.url}/import?to=/bomb`, { method: 'POST', body: bomb })
  expect(await read('/kept')).toBe('kept')
  const answer = await sent
  expect(answer.status).toBe(422)
  expect(await answer.json()).toEqual({
    files: 0,
    folders: 0,
    bytes: 0,
    skipped: 0,
    reasons: [],
    error: expect.stringContaining(' 100 times'),
  })
  expect((await get('/bomb')).status).toBe(404)
})
