import { character } from '../../support/core/character.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { diffTexts } from '#core/diff/hunks.ts'
import { MAX_SHOWN_LENGTH } from '#core/diff/layout.ts'
import { reviewPage } from '#worker/changes/review-page/page.ts'
import type { ReviewFacts, ReviewFile } from '#worker/changes/review-page/page.ts'
import {
  MAX_REVIEW_FILES,
  MAX_REVIEW_INTENT_LENGTH,
  MAX_REVIEW_LENGTH,
  MAX_REVIEW_LINES,
} from '#worker/changes/review-page/limits.ts'
import { visibleHtml } from '#worker/encoding/visible-html.ts'

const NONE = { added: 0, removed: 0, hunks: 0 }

function changed(old: string, next: string, path = '/notes/a.txt'): ReviewFile {
  return { from: path, to: path, binary: false, ...diffTexts(old, next) }
}

/** A file without lines to show. */
function entry(facts: Partial<ReviewFile>): ReviewFile {
  return { from: '/x', to: '/x', binary: false, hunks: [], stats: NONE, ...facts }
}

function page(files: readonly ReviewFile[], facts: Partial<ReviewFacts> = {}): string {
  return reviewPage({
    intent: 'Edit a',
    tool: 'edit_file',
    applied: false,
    notes: [],
    files,
    ...facts,
  })
}

/** The text of every element that a selector finds, entities resolved, white space as it is. */
async function textsOf(html: string, selector: string): Promise<string[]> {
  const texts: string[] = []
  const rewriter = new HTMLRewriter().on(selector, {
    element: () => void texts.push(''),
    text: ({ text }) => void texts.push(`${texts.pop() ?? ''}${text}`),
  })
  await rewriter.transform(new Response(html)).text()
  return texts.map(unescaped)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? '')
}

/** Every element with its attributes, each kind once. */
async function kindsOf(html: string): Promise<Set<string>> {
  const kinds = new Set<string>()
  const rewriter = new HTMLRewriter().on('*', {
    element: ({ tagName, attributes }) => {
      kinds.add([tagName, ...Array.from(attributes, ([name]) => name ?? '')].join(' '))
    },
  })
  await rewriter.transform(new Response(html)).text()
  return kinds
}

const TWO = [changed('a\nb\nc\n', 'a\nB\nc\nd'), entry({ to: null })]

describe('the review page', () => {
  it('is self-contained, without scripts and requests', () => {
    const html = page(TWO)
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html).not.toMatch(
      /<script|<link|<img|<iframe|<form|<a |\ssrc=|\shref=|\sstyle=|\son\w+=/i,
    )
    expect(html).not.toMatch(/url\(|@import|https?:/i)
    expect(html).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"`,
    )
  })

  it('shows whether it is a preview', () => {
    expect(page(TWO)).toContain('<b>Preview</b> · nothing has been changed yet')
    const applied = page(TWO, { applied: true })
    expect(applied).toContain('<b class="done">Applied</b>')
    expect(applied).not.toContain('nothing has been changed')
  })

  it('says that a change waits, and shows the address of the decision as text', () => {
    const held = page(TWO, { waits: { url: 'https://files.example/?at=/w/<b>#/waiting' } })
    expect(held).toContain('<b>Waits for approval</b> · nothing has been changed yet')
    expect(held).toContain('Decide at <bdi>https://files.example/?at=/w/&lt;b&gt;#/waiting</bdi>')
    expect(held).not.toMatch(/<b>Preview|<a /)
    expect(page(TWO, { waits: { url: null } })).not.toContain('Decide at')
  })

  it('has a view switch only if there are lines to show', () => {
    expect(page(TWO).match(/type="radio"/g)).toHaveLength(2)
    expect(page([entry({ to: null })])).not.toContain('type="radio"')
  })

  it('escapes every text of a change', async () => {
    const plain = changed('one 1\ntwo\n', 'more\none 2\ntwo')
    const odd = fc.oneof(
      fc.constantFrom(
        '<b onclick="x">\'&lt;\n',
        '</td></table><script>1',
        '</title><img src=x>',
        `'>"`,
      ),
      fc.string({ unit: character, maxLength: 20 }),
    )
    const usual = await kindsOf(
      page([plain, entry({ to: '/y' })], { notes: ['a\u202e'], intent: '\u0000' }),
    )
    await fc.assert(
      fc.asyncProperty(odd, odd, odd, async (one, two, three) => {
        const files = [changed(one, two, three), entry({ from: two, to: three }), plain]
        const facts = { intent: one, tool: two, notes: [three] }
        const kinds = await kindsOf(page(files, facts))
        expect([...kinds].filter((kind) => !usual.has(kind))).toEqual([])
      }),
    )
  })

  it('shows all lines unchanged in both views', async () => {
    const old = 'kept\n  <b>old</b> &amp; done\nkept\n\tgone\n'
    const next = 'kept\n  <b>new</b> &amp; done\nkept\n'
    const html = page([changed(old, next)])
    expect(await textsOf(html, '.whole td.c')).toEqual([
      ...['kept', '  <b>old</b> &amp; done', '  <b>new</b> &amp; done', 'kept', '\tgone'],
    ])
    expect(await textsOf(html, '.split td.c')).toEqual([
      ...['kept', 'kept', '  <b>old</b> &amp; done', '  <b>new</b> &amp; done'],
      ...['kept', 'kept', '\tgone'],
    ])
    expect(await textsOf(html, '.whole mark')).toEqual(['old', 'new'])
    expect(await textsOf(html, '.whole td.s')).toEqual(['', '−', '+', '', '−'])
    expect(await textsOf(html, '.whole td.n')).toEqual([
      ...['1', '1', '2', '', '', '2', '3', '3', '4', ''],
    ])
  })

  it('counts the lines between hunks', async () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `${at}\n`)
    const next = lines.with(4, 'x\n').with(1_900, 'x\n')
    const html = page([changed(lines.join(''), next.join(''))])
    expect(await textsOf(html, '.whole .gap td')).toEqual([
      '1 unchanged line',
      '1,889 unchanged lines',
    ])
    expect(html).toContain('class="whole w4"')
  })
})

