/**
 * Files whose name says what they are not, on every route that shows one: the type is in the bytes, and nothing is an
 * image that a program could not draw.
 */

import { recordOf } from '#core/json.ts'
import { SELF } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../support/worker/client.ts'
import {
  JPEG,
  JUNK,
  LFS_POINTER,
  NOT_FOUND_PAGE,
  PNG,
  PNG_STUB,
  utf8,
} from '../support/worker/media-samples.ts'

/** Larger than what is kept in a row, so that it is read from R2. */
const LARGE_JPEG = new Uint8Array([...JPEG, ...new Uint8Array(200_000)])

interface Sample {
  readonly name: string
  readonly bytes: Uint8Array
  /** The type of an image; null for others. */
  readonly image?: string
  /** The text; absent for other content. */
  readonly text?: string
}

const SAMPLES: readonly Sample[] = [
  { name: 'lfs.png', bytes: utf8(LFS_POINTER), text: LFS_POINTER },
  { name: '404.jpg', bytes: utf8(NOT_FOUND_PAGE), text: NOT_FOUND_PAGE },
  { name: 'empty.png', bytes: new Uint8Array(0), text: '' },
  { name: 'stub.png', bytes: PNG_STUB },
  { name: 'junk.gif', bytes: JUNK },
  { name: 'jpeg.png', bytes: JPEG, image: 'image/jpeg' },
  { name: 'large-jpeg.png', bytes: LARGE_JPEG, image: 'image/jpeg' },
  { name: 'png.txt', bytes: PNG, image: 'image/png' },
  { name: 'png', bytes: PNG, image: 'image/png' },
]

async function putSample({ name, bytes }: Sample) {
  const workspace = freshWorkspace()
  await workspace.put(`/${name}`, bytes)
  return workspace
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

describe.each(SAMPLES)('$name', (sample) => {
  const { name, bytes, image, text } = sample
  const isBinary = image === undefined && text === undefined

  it('is shown by read_file as what it is', async () => {
    const { call, code } = await putSample(sample)
    const { result } = await call('read_file', { path: name })
    const blocks = result?.content.filter((block) => block.type === 'image') ?? []
    expect(blocks).toEqual(image ? [{ type: 'image', mimeType: image, data: base64(bytes) }] : [])
    if (isBinary) {
      expect(await code('read_file', { path: name })).toBe('BINARY_FILE')
      const explained = `binary (application/octet-stream, ${bytes.length} bytes), and not image/`
      expect(result?.content[0]?.text).toContain(explained)
    } else if (text !== undefined) {
      const lines = text === '' ? [] : text.trimEnd().split('\n')
      const content = lines.map((line, at) => `${at + 1}: ${line}`).join('\n')
      expect(result?.structuredContent).toMatchObject({ content, mime: 'text/plain' })
    }
  })

  it('has that type beside its bytes', async () => {
    const { call } = await putSample(sample)
    const { result } = await call('read_file', { path: name, encoding: 'base64' })
    const mime = image ?? (isBinary ? 'application/octet-stream' : 'text/plain')
    expect(result?.structuredContent).toMatchObject({ mime, offset: 0 })
  })

  it('is read by read_multiple_files as text, or refused', async () => {
    const { call } = await putSample(sample)
    const { result } = await call('read_multiple_files', { paths: [name] })
    const [file] = [result?.structuredContent['files']].flat().map(recordOf)
    if (text === undefined) expect(file).toEqual({ path: name, code: 'BINARY_FILE' })
    else expect(file).toMatchObject({ path: name, truncated: false })
  })

  it('is a resource of that type', async () => {
    const { send } = await putSample(sample)
    const uri = `file:///${name}`
    const { result } = await send('resources/read', { uri })
    const mimeType = image ?? (isBinary ? 'application/octet-stream' : 'text/plain')
    const content = text === undefined ? { blob: base64(bytes) } : { text }
    expect(result?.['contents']).toEqual([{ uri, mimeType, ...content }])
  })

  it.each(['GET', 'HEAD'])('is served as that type: %s', async (method) => {
    const { fetch } = await putSample(sample)
    for (const headers of bytes.length === 0 ? [{}] : [{}, { range: 'bytes=0-3' }]) {
      const response = await fetch(`/files/${name}`, { method, headers })
      const type = image ?? (isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8')
      expect(response.headers.get('content-type')).toBe(type)
      const how = image ? 'inline' : 'attachment'
      expect(response.headers.get('content-disposition')).toMatch(new RegExp(`^${how};`))
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toMatch(/^sandbox;/)
    }
  })

  it('is served as that type by a transfer link', async () => {
    const { call } = await putSample(sample)
    const { result } = await call('transfer_link', { path: name, direction: 'download' })
    const url = new URL(String(result?.structuredContent['url']))
    const response = await SELF.fetch(`http://localhost${url.pathname}`)
    await response.arrayBuffer()
    const type = image ?? (isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8')
    expect(response.headers.get('content-type')).toBe(type)
  })
})

it('text has a type of text in listings, also under the name of an image', async () => {
  const { call, put, text } = freshWorkspace()
  await put('/lfs.png', utf8(LFS_POINTER))
  await put('/a.txt', utf8(LFS_POINTER))
  await text('move_file', { from: 'a.txt', to: 'b.png' })
  const { result } = await call('list_folder', {})
  expect(result?.structuredContent['entries']).toMatchObject([
    { name: 'b.png', mime: 'text/plain' },
    { name: 'lfs.png', mime: 'text/plain' },
  ])
})

it('a page under the name of an image is never served as a page or as an image', async () => {
  const { fetch, put } = freshWorkspace()
  const polyglot = new Uint8Array([...PNG, ...utf8(NOT_FOUND_PAGE)])
  for (const [name, bytes] of [
    ['page.png', utf8(NOT_FOUND_PAGE)],
    ['image.html', polyglot],
    ['image.svg', polyglot],
  ] as const) {
    await put(`/${name}`, bytes)
    const { headers } = await fetch(`/files/${name}`)
    expect(headers.get('content-type')).toBe(
      name === 'page.png' ? 'text/plain; charset=utf-8' : 'image/png',
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})
