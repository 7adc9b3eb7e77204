/** The XML reader: what is well-formed, and what is refused. */

import { describe, expect, it } from 'vitest'
import { localName, readAttributes, readXml } from '#worker/xml/read.ts'

const read = (source: string, maxDepth = 8, allowDoctype = false) =>
  [...readXml(source, { maxDepth, maxTag: 100, allowDoctype })].map((token) =>
    token.type === 'text' ? token.text : `${token.type === 'open' ? '' : '/'}${token.name}`,
  )

describe('reading XML', () => {
  it.each([
    ['<a/>', ['a', '/a']],
    ['<?xml version="1.0"?>\n<a>one<b c="x>y"/>two</a>\n', ['a', 'one', 'b', '/b', 'two', '/a']],
    ['<a>&lt;&amp;&#65;&#x42;&quot;&apos;&gt;</a>', ['a', '<&AB"\'>', '/a']],
    ['<a><!-- <b> --><![CDATA[<c>&amp;]]></a >', ['a', '<c>&amp;', '/a']],
    ['\ufeff<d:a xmlns:d="x"></d:a>', ['d:a', '/d:a']],
  ])('reads %j', (source, tokens) => {
    expect(read(source)).toEqual(tokens)
  })

  it('reads attributes in both quotes', () => {
    const attributes = readAttributes(` a="1" x:b = '2 "&amp;"'`)
    expect([...attributes]).toEqual([
      ['a', '1'],
      ['x:b', '2 "&"'],
    ])
    expect(localName('x:b')).toBe('b')
    expect(() => readAttributes(' a="1" a="2"')).toThrow('an attribute is there twice')
    expect(() => readAttributes(' a="1"b="2"')).toThrow('an attribute is malformed')
    expect(() => readAttributes(' a="1" b="2"', 1)).toThrow('too many attributes')
  })

  it.each([
    ['<a>', '<a> is not closed'],
    ['<a></b>', '</b> closes nothing'],
    ['</a>', '</a> closes nothing'],
    ['<a/><b/>', 'there is a second root element'],
    ['text', 'there is text outside of the root element'],
    ['<a/>text', 'there is text outside of the root element'],
    ['', 'there is no element'],
    ['<a b="', 'a tag does not end'],
    ['<a <b>', 'a tag does not end'],
    ['< a/>', 'a name is missing'],
    ['<a>&nbsp;</a>', 'it has an entity that is not accepted'],
    ['<a>&amp</a>', 'it has an entity that is not accepted'],
    ['<a>&#0;</a>', 'it has an entity that is not accepted'],
    ['<a>&#xD800;</a>', 'it has an entity that is not accepted'],
    ['<a><!-- </a>', '"-->" is missing'],
    ['<a><!-- b -- c --></a>', 'there is -- in a comment'],
    ['<a>]]></a>', 'its text has ]]>'],
    ['<a>\u0001</a>', 'it has a character that XML has not'],
    [' <?xml version="1.0"?><a/>', 'its declaration is not at its beginning'],
    ['<!DOCTYPE a><a/>', 'a document type is not permitted'],
    ['<!ENTITY x "y"><a/>', 'a document type is not permitted'],
  ])('refuses %j: %s', (source, reason) => {
    expect(() => read(source)).toThrow(SyntaxError)
    expect(() => read(source)).toThrow(reason)
  })

  it('never takes declarations of a document type, which could expand without end', () => {
    expect(read('<!DOCTYPE html PUBLIC "x" "y"><a/>', 8, true)).toEqual(['a', '/a'])
    const bomb = '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "&b;&b;">]><a>&b;</a>'
    expect(() => read(bomb, 8, true)).toThrow('a document type is not permitted')
  })

  it('limits how deep elements are nested', () => {
    expect(read('<a><a><a/></a></a>', 3)).toHaveLength(6)
    expect(() => read('<a><a><a/></a></a>', 2)).toThrow('elements are nested too deeply')
  })

  it('limits how long a tag is', () => {
    expect(read(`<a b="${'x'.repeat(94)}"/>`)).toEqual(['a', '/a'])
    expect(() => read(`<a b="${'x'.repeat(95)}"/>`)).toThrow('a tag is too long')
  })

  it.each(['&#65;', '&#x1f600;', '😀', 'a&amp;', '&quot;bc'])(
    'reads a long text of %s in pieces, of which each is whole',
    (part) => {
      const [, one = '', ...rest] = read(`<a>${part}</a>`)
      expect(rest).toEqual(['/a'])
      const pieces = read(`<a>${part.repeat(50_000)}</a>`).slice(1, -1)
      expect(pieces.length).toBeGreaterThan(1)
      expect(pieces.join('')).toBe(one.repeat(50_000))
    },
  )

  it('takes linear time', () => {
    const long = 200_000
    const texts = [
      `<a ${'b '.repeat(long)}`,
      `<a>${'&amp;'.repeat(long)}</a>`,
      `<a ${'b="c" '.repeat(long)}/>`,
      `<a ${'"'.repeat(long)}`,
      '<!--'.repeat(long),
      '<a>'.repeat(long),
    ]
    const start = performance.now()
    for (const text of texts) {
      try {
        for (const token of readXml(text, { maxDepth: long + 1, maxTag: Infinity }))
          if (token.type === 'open') readAttributes(token.attributes)
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
      }
    }
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