describe('the files of a review', () => {
  it.each<[string, Partial<ReviewFile>, string[]]>([
    ['a new empty file', { from: null }, ['New', '/x', 'empty']],
    ['a deleted file', { to: null, bytes: 1 }, ['Deleted', '/x', '1 byte']],
    ['a moved file', { to: '/d/y' }, ['Moved', '/x → /d/y', 'content unchanged']],
    [
      'other bytes',
      { binary: true, bytes: 999 },
      ['Changed', '/x', 'not shown as text, 999 bytes'],
    ],
    [
      'a moved folder',
      { to: '/d/y', folder: { files: 42, bytes: 1_234_567 } },
      ['Moved', '/x/ → /d/y/', '42 files, 1.2 MB'],
    ],
    [
      'a deleted folder',
      { to: null, folder: { files: 1, bytes: 99_950 } },
      ['Deleted', '/x/', '1 file, 100 kB'],
    ],
  ])('have a row for %s', async (_, facts, expected) => {
    const html = page([entry(facts)])
    const [kind, stat] = await Promise.all([textsOf(html, '.list .kind'), textsOf(html, '.stat')])
    const path = (await textsOf(html, '.list .path')).join('')
    expect([...kind, path, ...stat]).toEqual(expected)
  })

  it('are drawn apart where their paths look alike', () => {
    const html = page([changed('a\n', 'b\n', '/t/\u05d01'), changed('a\n', 'b\n', '/t/a.txt ')])
    expect(html).toContain('<bdi dir="rtl">\u05d0</bdi>1')
    expect(html).toContain('a.txt<span class="v">SP</span>')
    const moved = page([], { intent: 'Move /t/1\u05d0 to "/a  b"' })
    expect(moved).toContain('1<bdi dir="rtl">\u05d0</bdi></bdi> to <bdi')
    expect(moved).toContain('a<span class="v">SP</span><span class="v">SP</span>b')
  })

  it('are listed with a sum if there are several', async () => {
    const folder = entry({ to: null, folder: { files: 10, bytes: 5 } })
    const html = page([changed('a\n', 'b\nc\n'), folder])
    expect(await textsOf(html, '.list .kind')).toEqual(['Changed', 'Deleted'])
    expect(await textsOf(html, '.sum')).toEqual(['11 files · +2 −1'])
    expect(await textsOf(page([changed('a\n', 'b\n')]), '.list')).toEqual([])
    expect(page([])).toContain('Nothing changes.')
  })

  it('have each count once, also if there is only one', async () => {
    const lines = page([changed('a\n', 'b\nc\n')])
    expect(await textsOf(lines, '.sum')).toEqual(['1 file · +2 −1'])
    expect(await textsOf(lines, '.file .stat')).toEqual([''])
    const folder = page([entry({ to: null, folder: { files: 10, bytes: 5 } })], { bytes: 5 })
    expect(await textsOf(folder, '.sum')).toEqual([])
    expect(await textsOf(folder, '.stat')).toEqual(['10 files, 5 bytes'])
    expect(await textsOf(page([]), '.sum')).toEqual([])
  })

  it('name CRLF line endings once instead of on each line', async () => {
    const html = page([changed('a\r\nb\r\n', 'a\r\nc\r\n')])
    expect(await textsOf(html, '.file .stat')).toEqual(['CRLF'])
    expect(await textsOf(html, '.whole td.c')).toEqual(['a', 'b', 'c'])

    const mixed = page([changed('a\r\nb\r\n', 'a\nb\r\n')])
    expect(await textsOf(mixed, '.whole .c .v')).toEqual(['CR'])
    expect(await textsOf(mixed, '.whole .c .end')).toEqual(['CR'])
  })

  it('mark a missing newline at the end', async () => {
    const html = page([changed('a', 'a\n')])
    expect(await textsOf(html, '.whole .end')).toEqual(['no newline at the end'])
  })
})

