/** Edits that keep the formatting of CSV, JSON and Markdown, byte by byte. @module */

import { locateJson } from '#views/templates/data/json-text.ts'
import { findDelimiter, formatField, parseCsv } from '#views/templates/data/csv.ts'
import { moveCard, parseBoard } from '#views/templates/data/markdown-board.ts'
import { cardOfTask, setColumn } from '#views/templates/data/task-files.ts'
import { appendRow, setField } from '#views/templates/edits/csv-edit.ts'
import { findEdit } from '#views/templates/edits/edit-call.ts'
import { appendItem, setMember } from '#views/templates/edits/json-edit.ts'
import { MAX_DEPTH } from '#views/templates/limits.ts'
import { runNow } from '#views/templates/slices.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'

const csv = (text: string, path = 'a.csv') => runNow(parseCsv(text, path, 1_000))

describe('CSV', () => {
  it.each([
    ['a,b\n1,2\n', ['a', 'b'], [['1', '2']]],
    ['a;b\r\n"x;y";"say ""hi"""\r\n', ['a', 'b'], [['x;y', 'say "hi"']]],
    ['a,b\n\n1,\n', ['a', 'b'], [['1', '']]],
    ['a\tb\n"1\n2"\t3', ['a', 'b'], [['1\n2', '3']]],
    ['a,b\n"open,1\n', ['a', 'b'], [['open,1\n']]],
    ['', [], []],
    ['sep=;\r\na;b,c\r\n1;2\r\n', ['a', 'b,c'], [['1', '2']]],
    ['sep=\t\na\tb\n', ['a', 'b'], []],
    ['SEP=,\n"a;b;c",d\n', ['a;b;c', 'd'], []],
    ['sep=', ['sep='], []],
    ['sep=;;\n', ['sep=', '', ''], []],
  ])('reads %j', (text, header, rows) => {
    expect(csv(text)).toMatchObject({ header, rows, leftOut: 0 })
  })

  it('reads what it formats', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é') })
    const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 })
    fc.assert(
      fc.property(rows, (cells) => {
        const text = cells
          .map((row) => row.map((each) => formatField(each, ',', true)).join(','))
          .join('\r\n')
        const { header, rows: rest } = csv(text)
        expect([header, ...rest]).toEqual(cells)
      }),
    )
  })

  it('finds the delimiter', () => {
    expect(findDelimiter('a;b,c;d\n', 'x.csv')).toBe(';')
    expect(findDelimiter('a,b\n', 'x.tsv')).toBe('\t')
    expect(findDelimiter('"a;b;c",d\n', 'x.csv')).toBe(',')
  })

  it.each([
    ['a,b\n1,2\n', 'a,b\n1,2\nx,"y,z"\n'],
    ['a;b\r\n1;2\r\n', 'a;b\r\n1;2\r\nx;y,z\r\n'],
    ['a,b\n1,2', 'a,b\n1,2\nx,"y,z"'],
    ['"a","b"\n"1","2"\n', '"a","b"\n"1","2"\n"x","y,z"\n'],
    ['b,c,a\n', 'b,c,a\n"y,z",,x\n'],
    ['', 'a,b\nx,"y,z"\n'],
    ['sep=;\na;b\n', 'sep=;\na;b\nx;y,z\n'],
    ['sep=;\n', 'sep=;\na;b\nx;y,z\n'],
  ])('appends a row to %j', (text, expected) => {
    const values = new Map([
      ['a', 'x'],
      ['b', 'y,z'],
    ])
    expect(appendRow(text, 'a.csv', values)).toEqual({ ok: true, value: expected })
  })

  it('sets a field below a line that names the delimiter', () => {
    const change = { row: 0, column: 'b', value: '3' }
    const value = 'sep=;\r\na;b\r\n1;3\r\n'
    expect(setField('sep=;\r\na;b\r\n1;2\r\n', 'a.csv', change)).toEqual({ ok: true, value })
  })

  it('refuses a column that the file does not have', () => {
    expect(appendRow('a\n', 'a.csv', new Map([['b', '']]))).toMatchObject({ ok: false })
  })

  it('sets one field', () => {
    const text = 'id;status\r\n1;"todo"\r\n\r\n2;todo\r\n'
    const set = (row: number) => setField(text, 'a.csv', { row, column: 'status', value: 'done' })
    expect(set(0)).toEqual({ ok: true, value: text.replace('"todo"', '"done"') })
    expect(set(1)).toEqual({ ok: true, value: text.replace('2;todo', '2;done') })
    expect(set(2)).toMatchObject({ ok: false })
  })
})

