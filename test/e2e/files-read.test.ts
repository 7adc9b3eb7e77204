/** `/files`: what GET and HEAD promise, asked of the running product. @module */

import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFiles } from '../support/e2e/files.ts'
import { ask } from '../support/e2e/raw-http.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()
const { at, get, list, put } = createFiles(server)

describe('GET', () => {
  const bytes = randomBytes(300_000)
  const range = (value: string, more = {}) => get('/get/large', { range: value, ...more })

  beforeAll(async () => {
    await put('/get/large', new Uint8Array(bytes))
    await put('/get/small', '0123456789')
  })

  it('responds 304 for a known state', async () => {
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

  it('responds 416 for a range outside', async () => {
    for (const header of ['bytes=300000-', 'bytes=-0']) {
      const response = await range(header)
      expect(response.status, header).toBe(416)
      expect(response.headers.get('content-range')).toBe('bytes */300000')
    }
  })

  it('responds with the whole file for an unsupported range or a stale If-Range', async () => {
    for (const header of ['lines=1-2', 'bytes=2-1', 'bytes=0-1,5-6', 'bytes=x-'])
      expect((await range(header)).status, header).toBe(200)
    expect((await range('bytes=0-1', { 'if-range': '"0"' })).status).toBe(200)
    const tag = (await get('/get/large')).headers.get('etag') ?? ''
    expect((await range('bytes=0-1', { 'if-range': tag })).status).toBe(206)
  })

  it('responds 412 for another version than If-Match names, so that a download that goes on mixes none', async () => {
    const tag = (await get('/get/large')).headers.get('etag') ?? ''
    for (const named of [tag, `"0", ${tag}`, '*'])
      expect((await range('bytes=5-', { 'if-match': named })).status, named).toBe(206)
    const response = await range('bytes=5-', { 'if-match': '"0"' })
    expect(response.status).toBe(412)
    expect(await response.json()).toMatchObject({ code: 'VERSION_CONFLICT' })
  })

  it('responds to HEAD like GET, without the body', async () => {
    const response = await ask(at('/get/large'), { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('300000')
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(await response.text()).toBe('')
    expect((await ask(at('/get/nothing'), { method: 'HEAD' })).status).toBe(404)
    const headers = { range: 'bytes=0-1' }
    const whole = await ask(at('/get/large'), { method: 'HEAD', headers })
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '300000'])
  })

  it('never serves a file in a form that a browser would run', async () => {
    for (const name of ['page.html', 'picture.svg', 'page.xhtml', 'script.js', 'feed.xml']) {
      await put(`/get/${name}`, '<svg onload="alert(1)">')
      const { headers } = await get(`/get/${name}`)
      expect(headers.get('content-type'), name).toBe('text/plain; charset=utf-8')
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''/)
      expect(headers.get('content-security-policy')).toMatch(/^sandbox;/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('serves an image as an image', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await put('/get/dot.png', new Uint8Array(png))
    expect((await get('/get/dot.png')).headers.get('content-type')).toBe('image/png')
  })
})

describe('a folder', () => {
  it('is listed in pages, each child once', async () => {
    const names = Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, '0')} ü`)
    for (const name of names) await put(`/pages/${encodeURIComponent(name)}`, name)
    await put('/pages/sub/deep', 'x')
    const found: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const query = `?limit=10${after && `&after=${encodeURIComponent(after)}`}`
      const { entries, next } = await list(`/pages${query}`)
      found.push(...entries.map(({ name }) => name))
      after = next
    }
    expect(found).toEqual([...names, 'sub'])
  })

  it('has type, size and version', async () => {
    await put('/facts/a.md', '12345')
    await put('/facts/sub/b', 'x')
    const { entries } = await list('/facts/')
    expect(entries).toMatchObject([
      { name: 'a.md', type: 'file', size: 5, mime: 'text/markdown' },
      { name: 'sub', type: 'folder' },
    ])
  })

  it('exists from the start as the root', async () => {
    expect((await get('/')).status).toBe(200)
    expect((await get('')).status).toBe(200)
  })
})
