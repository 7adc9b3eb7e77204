/** The XML of WebDAV: what is read, what is refused, and that what is written reads the same. */

import {
  MAX_XML_ATTRIBUTES,
  MAX_XML_BYTES,
  MAX_XML_DEPTH,
  MAX_XML_ELEMENTS,
} from '#worker/dav/limits.ts'
import { XML_LIMITS } from '#worker/dav/body.ts'
import { parseXml, type XmlElement } from '#worker/xml/parse.ts'
import { escapeXml, writeElement } from '#worker/xml/text.ts'
import { describe, expect, it } from 'vitest'
import { davWith } from '../../support/worker/dav.ts'

function read(text: string): XmlElement {
  const root = parseXml(text, XML_LIMITS)
  if (!root.ok) throw new Error(root.error)
  return root.value
}

const faultOf = (text: string) => {
  const root = parseXml(text, XML_LIMITS)
  return root.ok ? null : root.error
}

describe('a document', () => {
  it('has its names in their namespaces', () => {
    const root = read('<D:a xmlns:D="DAV:" xmlns="urn:x"><b c="1" D:e="2"/><f xmlns=""/></D:a>')
    expect(root).toMatchObject({ namespace: 'DAV:', local: 'a' })
    expect(root.children).toMatchObject([
      {
        namespace: 'urn:x',
        local: 'b',
        attributes: [
          { namespace: '', local: 'c', value: '1' },
          { namespace: 'DAV:', local: 'e', value: '2' },
        ],
      },
      { namespace: '', local: 'f' },
    ])
  })

  it('has the characters that its references name', () => {
    const { children } = read('<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;<![CDATA[<&]]></a>')
    expect(children).toEqual(['<&>"\'A😀<&'])
  })

  it('may have a declaration, comments and instructions', () => {
    const text = '\n<?xml version="1.0"?>'.trim()
    expect(faultOf(`${text}<!-- x --><?y z?><a><!-- b --></a>\n`)).toBeNull()
  })

  it('passes the language on', () => {
    const root = read('<a xml:lang="de"><b><c xml:lang="fr"/></b></a>')
    const [b] = root.children
    expect(b).toMatchObject({ lang: 'de', children: [{ lang: 'fr' }] })
  })
})

describe('is refused', () => {
  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an entity that is not one of the five', '<a>&nbsp;</a>'],
    ['an external entity', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
    ['a name of an object as an entity', '<a>&toString;</a>'],
    ['a lone &', '<a>a & b</a>'],
    ['a reference to no character', '<a>&#0;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['a reference to half of a pair', '<a>&#xD800;</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['an open element', '<a><b></b>'],
    ['a wrong end', '<a><b></a></b>'],
    ['two roots', '<a/><b/>'],
    ['text beside the root', '<a/>x'],
    ['nothing', ' '],
    ['an undeclared prefix', '<D:a/>'],
    ['an attribute with an undeclared prefix', '<a D:b="1"/>'],
    ['a prefix for no namespace', '<bar:foo xmlns:bar=""/>'],
    ['a redeclared xml', '<a xmlns:xml="urn:x"/>'],
    ['a declared xmlns', '<a xmlns:xmlns="urn:x"/>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['a name with two colons', '<a:b:c xmlns:a="urn:x"/>'],
    ['a number as a name', '<1/>'],
    ['another encoding', '<?xml version="1.0" encoding="utf-16"?><a/>'],
    ['< in a value', '<a b="<"/>'],
    ['attributes without a space between them', '<a b="1"c="2"/>'],
    [']]> in a text', '<a>]]></a>'],
    ['-- in a comment', '<a><!-- b -- c --></a>'],
    ['a declaration that is not at the beginning', ' <?xml version="1.0"?><a/>'],
  ])('%s', (_, text) => {
    expect(faultOf(text)).not.toBeNull()
  })
})

describe('a limit', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  const many = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`
  const attributes = (count: number) =>
    `<a ${Array.from({ length: count }, (_, at) => `b${at}="1"`).join(' ')}/>`

  it.each([
    ['depth', nested, MAX_XML_DEPTH],
    ['elements', many, MAX_XML_ELEMENTS],
    ['attributes', attributes, MAX_XML_ATTRIBUTES],
  ] as const)('of %s holds at its edge', (_, make, most) => {
    expect(faultOf(make(most))).toBeNull()
    expect(faultOf(make(most + 1))).not.toBeNull()
  })

  it('of bytes holds at its edge', async () => {
    const { dav } = await davWith({})
    const body = (bytes: number) => {
      const [start, end] = ['<propfind xmlns="DAV:"><allprop/>', '</propfind>']
      return start + ' '.repeat(bytes - start.length - end.length) + end
    }
    expect((await dav.propfind('/', '0', body(MAX_XML_BYTES))).status).toBe(207)
    expect((await dav.propfind('/', '0', body(MAX_XML_BYTES + 1))).code).toBe('FILE_TOO_LARGE')
  })

  it('keeps hostile documents from taking long', () => {
    const size = MAX_XML_BYTES
    for (const text of [
      `<a ${' '.repeat(size)}`,
      `<a b="${'x'.repeat(size)}`,
      `<a>${'&'.repeat(size)}</a>`,
      `<a>${'&#'.repeat(size)}</a>`,
      '<'.repeat(size),
      '<a '.repeat(size),
      `<?xml ${'encoding '.repeat(size / 10)}`,
      `<${'a'.repeat(size)}/>`,
      '<!--'.repeat(size),
    ]) {
      const began = performance.now()
      expect(faultOf(text)).not.toBeNull()
      expect(performance.now() - began).toBeLessThan(10_000)
    }
  })
})

describe('what is written', () => {
  it.each([
    '<a xmlns="urn:x" b="1">text<c xmlns="">&amp;</c></a>',
    '<p:a xmlns:p="urn:x" xmlns:q="urn:q" q:b="&quot;&#10;"><p:c/><d/></p:a>',
    '<a xml:lang="de">x<b xml:lang="fr"/></a>',
    '<a> <![CDATA[<b>]]>&#13;</a>',
  ])('reads the same: %s', (text) => {
    const root = read(text)
    expect(read(writeElement(root))).toEqual(root)
    // It can be put into any other element.
    const outer = read(`<x xmlns="urn:other">${writeElement(root)}</x>`)
    expect(outer.children).toEqual([root])
  })

  it('has no character that XML has not', () => {
    expect(escapeXml('a\u0000\u0008\ud800<&>"b')).toBe('a\ufffd&lt;&amp;&gt;&quot;b')
  })
})

describe('a body', () => {
  it('that is no XML, no UTF-8 or of another method is refused', async () => {
    const { dav } = await davWith({})
    for (const body of [
      '<a',
      '{}',
      '<a/>',
      '<propfind xmlns="urn:x"/>',
      '<propfind xmlns="DAV:"/>',
    ])
      expect((await dav.propfind('/', '0', body)).code, body).toBe('INVALID_XML')
    const bytes = new Uint8Array([0x3c, 0xff])
    const sent = { headers: { depth: '0' }, body: bytes }
    expect((await dav.send('PROPFIND', '/', sent)).code).toBe('INVALID_XML')
    for (const text of [
      '',
      '<propfind xmlns="DAV:"><prop/></propfind>',
      '<propertyupdate xmlns="DAV:"/>',
    ])
      expect((await dav.send('PROPPATCH', '/', { body: text })).code, text).toBe('INVALID_XML')
  })
})
