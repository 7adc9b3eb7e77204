/** Tab, Shift Tab and Enter in a field of code. */

import {
  breakLine,
  findIndentUnit,
  indent,
  outdent,
  type Replaced,
  type Selected,
} from '#host/console/files/field-keys.ts'
import { expect, it } from 'vitest'

/** A text with its selection between `[` and `]`, or its caret at `|`. */
function read(text: string): Selected {
  const value = text.replace(/[[\]|]/g, '')
  const start = text.search(/[[|]/)
  return { value, start, end: text.includes('|') ? start : text.indexOf(']') - 1 }
}

function write({ value }: Selected, made: Replaced | null): string | null {
  if (made === null) return null
  const { from, to, insert, start, end } = made
  const text = value.slice(0, from) + insert + value.slice(to)
  if (start === end) return `${text.slice(0, start)}|${text.slice(start)}`
  return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
}

it.each([
  ['a|b', 'a  |b'],
  ['a[b]c', 'a  |c'],
  ['a\n[b\n\nc]\nd', 'a\n  [b\n\n  c]\nd'],
  ['[a\n]b', '  [a\n]b'],
])('indents %j', (before, after) => {
  expect(write(read(before), indent(read(before), '  '))).toBe(after)
})

it.each([
  ['  a|', 'a|'],
  ['\ta|', 'a|'],
  ['[    a\n b]', '[  a\nb]'],
  ['a|', null],
])('removes a level of %j', (before, after) => {
  expect(write(read(before), outdent(read(before), '  '))).toBe(after)
})

it.each([
  ['  a|b', '  a\n  |b'],
  ['\ta[b]', '\ta\n\t|'],
  ['x\n|', 'x\n\n|'],
  ['  |  a', '  \n  |  a'],
])('keeps the indentation at a new line of %j', (before, after) => {
  expect(write(read(before), breakLine(read(before)))).toBe(after)
})

it.each([
  ['a\n\tb\n', '\t'],
  ['a\n    b\n        c\n', '    '],
  ['a\n  b\n    c\n', '  '],
  ['a\nb\n', '  '],
  ['   \n', '  '],
])('finds the unit of %j', (text, unit) => {
  expect(findIndentUnit(text)).toBe(unit)
})