const node = (text: string) => {
  const found = locateJson(text)
  if (!found) throw new Error(`Cannot locate ${text}`)
  return found
}

describe('JSON', () => {
  it('locates every value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 2, '\t'), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), null, space)
        const visit = ({ from, to, items, members }: ReturnType<typeof node>, value: unknown) => {
          expect(JSON.parse(text.slice(from, to))).toEqual(value)
          for (const [index, item] of (items ?? []).entries())
            visit(item, Reflect.get(Object(value), index))
          for (const member of members ?? [])
            visit(member.value, Reflect.get(Object(value), member.key))
        }
        visit(node(text), JSON.parse(text))
      }),
    )
  })

  it('refuses what is no JSON, and what is too deep', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(locateJson('{a:1}')).toBeNull()
    expect(locateJson(nested(MAX_DEPTH + 1))).not.toBeNull()
    expect(locateJson(nested(MAX_DEPTH + 2))).toBeNull()
  })

  it.each([
    ['[{"a":1},{"a":2}]', '[{"a":1},{"a":2},{"a":3}]'],
    ['[ { "a": 1 } ]\n', '[ { "a": 1 }, { "a": 3 } ]\n'],
    ['[\n  { "a": 1 },\n  { "a": 2 }\n]\n', '[\n  { "a": 1 },\n  { "a": 2 },\n  { "a": 3 }\n]\n'],
    [
      '[\r\n\t{\r\n\t\t"a": 1\r\n\t}\r\n]',
      '[\r\n\t{\r\n\t\t"a": 1\r\n\t},\r\n\t{\r\n\t\t"a": 3\r\n\t}\r\n]',
    ],
    ['[]\n', '[\n  {\n    "a": 3\n  }\n]\n'],
  ])('appends to %j', (text, expected) => {
    const next = appendItem(text, node(text), { a: 3 })
    expect(next).toBe(expected)
    expect(JSON.parse(next).at(-1)).toEqual({ a: 3 })
  })

  it.each([
    ['{"s" : "a",  "t":1}', '{"s" : "b",  "t":1}'],
    ['{\n\t"t": 1\n}', '{\n\t"t": 1,\n\t"s": "b"\n}'],
    ['{"t":1,"u":2}', '{"t":1,"u":2,"s":"b"}'],
    ['{}', '{ "s": "b" }'],
  ])('sets a member of %j', (text, expected) => {
    expect(setMember(text, node(text), 's', 'b')).toBe(expected)
  })
})

describe('Markdown', () => {
  const BOARD =
    '# Plan\n\n## To Do\n\n- [ ] one\n  more\n- [ ] two\n\n## Doing\n\n## Done\n\n* [x] three'
  const move = (text: string, index: number, to: string) => {
    const board = parseBoard(text)
    const card = board.flatMap(({ cards }) => cards)[index]
    const target = board.find(({ title }) => title === to)
    if (!card || !target) throw new Error('There is no such card or column')
    const moved = moveCard(text, card, target)
    return moved.ok ? moved.value : moved.error
  }

  it('reads columns and cards', () => {
    expect(parseBoard(BOARD)).toMatchObject([
      { title: 'To Do', cards: [{ text: 'one', details: 'more' }, { text: 'two' }] },
      { title: 'Doing', cards: [] },
      { title: 'Done', cards: [{ text: 'three', isChecked: true }] },
    ])
  })

  it('leaves code and text alone', () => {
    const text = '## A\n```\n- no\n## B\n```\ntext\n- yes\n'
    expect(parseBoard(text)).toMatchObject([{ title: 'A', cards: [{ text: 'yes' }] }])
  })

  it('moves the lines of a card down, up, and into an empty column', () => {
    expect(move(BOARD, 0, 'Doing')).toBe(
      '# Plan\n\n## To Do\n\n- [ ] two\n\n## Doing\n\n- [ ] one\n  more\n## Done\n\n* [x] three',
    )
    expect(move(BOARD, 0, 'Done')).toBe(
      '# Plan\n\n## To Do\n\n- [ ] two\n\n## Doing\n\n## Done\n\n* [x] three\n- [ ] one\n  more',
    )
    expect(move(BOARD, 2, 'To Do')).toBe(
      '# Plan\n\n## To Do\n\n- [ ] one\n  more\n- [ ] two\n* [x] three\n\n## Doing\n\n## Done\n',
    )
  })

  it('keeps all lines of the file, whatever is moved', () => {
    const line = fc.constantFrom('## A', '## B', '- x', '- [ ] y', '  z', '', 'text', '```')
    const sorted = (text: string) => text.split(/\r?\n/).filter(Boolean).toSorted()
    fc.assert(
      fc.property(
        fc.array(line),
        fc.nat(8),
        fc.nat(3),
        fc.constantFrom('\n', '\r\n'),
        (lines, at, to, end) => {
          const text = lines.join(end)
          const board = parseBoard(text)
          const card = board.flatMap(({ cards }) => cards)[at]
          const target = board[to]
          if (!card || !target) return
          const moved = moveCard(text, card, target)
          expect(sorted(moved.ok ? moved.value : text)).toEqual(sorted(text))
        },
      ),
    )
  })
})

