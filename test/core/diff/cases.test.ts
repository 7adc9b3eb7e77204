import { describe, expect, it } from 'vitest'
import { applyHunks } from '../../support/core/apply-hunks.ts'
import { rowsOf } from '#core/diff/layout.ts'
import { diffTexts, type DiffLine, type Hunk } from '#core/diff/hunks.ts'
import { changedSpans, MAX_COMPARED, MAX_LINE_LENGTH, piecesOf } from '#core/diff/inline.ts'

const SIGNS = { context: ' ', delete: '-', insert: '+' }

/** A hunk as text: its position, then its lines; `$` ends a line without a newline. */
function shown(hunk: Hunk): string[] {
  const { oldStart, oldLines, newStart, newLines, lines } = hunk
  const head = `${oldStart},${oldLines} ${newStart},${newLines}`
  return [head, ...lines.map((line) => SIGNS[line.kind] + line.text + (line.noNewline ? '$' : ''))]
}

const diffOf = (old: string, next: string, context?: number) =>
  diffTexts(old, next, context).hunks.flatMap(shown)

/** Lines as text, one letter each. */
const letters = (text: string) => Array.from(text, (letter) => `${letter}\n`).join('')

/** A line with its marks in brackets. */
function marked({ text, spans }: DiffLine): string {
  if (!spans) return text
  const [first = 0] = [spans[0]?.[0]]
  const parts = spans.map(
    ([from, to], at) => `[${text.slice(from, to)}]${text.slice(to, spans[at + 1]?.[0])}`,
  )
  return spans.length === 0 ? `=${text}` : text.slice(0, first) + parts.join('')
}

describe('hunks', () => {
  it.each([
    ['', 'a', ['0,0 1,1', '+a$']],
    ['', 'a\n', ['0,0 1,1', '+a']],
    ['', '\n', ['0,0 1,1', '+']],
    ['a', '', ['1,1 0,0', '-a$']],
    ['a\nb\n', '', ['1,2 0,0', '-a', '-b']],
    ['a', 'a\n', ['1,1 1,1', '-a$', '+a']],
    ['a\n', 'a', ['1,1 1,1', '-a', '+a$']],
    ['a\nb', 'c\nb', ['1,2 1,2', '-a', '+c', ' b$']],
    ['a\nb', 'a\nb\n', ['1,2 1,2', ' a', '-b$', '+b']],
    ['a', 'a\na', ['1,1 1,2', '+a', ' a$']],
    ['a\n', 'a\na', ['1,1 1,2', ' a', '+a$']],
    ['a', 'a\r\n', ['1,1 1,1', '-a$', '+a\r']],
    ['a\r\nb\r\n', 'a\nb\r\n', ['1,2 1,2', '-a\r', '+a', ' b\r']],
    ['a\rb', 'a\rc', ['1,1 1,1', '-a\rb$', '+a\rc$']],
    ['\ufeffa\n', 'a\n', ['1,1 1,1', '-\ufeffa', '+a']],
    ['\n\n', '\n', ['1,2 1,1', ' ', '-']],
    ['a\u2028b\u0085c', 'a', ['1,1 1,1', '-a\u2028b\u0085c$', '+a$']],
  ])('from %j to %j', (old, next, expected) => {
    expect(diffOf(old, next)).toEqual(expected)
  })

  it('has three lines round each change', () => {
    expect(diffOf(letters('abcdefgh'), letters('abcdEfgh'))).toEqual(
      ['2,7 2,7', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h'], // oxfmt-ignore
    )
  })

  it('has the requested context lines, and names the line before an empty side', () => {
    const [old, next] = [letters('abcdef'), letters('abXcdf')]
    expect(diffOf(old, next, 0)).toEqual(['2,0 3,1', '+X', '5,1 5,0', '-e'])
    expect(diffOf(old, next, 1)).toEqual(['2,5 2,5', ' b', '+X', ' c', ' d', '-e', ' f'])
    expect(diffOf(letters('ab'), letters('Xab'), 0)).toEqual(['0,0 1,1', '+X'])
  })

  it.each([
    [5, 1],
    [6, 1],
    [7, 2],
  ])('%i lines between two changes make %i hunks', (lines, hunks) => {
    const between = letters('abcdefghijk'.slice(0, lines))
    expect(diffTexts(`1\n${between}1\n`, `2\n${between}2\n`).stats.hunks).toBe(hunks)
  })

  it('accepts a text of any length', () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `${at}\n`)
    const other = lines.map((line) => `another ${line}`)
    expect(diffTexts('', lines.join('')).stats).toMatchObject({ added: 200_000, removed: 0 })
    const { hunks } = diffTexts(lines.join(''), other.join(''))
    expect(applyHunks(lines.join(''), hunks)).toEqual({ ok: true, value: other.join('') })
  })
})

