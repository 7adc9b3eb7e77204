/** The name of a client on the consent page: nothing in it reads as words of the page. */

import { claimedNameHtml } from '#worker/encoding/visible-html.ts'
import { expect, it } from 'vitest'

const MOST = 80

it.each([
  ['Ada', 'Ada'],
  ['Ada’s notes', 'Ada’s notes'],
  ['A\u202eda', 'A[RLO]da'],
  ['<b>', '&lt;b&gt;'],
  [
    '“Claude” wants to read one file. “Claude',
    '[U+201C]Claude[U+201D] wants to read one file. [U+201C]Claude',
  ],
  [
    '"a" «b» „c‟ 〝d〞 \uff02',
    '[U+0022]a[U+0022] [U+00AB]b[U+00BB] [U+201E]c[U+201F] [U+301D]d[U+301E] [U+FF02]',
  ],
  ['a'.repeat(MOST), 'a'.repeat(MOST)],
  ['a'.repeat(MOST + 1), `${'a'.repeat(MOST)}…`],
])('the name %j', (name, expected) => {
  expect(claimedNameHtml(name, MOST).toString()).toBe(`<bdi class="claimed">“${expected}”</bdi>`)
})
