/** The XML reader: what is well-formed, and what is refused. */

import { describe, expect, it } from 'vitest'
import { localName, readAttributes, readXml } from '#worker/xml/read.ts'

const read = (source: string, maxDepth = 8, allowDoctype = false) =>
  [...readXml(source, { maxDepth, allowDoctype })].map((token) =>
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
    const attributes = readAttributes(` a="1" x:b='2 "&amp;"' a = "3"`)
    expect([...attributes]).toEqual([
      ['a', '1'],
      ['x:b', '2 "&"'],
    ])
    expect(localName('x:b')).toBe('b')
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
    ['<a>&nbsp;</a>', '"&nbsp;" is not known'],
    ['<a>&amp</a>', '"&amp" is not known'],
    ['<a>&#0;</a>', '"&#0;" is not known'],
    ['<a>&#xD800;</a>', '"&#xD800;" is not known'],
    ['<a><!-- </a>', '"-->" is missing'],
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
        for (const token of readXml(text, { maxDepth: long + 1 }))
          if (token.type === 'open') readAttributes(token.attributes)
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
      }
    }
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
