/** What was typed becomes edits that occur once, or the bytes of the whole file; both keep what was not touched. */

import { recordOf } from '#core/json.ts'
import { describeSave, findEdits } from '#host/console/files/save-edits.ts'
import { decodeSource, type Source } from '#host/console/files/source.ts'
import { describe, expect, it } from 'vitest'

const sourceOf = (text: string, more: Partial<Source> = {}): Source => ({
  ...{ version: 7, text, encoding: 'utf-8', hasMark: false },
  ...more,
})

/** Makes edits as the server does: each has to occur once. */
function apply(text: string, edits: readonly { find: string; replace: string }[]): string {
  return edits.reduce((running, { find, replace }) => {
    expect(running.split(find)).toHaveLength(2)
    return running.split(find).join(replace)
  }, text)
}

const same = 'same\n'.repeat(40)

describe('edits', () => {
  it.each([
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n'],
    ['a line among equal ones', `${same}one\n${same}`, `${same}two\n${same}`],
    ['a line after equal ones', `x\n${same}y\n`, `x\n${same}same\ny\n`],
    ['lines at both ends', 'a\nb\nc', 'first\na\nb\nc\nlast\n'],
    ['a removed line', 'a\nb\nb\nc\n', 'a\nb\nc\n'],
    ['all lines', 'a\nb\n', 'c\nd\n'],
    ['nothing left', 'a\nb\n', ''],
    ['an ending that is added', 'a\nb', 'a\nb\n'],
    ['an ending that is removed', 'a\nb\n', 'a\nb'],
    ['a line that an earlier edit makes twice', 'a\nb\nc\nd\n', 'c\nb\nX\nd\n'],
    ['overlapping text', 'aaa\naa\n', 'aaa\nab\n'],
  ])('lead to the text: %s', (_, before, after) => {
    const edits = findEdits(before, after)
    expect(edits).not.toBeNull()
    expect(apply(before, edits ?? [])).toBe(after)
  })

  it('are none for an empty text, and for more changes than one call has', () => {
    expect(findEdits('', 'a\n')).toBeNull()
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`)
    const changed = lines.map((line, at) => (at % 2 === 0 ? `${line}!` : line))
    expect(findEdits(lines.join('\n'), changed.join('\n'))).toBeNull()
  })
})

describe('the call', () => {
  it('edits lines at the version that was read', () => {
    expect(describeSave('/a', sourceOf('a\r\nb\r\n'), 'a\nB\n')).toEqual({
      tool: 'edit_file',
      args: { path: '/a', edits: [{ find: 'b\n', replace: 'B\n' }], if_version: 7 },
    })
  })

  const written = (source: Source, typed: string) => {
    const { tool, args } = describeSave('/a', source, typed)
    expect(tool).toBe('write_file')
    const bytes = Uint8Array.from(atob(String(recordOf(args)['content_base64'])), (one) =>
      one.charCodeAt(0),
    )
    return decodeSource(bytes, source.version)
  }

  it.each([
    ['a lone return', sourceOf('a\rb\r\nc\n'), 'a\nB\nc\n', 'a\rB\r\nc\n'],
    ['an empty file with a mark', sourceOf('', { hasMark: true }), 'ä\n', 'ä\n'],
    ['UTF-16', sourceOf('', { encoding: 'utf-16le', hasMark: true }), 'ä😀\n', 'ä😀\n'],
    ['UTF-16 the other way', sourceOf('', { encoding: 'utf-16be', hasMark: true }), 'é', 'é'],
  ])('writes the bytes where edits cannot, and keeps their form: %s', (_, source, typed, text) => {
    expect(written(source, typed)).toEqual({ ok: true, value: { ...source, text } })
  })
})
