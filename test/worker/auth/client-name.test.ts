/** The name of a client on the consent page: nothing in it reads as words of the page. */

import { nameHtml } from '#worker/auth/client-name.ts'
import { MAX_CLIENT_NAME_LENGTH } from '#worker/auth/limits.ts'
import { expect, it } from 'vitest'

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
  ['a'.repeat(MAX_CLIENT_NAME_LENGTH), 'a'.repeat(MAX_CLIENT_NAME_LENGTH)],
  ['a'.repeat(MAX_CLIENT_NAME_LENGTH + 1), `${'a'.repeat(MAX_CLIENT_NAME_LENGTH)}…`],
])('the name %j', (name, expected) => {
  const shown = nameHtml(name)
    .toString()
    .replaceAll(/<span class="v">([^<]*)<\/span>/g, '[$1]')
  expect(shown).toBe(`<bdi class="claimed">“${expected}”</bdi>`)
})
