/** Syntax highlighting: the tokens, that no character is lost, and linear time. @module */

import { findLanguage } from '#core/highlight/languages.ts'
import { createTokenizer, type Token } from '#core/highlight/tokens.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { expectWithin } from '../support/core/expect-within.ts'

const NAMES = [
  'a.ts',
  'a.py',
  'a.sh',
  'a.json',
  'a.yaml',
  'a.toml',
  'a.html',
  'a.css',
  'a.md',
  'a.rs',
  'a.go',
  'a.sql',
  'a.diff',
  'a.c',
]

function colour(name: string, text: string): Token[] {
  const language = findLanguage(name)
  if (!language) throw new Error(`There is no language for ${name}`)
  const tokenize = createTokenizer(language)
  let state = 0
  return text.split('\n').flatMap((line) => {
    const { tokens, state: next } = tokenize(line, state)
    state = next
    return [...tokens, ['\n', null] as const]
  })
}

const withColour = (name: string, text: string) =>
  colour(name, text).flatMap(([piece, kind]) => (kind ? [`${kind}:${piece}`] : []))

describe('colours', () => {
  it.each([
    ['a.ts', 'const x = "a\\"b" // c', ['keyword:const', 'string:"a\\"b"', 'comment:// c']],
    ['a.ts', 'a /* b\nc */ d 0x1f', ['comment:/* b', 'comment:c */', 'number:0x1f']],
    ['a.ts', 'f(`a ${b}\nc\\` d` + 1', ['string:`a ${b}', 'string:c\\` d`', 'number:1']],
    ['a.ts', 'x = /"[/"]+/g; y = "z"', ['string:/"[/"]+/g', 'string:"z"']],
    ['a.ts', 'a / b / "c"', ['string:"c"']],
    [
      'a.py',
      'def f(): # x\n  """a\nb""" None',
      ['keyword:def', 'comment:# x', 'string:"""a', 'string:b"""', 'keyword:None'],
    ],
    ['a.sh', 'echo "$x" $HOME # y', ['keyword:echo', 'string:"$x"', 'name:$HOME', 'comment:# y']],
    ['a.sh', 'a#b', []],
    [
      'a.json',
      '{"a": "b", "c": 1.5e3, "d": true}',
      ['name:"a"', 'string:"b"', 'name:"c"', 'number:1.5e3', 'name:"d"', 'keyword:true'],
    ],
    [
      'a.yaml',
      'a: b # c\n- d e: "f"\n  url: http://x',
      ['name:a', 'comment:# c', 'name:d e', 'string:"f"', 'name:url'],
    ],
    ['a.toml', '[a.b]\nc = 1 # d', ['title:[a.b]', 'name:c ', 'number:1', 'comment:# d']],
    ['a.ini', '; a\nb=c', ['comment:; a', 'name:b']],
    [
      'a.html',
      '<a href="b">don\'t &amp; <!-- c\nd --></a>',
      [
        'keyword:<a',
        'name:href',
        'string:"b"',
        'keyword:>',
        'number:&amp;',
        'comment:<!-- c',
        'comment:d -->',
        'keyword:</a>',
      ],
    ],
    [
      'a.css',
      '.a { color: #fff; --b: 1px } /* c */',
      ['title:.a', 'name:color', 'number:#fff', 'name:--b', 'number:1px', 'comment:/* c */'],
    ],
    [
      'a.md',
      '# A\n`b` **c** [d](e)\n```js\nx\n```\ny',
      [
        'title:# A',
        'string:`b`',
        'keyword:**c**',
        'name:[d](e)',
        'string:```js',
        'string:x',
        'string:```',
      ],
    ],
    [
      'a.rs',
      "fn f<'a>(x: char) { 'x' } // y",
      ['keyword:fn', "name:'a", 'keyword:char', "string:'x'", 'comment:// y'],
    ],
    ['a.go', 'var x = `a\nb` + "c"', ['keyword:var', 'string:`a', 'string:b`', 'string:"c"']],
    ['a.sql', "SELECT 'it''s' -- x", ['keyword:SELECT', "string:'it''s'", 'comment:-- x']],
    [
      'a.diff',
      '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y',
      ['title:--- a', 'title:+++ b', 'name:@@ -1 +1 @@', 'delete:-x', 'insert:+y'],
    ],
    [
      'a.java',
      'public class A { int x = 1; }',
      ['keyword:public', 'keyword:class', 'keyword:int', 'number:1'],
    ],
  ])('%s %j', (name, text, expected) => {
    expect(withColour(name, text)).toEqual(expected)
  })

  it('knows a language by its ending alone', () => {
    expect(findLanguage('a.TSX')?.name).toBe('TypeScript')
    expect(findLanguage('a.mjs')?.name).toBe('JavaScript')
    expect(findLanguage('Dockerfile')?.name).toBe('Shell')
    expect(findLanguage('a.unknown')).toBeNull()
    expect(findLanguage('noending')).toBeNull()
  })

  it.each(NAMES)('%s loses nothing', (name) => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from('ab1 "\'`/*#<>!-=[](){}\\\n:;$&.@_~+é😀')),
    })
    fc.assert(
      fc.property(text, (source) => {
        const back = colour(name, source).map(([piece]) => piece)
        expect(back.join('').slice(0, -1)).toBe(source)
      }),
      { numRuns: 200 },
    )
  })

  const NASTY = [
    '"',
    "'",
    '`',
    '/*',
    '[',
    '=/[',
    '\\"',
    '- ',
    'a-',
    '**a',
    '[a](',
    ' ',
    '#',
    '<a ',
    '"""',
    '&a',
    '$.{',
    'a: ',
    "'a",
    '=/a',
  ]

  it.each(NAMES)('%s takes linear time, whatever it is given', async (name) => {
    for (const piece of NASTY) {
      const line = piece.repeat(30_000)
      await expectWithin(150, () => colour(name, `${line}\n${line}`), piece)
    }
  })
})
