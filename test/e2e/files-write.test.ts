/** `/files`: what PUT and DELETE promise, asked of the running product. @module */

import { describe, expect, it } from 'vitest'
import { createFiles } from '../support/e2e/files.ts'
import { ask, onOneConnection, sendHead } from '../support/e2e/raw-http.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()
const { at, get, put, read, remove } = createFiles(server)

describe('PUT', () => {
  it('creates, then overwrites, and gives each state a tag', async () => {
    const created = await put('/put/a.txt', 'one')
    expect(created.status).toBe(201)
    const tag = created.headers.get('etag')
    expect(await created.json()).toMatchObject({ path: '/put/a.txt', size: 3 })
    expect((await get('/put/a.txt')).headers.get('etag')).toBe(tag)

    const overwritten = await put('/put/a.txt', 'two')
    expect(overwritten.status).toBe(200)
    expect(overwritten.headers.get('etag')).not.toBe(tag)
    expect(await read('/put/a.txt')).toBe('two')
  })

  it('writes an empty file', async () => {
    expect((await put('/put/empty', '')).status).toBe(201)
    expect(await read('/put/empty')).toBe('')
  })

  it('overwrites only the state that If-Match names', async () => {
    const tag = (await put('/put/match.txt', 'one')).headers.get('etag') ?? ''
    expect((await put('/put/match.txt', 'two', { 'if-match': tag })).status).toBe(200)
    const late = await put('/put/match.txt', 'three', { 'if-match': tag })
    expect(late.status).toBe(412)
    expect(await late.json()).toMatchObject({ code: 'VERSION_CONFLICT' })
    expect(await read('/put/match.txt')).toBe('two')
    expect((await put('/put/none.txt', 'x', { 'if-match': '*' })).status).toBe(412)
  })

  it('keeps the connection when it refuses a body', async () => {
    const refused = { method: 'PUT', headers: { 'if-match': '"77"' }, body: 'x'.repeat(100_000) }
    const requests = [refused, { method: 'GET' }, refused, { method: 'GET' }]
    expect(await onOneConnection(at('/put/kept-open.txt'), requests)).toEqual([412, 404, 412, 404])
  })

  it('creates only new files with If-None-Match: *', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await put('/put/new.txt', 'one', headers)).status).toBe(201)
    expect((await put('/put/new.txt', 'two', headers)).status).toBe(412)
    expect(await read('/put/new.txt')).toBe('one')
  })

  it('lets one of many writers win', async () => {
    const tag = (await put('/put/race.txt', 'start')).headers.get('etag') ?? ''
    const writers = Array.from({ length: 8 }, (_, i) =>
      put('/put/race.txt', `${i}`, { 'if-match': tag }).then(({ status }) => status),
    )
    const statuses = await Promise.all(writers)
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412, 412, 412])
  })

  it('refuses a folder, and a path below a file', async () => {
    await put('/put/dir/file', 'x')
    expect(await (await put('/put/dir', 'x')).json()).toMatchObject({ code: 'IS_A_FOLDER' })
    const below = await put('/put/dir/file/below', 'x')
    expect(below.status).toBe(409)
    expect(await below.json()).toMatchObject({ code: 'NOT_A_FOLDER' })
  })

  it('requires a length, and refuses one that is too large before the body is sent', async () => {
    const body = new Blob(['streamed']).stream()
    const unknown = await ask(at('/put/s'), { method: 'PUT', body, duplex: 'half' })
    expect(unknown.status).toBe(411)
    const length = String(100 * 1024 * 1024 + 1)
    const large = await sendHead(at('/put/s'), 'PUT', { 'content-length': length })
    expect(large.status).toBe(413)
    expect(JSON.parse(large.body)).toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect((await get('/put/s')).status).toBe(404)
  })
})

describe('DELETE', () => {
  it('deletes a file, or a folder with its contents', async () => {
    await put('/del/a', 'x')
    await put('/del/b/c', 'x')
    expect((await remove('/del/a')).status).toBe(204)
    expect((await get('/del/a')).status).toBe(404)
    expect((await remove('/del')).status).toBe(204)
    expect((await get('/del/b/c')).status).toBe(404)
    expect((await remove('/del')).status).toBe(404)
  })

  it('respects If-Match, and never deletes the root', async () => {
    await put('/del/kept', 'x')
    const headers = { 'if-match': '"1"' }
    expect((await remove('/del/kept', headers)).status).toBe(412)
    expect((await remove('/')).status).toBe(409)
    expect(await read('/del/kept')).toBe('x')
  })

  it('names the allowed methods', async () => {
    const response = await ask(at('/del/kept'), { method: 'PATCH', body: 'x' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE')
  })
})
