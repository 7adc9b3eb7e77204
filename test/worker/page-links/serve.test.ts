/** The headers of pages, pictures and downloads, with content that tries to become a page of its own. */

import { describe, expect, it } from 'vitest'
import { sharedFiles } from '../../support/worker/page-links.ts'

const EVIL = '<script>alert(1)</script><img src=x onerror=alert(1)>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
const PNG = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (char) => char.charCodeAt(0),
)

const FILES = {
  '/d/a.html': EVIL,
  '/d/a.md': EVIL,
  '/d/a.csv': `a,b\n${EVIL},"${EVIL}"\n`,
  '/d/a.js': EVIL,
  '/d/a.txt': EVIL,
  '/d/a.svg': SVG,
  '/d/a.png': PNG,
  '/d/fake.png': EVIL,
  [`/d/${EVIL.replaceAll('/', '')}.txt`]: 'x',
  '/d/a.bin': new Uint8Array([0, 1, 2, 255]),
}

/** What no page may have, whatever is in a file or a name. */
const ACTIVE =
  /<(?:script|iframe|object|embed|form|link|base|meta http)|\son\w+=|javascript:|style="/i

describe('a page', () => {
  const paths = ['', ...Object.keys(FILES).map((path) => encodeURIComponent(path.slice(3)))]

  it.each(paths)('%s has no markup of the file, and every header', async (path) => {
    const { open } = await sharedFiles(FILES, '/d')
    const { response, status, html } = await open(path)
    expect(status).toBe(200)
    expect(html.replaceAll(/&lt;|&gt;|&#39;|&quot;/g, '_')).not.toMatch(/<script|<iframe|<form/i)
    for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi)) expect(tag).not.toMatch(ACTIVE)
    const { headers } = response
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-downloads$/,
    )
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('set-cookie')).toBeNull()
  })
})

describe('a picture', () => {
  it('is one only by its bytes', async () => {
    const { open } = await sharedFiles(FILES, '/d')
    const png = await open('a.png?image')
    expect(png.response.headers.get('content-type')).toBe('image/png')
    for (const path of ['fake.png', 'a.html', 'a.txt', 'a.js'])
      expect((await open(`${path}?image`)).status).toBe(404)
  })

  it('of vectors is saved where it is opened by itself, and can do nothing', async () => {
    const { open } = await sharedFiles(FILES, '/d')
    const { headers } = (await open('a.svg?image')).response
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })
})

it('a download is saved as it is, and never shown', async () => {
  const { open } = await sharedFiles(FILES, '/d')
  for (const path of ['a.html', 'a.svg', 'a.png', 'a.md', 'a.bin']) {
    const { response } = await open(`${path}?download`)
    const { headers } = response
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''a\./)
    expect(headers.get('content-type')).not.toMatch(/html|svg|script/)
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(headers.get('cache-control')).toBe('private, no-store')
  }
  const bytes = await (await open('a.png?download')).response.arrayBuffer()
  expect(new Uint8Array(bytes)).toEqual(PNG)
})