describe('text of a review', () => {
  it('shows the names of invisible characters as markup', () => {
    const markup = visibleHtml('a\u202e<b>\u200b').toString()
    expect(markup).toBe('a<span class="v">RLO</span>&lt;b&gt;<span class="v">ZWSP</span>')
  })

  it('shows invisible characters everywhere on the page', () => {
    const file = changed('a\u202eb\n', 'a\u202ec\n', '/\u200bd')
    const html = page([file], { intent: 'i\u2066', tool: 't\u2067', notes: ['n\u2068'] })
    expect(html).toContain('<title>i[LRI]</title>')
    expect(html).not.toMatch(/[\u200b\u202e\u2066-\u2068]/)
    for (const name of ['LRI', 'RLI', 'FSI', 'RLO', 'ZWSP'])
      expect(html).toContain(`<span class="v">${name}</span>`)
  })
})

describe('the size of a review is limited', () => {
  const lines = (count: number, of: string) => Array.from({ length: count }, () => of).join('\n')

  it('in lines, and it counts the omitted ones', async () => {
    const files = [changed('', lines(MAX_REVIEW_LINES, 'a')), changed('b', lines(10, 'c'))]
    const html = page(files)
    expect(await textsOf(html, '.whole td.c')).toHaveLength(MAX_REVIEW_LINES)
    expect(await textsOf(html, '.notes li')).toEqual(['11 more lines are not shown'])
    expect(await textsOf(html, '.rest')).toEqual(['11 more lines are not shown'])
    expect(page([changed('', lines(MAX_REVIEW_LINES, 'a'))])).not.toContain('not shown')
    expect(page([changed('', lines(MAX_REVIEW_LINES + 1, 'a'))])).toContain(
      '1 more line is not shown',
    )
  })

  it('in the bytes of its lines', () => {
    const html = page([changed('', lines(4_000, '\u202e'.repeat(500)))])
    expect(html.length).toBeLessThan(2.2 * MAX_REVIEW_LENGTH)
    expect(html).toMatch(/3,\d\d\d more lines are not shown/)
  })

  it('in the length of a line, which is shown around its change', async () => {
    const [start, end] = ['x'.repeat(9_000), '😀'.repeat(9_000)]
    const html = page([changed(`${start}old${end}`, `${start}new${end}`)])
    expect(html.length).toBeLessThan(20_000)
    expect(await textsOf(html, '.whole mark')).toEqual(['old', 'new'])
    expect((await textsOf(html, '.whole .cut'))[0]).toBe('8,600 characters not shown')
    expect(html).not.toContain('U+D83')
  })

  it('in the length of an unmarked line, of which the start and the end are shown', async () => {
    const whole = page([changed('', `${'x'.repeat(MAX_SHOWN_LENGTH)}\n`)])
    expect(await textsOf(whole, '.cut')).toEqual([])
    const long = page([changed('', `${'x'.repeat(3 * MAX_SHOWN_LENGTH)}END\n`)])
    expect(await textsOf(long, '.whole .cut')).toEqual(['4,203 characters not shown'])
    expect((await textsOf(long, '.whole td.c'))[0]).toMatch(/xEND$/)
  })

  it('in files and in the length of the intent', async () => {
    const html = page(
      Array.from({ length: MAX_REVIEW_FILES + 2 }, () => entry({ to: null })),
      { intent: 'a'.repeat(MAX_REVIEW_INTENT_LENGTH + 1_000) },
    )
    expect(await textsOf(html, '.list li')).toHaveLength(MAX_REVIEW_FILES)
    expect(await textsOf(html, '.notes li')).toEqual(['2 more files are not shown'])
    expect(html).toContain('… (1,000 more characters)')
  })
})
