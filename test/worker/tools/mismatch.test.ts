/** Why a text was not found: what differs where it cannot be seen, and the lines that are most similar. */

import { describe, expect, it } from 'vitest'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'

async function refuse(content: string, find: string) {
  const workspace = freshWorkspace()
  await workspace.put('/a', content)
  const edit = (text: string) =>
    workspace.call('edit_file', { path: 'a', edits: [{ find: text, replace: 'x' }] })
  const { result } = await edit(find)
  return { error: errorOf(result), text: result?.content[0]?.text ?? '', edit }
}

describe('a text that looks like the one that was sent', () => {
  it.each([
    [
      'a no-break space',
      'one\na\u00a0b\n',
      'a b',
      { line: 2, column: 2, found: 'U+00A0', sent: 'U+0020' },
    ],
    [
      'a decomposed letter',
      'cafe\u0301\n',
      'caf\u00e9',
      { column: 4, found: 'U+0065 U+0301', sent: 'U+00E9' },
    ],
    [
      'a composed letter',
      'caf\u00e9\n',
      'cafe\u0301',
      { column: 4, found: 'U+00E9', sent: 'U+0065 U+0301' },
    ],
    ['a zero-width space', 'fo\u200bo\n', 'foo', { column: 3, found: 'U+200B', sent: '' }],
    [
      'curly quotes',
      'say \u201chi\u201d\n',
      'say "hi"',
      { column: 5, found: 'U+201C', sent: 'U+0022' },
    ],
    [
      'tabs',
      'if x:\n\tone\n\ttwo\n',
      'if x:\n    one\n    two',
      { line: 2, column: 1, found: 'U+0009', sent: '4 × U+0020' },
    ],
    [
      'blanks at the end of a line',
      'one  \ntwo\n',
      'one\ntwo',
      { line: 1, column: 4, found: '2 × U+0020', sent: '' },
    ],
    [
      'a line end of an old Mac',
      'a,b\r1,2\r',
      'a,b\n1,2',
      { line: 1, column: 4, found: 'U+000D', sent: 'U+000A' },
    ],
    [
      'no blanks at the end of a line',
      'one\ntwo\n',
      'one \ntwo',
      { line: 1, column: 4, found: '', sent: 'U+0020' },
    ],
    [
      'no line break at the end of the file',
      'one\r\ntwo',
      'two\n',
      { line: 2, column: 4, found: '', sent: 'U+000A' },
    ],
    [
      'fewer line breaks at the end of the file',
      'one\ntwo\n',
      'one\ntwo\n\n\n',
      { line: 3, column: 1, found: '', sent: '2 × U+000A' },
    ],
    [
      'no line break at the beginning of the file',
      'one\ntwo',
      '\none',
      { line: 1, column: 1, found: '', sent: 'U+000A' },
    ],
  ])('%s is named, and the exact text is found', async (_what, content, find, difference) => {
    const { error, text, edit } = await refuse(content, find)
    expect(error).toMatchObject({ code: 'FIND_NOT_FOUND' })
    const { exact, differences } = JSON.parse(JSON.stringify(error))
    expect(differences[0]).toMatchObject(difference)
    expect(text).toContain(`column ${difference.column}`)
    const quoted = /in JSON: (".*")/s.exec(text)?.[1] ?? '""'
    expect(JSON.parse(quoted)).toBe(exact)
    expect((await edit(exact)).result?.isError).toBeFalsy()
  })

  it('is not named where there are two', async () => {
    const { error } = await refuse('a\u00a0b\na\u00a0b\n', 'a b')
    expect(error).not.toHaveProperty('exact')
  })
})

describe('an earlier edit of the call', () => {
  async function refuseEdits(
    content: string,
    ...edits: readonly [find: string, replace: string][]
  ) {
    const workspace = freshWorkspace()
    await workspace.put('/a', content)
    const sent = edits.map(([find, replace]) => ({ find, replace }))
    const { result } = await workspace.call('edit_file', { path: 'a', edits: sent })
    return { error: errorOf(result), text: result?.content[0]?.text ?? '' }
  }

  it.each<[string, [string, string][]]>([
    [
      'the same text',
      [
        ['one', 'ONE'],
        ['one', '1'],
      ],
    ],
    [
      'an overlap',
      [
        ['one\ntwo', 'A'],
        ['two\nthree', 'B'],
      ],
    ],
    [
      'a line that was removed',
      [
        ['two\n', ''],
        ['two', 'TWO'],
      ],
    ],
  ])('is named where it replaced the text: %s', async (_what, edits) => {
    const { error, text } = await refuseEdits('one\r\ntwo\r\nthree\r\n', ...edits)
    expect(error).toMatchObject({ code: 'FIND_NOT_FOUND', edit: 2, nearest: [] })
    expect(text).toContain('earlier edit')
    expect(text).not.toContain('does not occur')
  })

  it('is named where it wrote the text', async () => {
    const { error, text } = await refuseEdits('one\ntwo\n', ['one', 'two'], ['two', 'TWO'])
    expect(error).toMatchObject({ code: 'FIND_NOT_UNIQUE', edit: 2, match_count: 2 })
    expect(text).toContain('Earlier edits of this call write it too')
  })

  it('is not named where it has nothing to do with the text', async () => {
    const none = await refuseEdits('one\ntwo\ntwo\n', ['one', '1'], ['three', '3'])
    expect(none.text).toContain('does not occur in the file')
    const twice = await refuseEdits('one\ntwo\ntwo\n', ['one', '1'], ['two', '3'])
    expect(twice.text).not.toContain('arlier edit')
  })
})

describe('the lines that are most similar', () => {
  it('are all lines of a text of several lines', async () => {
    const { text } = await refuse(
      'zero\nalpha one\nbeta two\ngamma three\n',
      'alpha one\nbeta 2\ngamma three',
    )
    expect(text).toContain('2: alpha one\n3: beta two\n4: gamma three')
  })

  it('line numbers are only spoken of where they were sent', async () => {
    const plain = await refuse('alpha one\n', 'alpha two')
    expect(plain.text).not.toContain('line numbers')
    const numbered = await refuse('alpha one\n', '1: alpha one')
    expect(numbered.text).toContain('without line numbers')
  })
})