describe('the edit of a file', () => {
  it('makes the new text out of the old one, at a place that is unique', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1 })
    fc.assert(
      fc.property(text, text, (old, next) => {
        const edit = findEdit(old, next)
        if (!edit) expect(old).toBe(next)
        if (!edit) return
        expect(old.indexOf(edit.find)).toBe(old.lastIndexOf(edit.find))
        expect(old.replace(edit.find, () => edit.replace)).toBe(next)
      }),
    )
  })

  it('is small', () => {
    const old = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join('')
    expect(findEdit(old, old.replace('line 50', 'line x'))).toEqual({
      find: 'line 50\n',
      replace: 'line x\n',
    })
  })
})

describe('a task in a file of its own', () => {
  it.each([
    ['---\nstatus: todo\n---\nText\n', '---\nstatus: In Progress\n---\nText\n'],
    ['---\r\na: 1\r\nstatus: todo  \r\n---\r\n', '---\r\na: 1\r\nstatus: In Progress  \r\n---\r\n'],
    ['---\nStatus : "todo"\nb: 2\n---\n', '---\nStatus : "In Progress"\nb: 2\n---\n'],
    ["---\nstatus: 'todo'\n---\n", "---\nstatus: 'In Progress'\n---\n"],
    ['---\nstatus: x\ncolumn:\n---\n', '---\nstatus: x\ncolumn: In Progress\n---\n'],
    ['---\na: 1\n---\nstatus: no\n', '---\na: 1\nstatus: In Progress\n---\nstatus: no\n'],
    ['---\n---\n', '---\nstatus: In Progress\n---\n'],
    ['# Title\r\n', '---\r\nstatus: In Progress\r\n---\r\n# Title\r\n'],
    ['', '---\nstatus: In Progress\n---\n'],
  ])('moves from %j to %j', (before, after) => {
    expect(setColumn(before, 'In Progress')).toBe(after)
  })

  it.each([
    ['a: b', '"a: b"'],
    ['yes', '"yes"'],
    ['# 1', '"# 1"'],
    ['Erledigt – ja', '"Erledigt – ja"'],
    ['Ärger', 'Ärger'],
  ])('writes the column %j as %s', (column, value) => {
    expect(setColumn('', column)).toBe(`---\nstatus: ${value}\n---\n`)
  })

  it('has the members of its front matter, its heading and its first paragraph', () => {
    const text = `---
status: in-progress
priority: high
tags: [home, "two words"]
assignee: ann
---
# Paint the fence #

First line.

Second paragraph.
`
    expect(cardOfTask({ path: '/tasks/paint.md', version: 1, text }, 3)).toEqual({
      id: '/tasks/paint.md',
      title: 'Paint the fence',
      description: 'First line.',
      column: 'in-progress',
      priority: 'high',
      tags: ['home', 'two words'],
      assignee: 'ann',
      isChecked: false,
      index: 3,
    })
    const bare = cardOfTask({ path: 'a/b.md', version: 1, text: '' }, 0)
    expect(bare).toMatchObject({ title: 'b', description: '', column: '' })
  })
})
