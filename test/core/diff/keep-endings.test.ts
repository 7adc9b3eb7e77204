import { keepEndings, plainEndings } from '#core/diff/keep-endings.ts'
import { expect, it } from 'vitest'

it.each<[string, string, string, string]>([
  ['nothing', 'a\r\nb\nc', 'a\nb\nc', 'a\r\nb\nc'],
  ['a changed line, which keeps its ending', 'a\r\nb\nc\r\n', 'a\nB\nc\n', 'a\r\nB\nc\r\n'],
  [
    'a new line, which takes that of the line before',
    'a\r\nb\n',
    'a\nx\ny\nb\n',
    'a\r\nx\r\ny\r\nb\n',
  ],
  [
    'a new first line, which takes that of the first one',
    'a\r\nb\r\n',
    'x\na\nb\n',
    'x\r\na\r\nb\r\n',
  ],
  ['lines in place of fewer', 'a\r\nb\nc\r\n', 'a\nx\ny\nc\n', 'a\r\nx\ny\nc\r\n'],
  ['a removed line', 'a\r\nb\nc\r\n', 'a\nc\n', 'a\r\nc\r\n'],
  ['an ending at the end of the text', 'a\r\nb', 'a\nb\n', 'a\r\nb\r\n'],
  ['no ending at the end of the text', 'a\r\nb\r\n', 'a\nb', 'a\r\nb'],
  ['a line after the last one without an ending', 'a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
  ['a single carriage return', 'a\rb\r\nc', 'a\nb\nx\nc', 'a\rb\r\nx\r\nc'],
  ['empty lines at the end', 'a\r\n\r\n', 'a\n\n\n', 'a\r\n\r\n\r\n'],
  ['the first text of an empty file', '', 'a\nb\n', 'a\nb\n'],
  ['all text', 'a\r\n', '', ''],
])('keeps the endings over %s', (_, before, edited, expected) => {
  expect(keepEndings(before, edited)).toBe(expected)
})

it('shows the endings of a text as those of a field', () => {
  expect(plainEndings('a\r\nb\rc\n\r\n')).toBe('a\nb\nc\n\n')
})

it.each(['a\r\nb\rc\n', '\n\r\n\r', 'a', ''])(
  'changes nothing of a text that was not edited: %j',
  (text) => {
    expect(keepEndings(text, plainEndings(text))).toBe(text)
  },
)
