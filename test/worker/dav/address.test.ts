/** Addresses of WebDAV mean what they say, in the URL and in the headers. */

import { parsePath } from '#core/path.ts'
import { hrefOf, parseAddress, parseReference } from '#worker/dav/address.ts'
import { MAX_DAV_HEADER } from '#worker/dav/limits.ts'
import { describe, expect, it } from 'vitest'

const request = new Request('https://host.example/linked/dav/a')
const at = (text: string) => parseReference(text, { request, prefix: '/w/one/dav' })

describe('a path', () => {
  it.each([
    ['', '/'],
    ['/', '/'],
    ['/a', '/a'],
    ['/a/', '/a'],
    ['//a//b', '/a/b'],
    ['/a%20b', '/a b'],
    ['/%C3%A9', '/é'],
    // Finder sends decomposed names.
    ['/e%CC%81', '/é'],
    ['/a%25b', '/a%b'],
    ['/a:12', '/a:12'],
    ['/~/a', '/~/a'],
  ])('%j is %j', (encoded, path) => {
    expect(parseAddress(encoded)).toEqual({ ok: true, value: path })
  })

  it.each(['/a%2Fb', '/%2e%2e/a', '/..%2fa', '/%2E', '/../a', '/%FF', '/%', '/a%5Cb', '/a%00b'])(
    '%j is refused',
    (encoded) => {
      expect(parseAddress(encoded).ok).toBe(false)
    },
  )

  it('is written as it is read', () => {
    for (const text of [
      '/a b',
      '/é/ü',
      '/a%b',
      '/a#b?c',
      "/a'b(c)!*",
      '/100%',
      '/a&b;c=d',
      '/😀',
    ]) {
      const href = hrefOf('/dav', parsePath(text), false)
      expect(href).toMatch(/^[\w/.%~!*'()-]+$/)
      expect(parseAddress(href.slice('/dav'.length))).toEqual({ ok: true, value: text })
    }
    expect(hrefOf('/dav', parsePath('/a'), true)).toBe('/dav/a/')
    expect(hrefOf('/dav', parsePath('/'), true)).toBe('/dav/')
  })
})

describe('an address in a header', () => {
  it.each([
    ['https://host.example/w/one/dav/b', '/b'],
    // A proxy may have taken the encryption off.
    ['http://host.example/w/one/dav/b', '/b'],
    ['https://user:secret@host.example/w/one/dav/b', '/b'],
    ['/w/one/dav/b%20c/', '/b c'],
    ['/w/one/dav', '/'],
  ])('%j is %j', (text, path) => {
    expect(at(text)).toEqual({ ok: true, value: path })
  })

  it.each([
    'https://other.example/w/one/dav/b',
    'https://host.example:8443/w/one/dav/b',
    '//other.example/w/one/dav/b',
    '/w/two/dav/b',
    '/dav/b',
    '/files/b',
    '/w/one/dav/../../two/dav/b',
    '/w/one/dav/%2e%2e/%2e%2e/two/dav/b',
    '/w/one/davb',
    '/w/ONE/dav/b',
    '/s/one.secret/dav/b',
  ])('%j is elsewhere', (text) => {
    expect(at(text)).toEqual({ ok: false, error: 'elsewhere' })
  })

  it.each([
    '',
    'b',
    '../b',
    'file:///w/one/dav/b',
    'javascript:alert(1)',
    '/w/one/dav/a/../b',
    '/w/one/dav/a/%2e%2E/b',
    '/w/one/dav/a/.%2e',
    '/w/one/dav/./b',
    '/w/one/dav/b?c',
    '/w/one/dav/b#c',
    '/w/one/dav/..%2F..%2Ftwo',
    '/w/one/dav/%FF',
    `/w/one/dav/${'a'.repeat(MAX_DAV_HEADER)}`,
  ])('%j is malformed', (text) => {
    expect(at(text)).toEqual({ ok: false, error: 'malformed' })
  })
})
