/** `/files`: what HTTP promises for a file, asked of the running product. @module */

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from './folder.ts'
import { sendHead } from './raw.ts'
import { startServer, type Server } from './server.ts'

const data = temporaryFolder()
let server: Server

beforeAll(async () => {
  server = await startServer(data)
})

afterAll(async () => {
  expect(await server.stop()).toBe(0)
  expect(server.complaints()).toBe('')
  removeFolder(data)
})

const at = (path: string) => `${server.url}/files${path}`

function put(
  path: string,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
) {
  return fetch(at(path), { method: 'PUT', body, headers })
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(at(path), { headers })

async function textAt(path: string): Promise<string> {
  const response = await get(path)
  expect(response.status, path).toBe(200)
  return response.text()
}

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
    expect(await textAt('/put/a.txt')).toBe('two')
  })

  it('writes an empty file', async () => {
    expect((await put('/put/empty', '')).status).toBe(201)
    expect(await textAt('/put/empty')).toBe('')
  })

  it('writes only over the state that If-Match names', async () => {
    const tag = (await put('/put/match.txt', 'one')).headers.get('etag') ?? ''
    expect((await put('/put/match.txt', 'two', { 'if-match': tag })).status).toBe(200)
    const late = await put('/put/match.txt', 'three', { 'if-match': tag })
    expect(late.status).toBe(412)
    expect(await late.json()).toMatchObject({ code: 'VERSION_CONFLICT' })
    expect(await textAt('/put/match.txt')).toBe('two')
    expect((await put('/put/none.txt', 'x', { 'if-match': '*' })).status).toBe(412)
  })

  it('creates only what is not there for If-None-Match: *', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await put('/put/new.txt', 'one', headers)).status).toBe(201)
    expect((await put('/put/new.txt', 'two', headers)).status).toBe(412)
    expect(await textAt('/put/new.txt')).toBe('one')
  })

  it('lets one of many writers win', async () => {
    const tag = (await put('/put/race.txt', 'start')).headers.get('etag') ?? ''
    const writers = Array.from({ length: 8 }, (_, i) =>
      put('/put/race.txt', `${i}`, { 'if-match': tag }).then(({ status }) => status),
    )
    const statuses = await Promise.all(writers)
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412, 412, 412])
  })

  it('refuses a folder, and what would lie below a file', async () => {
    await put('/put/dir/file', 'x')
    expect(await (await put('/put/dir', 'x')).json()).toMatchObject({ code: 'IS_A_FOLDER' })
    const below = await put('/put/dir/file/below', 'x')
    expect(below.status).toBe(409)
    expect(await below.json()).toMatchObject({ code: 'NOT_A_FOLDER' })
  })

  it('wants to know the length, and refuses one that is too large before it is sent', async () => {
    const body = new Blob(['streamed']).stream()
    const unknown = await fetch(at('/put/s'), { method: 'PUT', body, duplex: 'half' })
    expect(unknown.status).toBe(411)
    const length = String(100 * 1024 * 1024 + 1)
    const large = await sendHead(at('/put/s'), 'PUT', { 'content-length': length })
    expect(large.status).toBe(413)
    expect(JSON.parse(large.body)).toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect((await get('/put/s')).status).toBe(404)
  })
})

