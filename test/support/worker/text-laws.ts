/** Laws of edits: what is shown of a text can be found and replaced, and every other byte stays. @module */

import { expect } from 'vitest'
import { shownText, decodeText, encodeText } from '#worker/texts/text.ts'
import { makeEdits } from '#worker/tools/edit-file.ts'
import fc from '../core/random.ts'
import { utf16 } from './encoded.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

const line = fc.constantFrom('', 'a', 'one', 'größe', '€ 😀', 'tab\t', 'a\rb', ' \u00a0', '\ufffd')
const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), {
  minLength: 1,
  maxLength: 12,
})

const FORMS: readonly ((text: string) => Uint8Array)[] = [
  utf8,
  (text) => utf8(`\ufeff${text}`),
  (text) => utf16(text),
  (text) => utf16(text, 'utf-16be'),
  (text) => Uint8Array.from([...utf8('damaged line of text\n'), 0xe9, 0x0a, ...utf8(text)]),
]

const MARKER = 'the line to find'

/** Checks that one marked part of a file is found as it is shown, and that all other bytes stay. */
export async function checkEdits(numRuns: number): Promise<void> {
  const check = async (
    before: [string, string][],
    after: [string, string][],
    form: number,
    endings: [string, string],
  ) => {
    const encode = FORMS[form] ?? utf8
    const join = (parts: readonly (readonly string[])[]) =>
      parts.map((part) => part.join('')).join('')
    const build = (first: string, second: string) =>
      encode(join(before) + first + endings[0] + second + endings[1] + join(after))
    const old = decodeText(build(MARKER, 'second'))
    if (!old) throw new Error('No text')
    const shown = shownText(old)
    const at = shown.indexOf(MARKER)
    const find = shown.slice(at, shown.indexOf('second', at) + 'second'.length)
    const made = await makeEdits(old, [{ find, replace: 'new\n2' }])
    if (!made.ok) throw new Error(made.error.reason)
    expect(Uint8Array.from(encodeText(made.value))).toEqual(build('new', '2'))
  }
  const ending = fc.constantFrom('\n', '\r\n')
  await fc.assert(
    fc.asyncProperty(lines, lines, fc.nat(FORMS.length - 1), fc.tuple(ending, ending), check),
    { numRuns },
  )
}
