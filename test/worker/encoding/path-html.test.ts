/** Paths on pages: two different paths are never drawn alike. */

import { parsePath } from '#core/path.ts'
import { pathHtml } from '#worker/encoding/path-html.ts'
import { expect, it } from 'vitest'

/** The inside of the element, with names as `[NAME]` and isolates as `{ }`. */
const drawn = (path: string) =>
  pathHtml(parsePath(path))
    .toString()
    .replace(/^<bdi dir="ltr" class="path">(.*)<\/bdi>$/s, '$1')
    .replaceAll(/<span class="hidden">([^<]*)<\/span>/g, '[$1]')
    .replaceAll('<bdi>', '{')
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
  ['/<b>&', '/&lt;b&gt;&amp;'],
])('%j', (path, expected) => {
  expect(drawn(path)).toBe(expected)
})