describe('a change with several possible positions', () => {
  it.each([
    [
      'a block stays whole',
      ['f {', '  a', '}', '', 'h {', '  a', '}'],
      ['f {', '  a', '}', '', 'g {', '  a', '}', '', 'h {', '  a', '}'],
      ['+g {', '+  a', '+}', '+'],
    ],
    [
      'without blank lines too',
      ['f {', '  a', '}', 'h {'],
      ['f {', '  a', '}', 'g {', '  a', '}', 'h {'],
      ['+g {', '+  a', '+}'],
    ],
    [
      'by indentation alone',
      ['def a:', '    x', 'def c:', '    x'],
      ['def a:', '    x', 'def b:', '    x', 'def c:', '    x'],
      ['+def b:', '+    x'],
    ],
    ['a tab indents', ['if a', '\tx', 'end'], ['if a', '\tx', 'end', 'if b', '\tx', 'end'], ['+if b', '+\tx', '+end']], // oxfmt-ignore
    ['a deleted block too', ['a', '', 'b', '', 'c'], ['a', '', 'c'], ['-b', '-']],
  ])('%s', (_, old, next, expected) => {
    const changed = diffOf(`${old.join('\n')}\n`, `${next.join('\n')}\n`).filter((line) =>
      /^[-+]/.test(line),
    )
    expect(changed).toEqual(expected)
  })

  it.each([
    [50, 2],
    [200, 202],
  ])('searches 100 lines for it: of %i lines, line %i', (count, expected) => {
    const text = (lines: number) => `\n${'  x\n'.repeat(lines)}  end\n`
    const [hunk] = diffTexts(text(count), text(count + 1), 0).hunks
    expect(hunk?.newStart).toBe(expected)
  })
})

