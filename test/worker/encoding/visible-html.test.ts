/** Paths on the pages of the server: two different ones are never drawn alike. */

import { parsePath } from '#core/path.ts'
import { pathHtml, sentenceHtml } from '#worker/encoding/visible-html.ts'
import { expect, it } from 'vitest'

/** The inside of the element, with names as `[NAME]` and isolates as `{ }`. */
const drawn = (path: string) =>
  pathHtml(parsePath(path))
    .toString()
    .replace(/^<bdi dir="ltr" class="filepath">(.*)<\/bdi>$/s, '$1')
    .replaceAll(/<span class="v">([^<]*)<\/span>/g, '[$1]')
    .replaceAll(/<bdi dir="(?:ltr|rtl)">/g, '{')
    .replaceAll('</bdi>', '}')

it.each([
  ['/a b/c', '/a b/c'],
  ['/a ', '/a[SP]'],
  ['/ a', '/[SP]a'],
  ['/a /b', '/a[SP]/b'],
  ['/a  b', '/a[SP][SP]b'],
  ['/a   b ', '/a[SP][SP][SP]b[SP]'],
  ['/a\u200bb', '/a[ZWSP]b'],
  ['/a\u00a0b', '/a[NBSP]b'],
  ['/a\u202eb', '/a[RLO]b'],
  ['/t/\u05d01', '/t/{\u05d0}1'],
  ['/t/1\u05d0', '/t/1{\u05d0}'],
  ['/\u05d0/\u05d1', '/{\u05d0}/{\u05d1}'],
  ['/\u0661\u05d0', '/{\u0661}{\u05d0}'],
  ['/\u0301a', '/[U+0301]a'],
  ['/<b>&', '/&lt;b&gt;&amp;'],
  ['/x\u2044y\u2215z', '/x[U+2044]y[U+2215]z'],
  ['/\u00e9\u0301\u0302', '/\u00e9[U+0301][U+0302]'],
  ['/x\u0301\u0301', '/x\u0301[U+0301]'],
  ['/x\u0300\u0301\u0302\u0303\u0304', '/x\u0300\u0301\u0302\u0303[U+0304]'],
  ['/\u05d1\u05b7\u05bc\u0591', '/{\u05d1\u05b7\u05bc\u0591}'],
  ['/\u05d1\u05b7\u05b7\u05d2', '/{\u05d1\u05b7}[U+05B7]{\u05d2}'],
  ['/\u0e17\u0e35\u0e48', '/\u0e17\u0e35\u0e48'],
])('%j', (path, expected) => {
  expect(drawn(path)).toBe(expected)
})

it('draws the values of a sentence as paths, and the rest as text', () => {
  const path = (text: string) => `<bdi dir="ltr" class="filepath">${text}</bdi>`
  expect(sentenceHtml('Move "/in/b to c" to /d<').toString()).toBe(
    `Move ${path('/in/b to c')} to ${path('/d&lt;')}`,
  )
})