describe('GET', () => {
  const bytes = randomBytes(300_000)
  const range = (value: string, more = {}) => get('/get/large', { range: value, ...more })

  beforeAll(async () => {
    await put('/get/large', new Uint8Array(bytes))
    await put('/get/small', '0123456789')
  })

  it('answers 304 for a state that is known', async () => {
    const tag = (await get('/get/small')).headers.get('etag') ?? ''
    expect((await get('/get/small', { 'if-none-match': `"other", ${tag}` })).status).toBe(304)
    expect((await get('/get/small', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=131072-131080', 131_072, 131_081],
    ['bytes=299990-', 299_990, 300_000],
    ['bytes=-10', 299_990, 300_000],
    ['bytes=5-999999999', 5, 300_000],
  ])('answers %s', async (header, from, to) => {
    const response = await range(header)
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/300000`)
    expect(response.headers.get('content-length')).toBe(`${to - from}`)
    expect(bytes.subarray(from, to).equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  })

  it('answers 416 for a range outside', async () => {
    for (const header of ['bytes=300000-', 'bytes=-0']) {
      const response = await range(header)
      expect(response.status, header).toBe(416)
      expect(response.headers.get('content-range')).toBe('bytes */300000')
    }
  })

  it('answers the whole for what it need not understand, or when If-Range has passed', async () => {
    for (const header of ['lines=1-2', 'bytes=2-1', 'bytes=0-1,5-6', 'bytes=x-'])
      expect((await range(header)).status, header).toBe(200)
    expect((await range('bytes=0-1', { 'if-range': '"0"' })).status).toBe(200)
    const tag = (await get('/get/large')).headers.get('etag') ?? ''
    expect((await range('bytes=0-1', { 'if-range': tag })).status).toBe(206)
  })

  it('answers HEAD like GET, without the body', async () => {
    const response = await fetch(at('/get/large'), { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('300000')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(await response.text()).toBe('')
    expect((await fetch(at('/get/nothing'), { method: 'HEAD' })).status).toBe(404)
  })

  it('never hands out what a browser would run', async () => {
    for (const name of ['page.html', 'picture.svg', 'page.xhtml', 'script.js', 'feed.xml']) {
      await put(`/get/${name}`, '<svg onload="alert(1)">')
      const { headers } = await get(`/get/${name}`)
      expect(headers.get('content-type'), name).toBe('text/plain; charset=utf-8')
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''/)
      expect(headers.get('content-security-policy')).toMatch(/^sandbox;/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('shows a picture as one', async () => {
    await put('/get/dot.png', new Uint8Array([137, 80, 78, 71]))
    expect((await get('/get/dot.png')).headers.get('content-type')).toBe('image/png')
  })
})

describe('DELETE', () => {
  it('takes a file away, or a folder with everything in it', async () => {
    await put('/del/a', 'x')
    await put('/del/b/c', 'x')
    expect((await fetch(at('/del/a'), { method: 'DELETE' })).status).toBe(204)
    expect((await get('/del/a')).status).toBe(404)
    expect((await fetch(at('/del'), { method: 'DELETE' })).status).toBe(204)
    expect((await get('/del/b/c')).status).toBe(404)
    expect((await fetch(at('/del'), { method: 'DELETE' })).status).toBe(404)
  })

  it('respects If-Match, and never takes the root', async () => {
    await put('/del/kept', 'x')
    const headers = { 'if-match': '"1"' }
    expect((await fetch(at('/del/kept'), { method: 'DELETE', headers })).status).toBe(412)
    expect((await fetch(at('/'), { method: 'DELETE' })).status).toBe(409)
    expect(await textAt('/del/kept')).toBe('x')
  })

  it('names the methods that there are', async () => {
    const response = await fetch(at('/del/kept'), { method: 'PATCH', body: 'x' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE')
  })
})

describe('a folder', () => {
  it('is listed in pages, each child once', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, '0')} ü`)
    for (const name of names) await put(`/pages/${encodeURIComponent(name)}`, name)
    await put('/pages/sub/deep', 'x')
    const found: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page = await get(`/pages?limit=10${after && `&after=${encodeURIComponent(after)}`}`)
      const { entries, next } = await readPage(page)
      found.push(...entries.map(({ name }) => name))
      after = next
    }
    expect(found).toEqual([...names, 'sub'])
  })

  it('tells type, size and version', async () => {
    await put('/facts/a.md', '12345')
    await put('/facts/sub/b', 'x')
    const { entries } = await readPage(await get('/facts/'))
    expect(entries).toMatchObject([
      { name: 'a.md', type: 'file', size: 5, mime: 'text/markdown' },
      { name: 'sub', type: 'folder' },
    ])
  })

  it('is there from the start, at the top', async () => {
    expect((await get('/')).status).toBe(200)
    expect((await get('')).status).toBe(200)
  })
})

interface Page {
  entries: { name: string }[]
  next: string | null
}

async function readPage(response: Response): Promise<Page> {
  expect(response.status).toBe(200)
  const page: Page = JSON.parse(await response.text())
  return page
}

describe('a name', () => {
  it.each(['a b', 'ünï-日本-👋', '100%', "#?&=+;:@!$'()*,", '"quoted"', '.hidden', '%41'])(
    'may be %s',
    async (name) => {
      const path = `/names/${encodeURIComponent(name)}`
      expect((await put(path, name)).status).toBe(201)
      expect(await textAt(path)).toBe(name)
      const { entries } = await readPage(await get('/names'))
      expect(entries.map((entry) => entry.name)).toContain(name)
    },
  )

  it('is the same in both spellings of Unicode', async () => {
    await put('/names/cafe\u0301', 'one')
    expect(await textAt('/names/caf\u00e9')).toBe('one')
  })

  it('never leads out, and is refused when it holds what no name may', async () => {
    await put('/names/..%2f..%2fup', 'up')
    expect(await textAt('/up')).toBe('up')
    for (const name of ['a%00b', 'a%0ab', 'a%5cb', 'x'.repeat(1_100)]) {
      const response = await put(`/names/${name}`, 'x')
      expect(response.status, name).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'INVALID_PATH' })
    }
  })
})

describe('a workspace', () => {
  it('sees nothing of another one', async () => {
    const url = (workspace: string) => `${server.url}/w/${workspace}/files/shared/a`
    expect((await fetch(url('one'), { method: 'PUT', body: 'one' })).status).toBe(201)
    expect((await fetch(url('two'))).status).toBe(404)
    expect((await get('/shared/a')).status).toBe(404)
    expect(await (await fetch(url('one'))).text()).toBe('one')
    expect((await fetch(url('two'), { method: 'PUT', body: 'two' })).status).toBe(201)
    expect(await (await fetch(url('one'))).text()).toBe('one')
    expect((await fetch(`${server.url}/w/default/files/`)).status).toBe(200)
    expect((await fetch(url('Not_A_Name'))).status).toBe(404)
  })

  it('speaks to this machine and its own pages only', async () => {
    const strange = { origin: 'https://evil.example' }
    expect((await get('/', strange)).status).toBe(403)
    expect((await put('/evil', 'x', strange)).status).toBe(403)
    const { status } = await sendHead(at('/'), 'GET', { host: 'evil.example' })
    expect(status).toBe(403)
    expect((await get('/evil')).status).toBe(404)
  })
})