describe('marks', () => {
  const marks = (old: string, next: string) =>
    diffTexts(old, next).hunks.flatMap((hunk) =>
      hunk.lines.filter(({ kind }) => kind !== 'context').map(marked),
    )

  it.each([
    ['const a = 1', 'const a = 2', 'const a = [1]', 'const a = [2]'],
    ['say hello', 'say hello world', '=say hello', 'say hello[ world]'],
    ['  indented', '    indented', '[  ]indented', '[    ]indented'],
    ['read the old long text', 'read a new long text', 'read [the old] long text', 'read [a new] long text'], // oxfmt-ignore
    ['grüße aus Köln', 'grüße nach Köln', 'grüße [aus] Köln', 'grüße [nach] Köln'],
    ['今日は晴れです', '今日は雨です', '今日は[晴れ]です', '今日は[雨]です'],
    ['face 😀 here', 'face 😁 here', 'face [😀] here', 'face [😁] here'],
    ['same text\r', 'same text', 'same text[\r]', '=same text'],
    ['nothing', 'in common', 'nothing', 'in common'],
    ['', 'more', '', 'more'],
    ['   ', ' ', '   ', ' '],
  ])('%j and %j', (old, next, first, second) => {
    expect(marks(`${old}\n`, `${next}\n`)).toEqual([first, second])
  })

  it('are empty where only the final newline differs', () => {
    expect(marks('a', 'a\n')).toEqual(['=a', '=a'])
  })

  it('go to the most similar lines, at any position', () => {
    const old = 'alpha beta gamma\none two three\n'
    const next = 'new\nalpha beta delta\nnew too\none two four\nnew as well\n'
    const [hunk] = diffTexts(old, next).hunks
    const rows = (hunk ? rowsOf(hunk) : []).map(({ left, right }) => [left?.line.text, right?.line.text]) // oxfmt-ignore
    expect(rows).toEqual([
      [undefined, 'new'],
      ['alpha beta gamma', 'alpha beta delta'],
      [undefined, 'new too'],
      ['one two three', 'one two four'],
      [undefined, 'new as well'],
    ])
  })

  it('find each line of a long re-indented block', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at}`)
    const next = ['if (x) {', ...lines.map((line) => `  ${line}`), '}']
    const found = diffTexts(lines.join('\n'), next.join('\n')).hunks.flatMap(rowsOf)
    expect(found[0]).toMatchObject({ left: null, right: { line: { text: 'if (x) {' } } })
    for (const [at, line] of lines.entries())
      expect(found[at + 1]).toMatchObject({
        left: { line: { text: line, spans: [] } },
        right: { line: { text: `  ${line}`, spans: [[0, 2]] } },
      })
  })

  it('of a long line cover everything between its common ends', () => {
    const [start, end] = ['a b '.repeat(MAX_LINE_LENGTH), ' c d'.repeat(MAX_LINE_LENGTH)]
    expect(changedSpans(`${start}😀${end}`, `${start}😁${end}`)).toEqual({
      old: [[start.length, start.length + 2]],
      new: [[start.length, start.length + 2]],
    })
    expect(changedSpans(start, start + end)).toMatchObject({ old: [] })
    expect(marks(`${start}1${end}`, `${start}2${end}`)).toEqual([
      `${start}[1]${end}`,
      `${start}[2]${end}`,
    ])
  })

  it('stop where too much was replaced, and later lines have none', () => {
    const line = (at: number, word: string) => `${word} ${'x'.repeat(84)} ${at}`
    const count = Math.ceil(MAX_COMPARED / 100)
    const text = (word: string) =>
      Array.from({ length: count }, (_, at) => line(at, word)).join('\n')
    const lines = diffTexts(text('one'), text('two')).hunks.flatMap((hunk) => hunk.lines)
    const deleted = lines.filter(({ kind }) => kind === 'delete')
    expect(deleted[0]?.spans).toEqual([[0, 3]])
    expect(deleted.at(-1)?.spans).toBeUndefined()
  })

  it('are made of pieces that join to the line', () => {
    for (const text of [
      '',
      'a b',
      'naïve_1  x',
      'e\u0301a\u200db',
      '\ud83d',
      'ภาษาไทย',
      'a\r',
      '\u2028',
    ])
      expect(piecesOf(text).join('')).toBe(text)
    expect(piecesOf('naïve e\u0301t_1+2')).toEqual(['naïve', ' ', 'e\u0301t_1', '+', '2'])
  })
})

describe('applyHunks', () => {
  const { hunks } = diffTexts(letters('abcdefghijklm'), letters('aBcdefghijkLm'), 1)

  it.each([
    ['a line that is not there', letters('axcdefghijklm'), 1],
    ['a line more', letters('aabcdefghijklm'), 1],
    ['an empty text', '', 1],
    ['a text that ends too soon', letters('abcdefg'), 2],
    ['a last line without its end', letters('abcdefghijklm').slice(0, -1), 2],
  ])('reports the hunk that does not fit: %s', (_, text, hunk) => {
    expect(applyHunks(text, hunks)).toEqual({ ok: false, error: { hunk } })
  })

  it('accepts hunks only in order and within the text', () => {
    expect(applyHunks(letters('abcdefghijklm'), hunks.toReversed())).toMatchObject({ ok: false })
    const [inserting] = diffTexts('', 'a\n').hunks
    const far = inserting ? [{ ...inserting, oldStart: 2 }] : []
    expect(applyHunks('a\n', far)).toEqual({ ok: false, error: { hunk: 1 } })
  })
})
