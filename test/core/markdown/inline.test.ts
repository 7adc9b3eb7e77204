/** The pieces of a text in Markdown, and that hostile text takes no longer than any other. */

import { describe, expect, it } from 'vitest'
import { parseMarkdown } from '#core/markdown/blocks.ts'
import { parseInline } from '#core/markdown/inline.ts'
import type { Inline } from '#core/markdown/tree.ts'
import { expectWithin } from '../../support/core/expect-within.ts'

/** Pieces as short text. */
function write(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      switch (piece.type) {
        case 'text':
          return piece.text
        case 'code':
          return `{code ${piece.text}}`
        case 'break':
          return '{br}'
        case 'image':
          return `{img ${piece.address}|${piece.text}}`
        case 'link':
          return `{a ${piece.address}|${write(piece.children)}}`
        case 'strong':
        case 'em':
        case 'del':
          return `{${piece.type} ${write(piece.children)}}`
      }
    })
    .join('')
}

const shown = (text: string) => write(parseInline(text, new Map([['ref', '/r']])))

describe('pieces', () => {
  it.each([
    ['a *b* **c** ***d***', 'a {em b} {strong c} {em {strong d}}'],
    ['**a *b* c** *a **b** c*', '{strong a {em b} c} {em a {strong b} c}'],
    ['_a_ __b__ c_d_e 2*3*4', '{em a} {strong b} c_d_e 2{em 3}4'],
    ['a * b * c **', 'a * b * c **'],
    ['~~a~~ ~b~ ~~~c~~~', '{del a} ~b~ ~~~c~~~'],
    ['`a*b*` `` a`b `` `x', '{code a*b*} {code a`b} `x'],
    ['\\*a\\* \\a \\\nb', '*a* \\a {br}b'],
    ['a  \nb\nc', 'a{br}b\nc'],
    ['[a](b) [*c*](<d e> "t") [x](', '{a b|a} {a d e|{em c}} [x]('],
    ['[a](b(c)d) [a](b c)', '{a b(c)d|a} [a](b c)'],
    ['![a *b*](c) [![i](j)](k)', '{img c|a b} {a k|{img j|i}}'],
    ['[ref] [a][REF] [a][] [none]', '{a /r|ref} {a /r|a} [a][] [none]'],
    ['[a [b](c)](d)', '[a {a c|b}](d)'],
    [
      '<https://a.b/c> <b> http://a.b/c). x',
      '{a https://a.b/c|https://a.b/c} <b> {a http://a.b/c|http://a.b/c}). x',
    ],
    ['&amp; &#65; &#x42; &nope; &copy', '& A B &nope; &copy'],
    ['&#0; &#xD800; &#x110000;', '&#0; &#xD800; &#x110000;'],
    ['a<br>b<br/>', 'a{br}b{br}'],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })
})

describe('hostile text', () => {
  const BOMBS = [
    ...['*a ', '*a* ', '[', '[](', '![', '` `` ', '> ', '- ', '*a _b_', 'a_ *b', '<a ', '[a](b) '],
    ...['[a][b] ', '|', 'http://.....', '](a(b)', '&#', '**a *b ', '|a|\n|-|\n', '  - a\n', '\\'],
    ...['> - ', '[a]: b\n', '~~a ', '![[', '``` ', '1. ', '***', '_*~`['],
  ]
  it.each(BOMBS)('%j takes linear time', async (piece) => {
    const text = piece.repeat(400_000 / piece.length)
    // It takes about a tenth; quadratic time would take minutes.
    await expectWithin(2_000, () => parseMarkdown(text))
  })

  it.each([
    ['emphasis', '*a **b '.repeat(10_000) + '** *'.repeat(10_000)],
    ['quotes', '> '.repeat(10_000)],
    ['lists', Array.from({ length: 300 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n')],
    ['brackets', '['.repeat(50_000) + ']'.repeat(50_000)],
  ])('that nests %s makes no deep tree', (_, text) => {
    expect(depthOf(parseMarkdown(text))).toBeLessThan(40)
  })
})

function depthOf(value: unknown): number {
  if (Array.isArray(value)) return Math.max(0, ...value.map(depthOf))
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
