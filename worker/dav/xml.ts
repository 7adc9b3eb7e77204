/**
 * A parser of the XML that WebDAV needs: elements with namespaces, text, CDATA, comments and processing instructions.
 *
 * A document type is refused, and with it every entity other than the five of XML, so nothing can expand. Bytes, depth,
 * elements and attributes are bounded, and the parser reads each character once. `test/worker/dav/xml.test.ts` has the
 * cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { MAX_XML_ATTRIBUTES, MAX_XML_DEPTH, MAX_XML_ELEMENTS, MAX_XML_INHERITED } from './limits.ts'
import { isName, readReferences, XML } from './xml-text.ts'

/** A name in a namespace, which is empty for none. */
export interface XmlName {
  readonly namespace: string
  readonly local: string
}

/** An attribute. */
export interface XmlAttribute extends XmlName {
  readonly value: string
}

/** An element, or the text between two of them. */
export type XmlNode = XmlElement | string

/** An element. */
export interface XmlElement extends XmlName {
  readonly attributes: readonly XmlAttribute[]
  /** The language in which it is, by its own `xml:lang` or one above it; null without one. */
  readonly lang: string | null
  readonly children: readonly XmlNode[]
}

const XMLNS = 'http://www.w3.org/2000/xmlns/'

/** Why a text is not read. It never leaves this module. */
class BadXml extends Error {}

/** The namespaces of the prefixes that are in force; the one of no prefix has the key ''. */
type Scope = ReadonlyMap<string, string>

/** An element whose end was not read yet. */
interface Open extends XmlName {
  readonly tag: string
  readonly scope: Scope
  readonly attributes: readonly XmlAttribute[]
  readonly lang: string | null
  readonly children: XmlNode[]
}

/** The part of a document that was read. */
interface Reader {
  readonly text: string
  at: number
  elements: number
  readonly open: Open[]
  root: XmlElement | null
}

/** Parses a document. The error is a clause that says what is wrong with it. */
export function parseXml(text: string): Result<XmlElement, string> {
  const reader: Reader = { text, at: 0, elements: 0, open: [], root: null }
  try {
    while (reader.at < text.length) readNext(reader)
    if (!reader.root || reader.open.length > 0) throw new BadXml('it ends early')
    return ok(reader.root)
  } catch (error) {
    if (error instanceof BadXml) return err(error.message)
    throw error
  }
}

function readNext(reader: Reader): void {
  const { text, at } = reader
  if (text[at] !== '<') return readText(reader)
  if (text.startsWith('<!--', at)) return skipComment(reader)
  if (text.startsWith('<![CDATA[', at)) return readCdata(reader)
  if (text.startsWith('<?', at)) return skipInstruction(reader)
  if (text.startsWith('<!', at)) throw new BadXml('it has a document type, which is not accepted')
  if (text[at + 1] === '/') return readEnd(reader)
  readStart(reader)
}

function readText(reader: Reader): void {
  const end = reader.text.indexOf('<', reader.at)
  const raw = reader.text.slice(reader.at, end === -1 ? undefined : end)
  reader.at += raw.length
  if (raw.includes(']]>')) throw new BadXml('its text has ]]>')
  addText(reader, decode(raw))
}

function decode(raw: string): string {
  const text = readReferences(raw)
  if (!text.ok) throw new BadXml(text.error)
  return text.value
}

function addText({ open }: Reader, text: string): void {
  const children = open.at(-1)?.children
  const last = children?.at(-1)
  if (typeof last === 'string') children?.splice(-1, 1, last + text)
  else if (children && text !== '') children.push(text)
  else if (!children && /[^ \t\r\n]/.test(text)) throw new BadXml('it has text outside of its root')
}

/** Moves behind a mark, and returns what was before it. */
function readUntil(reader: Reader, from: number, mark: string): string {
  const end = reader.text.indexOf(mark, from)
  if (end === -1) throw new BadXml('it ends early')
  reader.at = end + mark.length
  return reader.text.slice(from, end)
}

function skipComment(reader: Reader): void {
  if (readUntil(reader, reader.at + 4, '-->').includes('--'))
    throw new BadXml('it has -- in a comment')
}

function skipInstruction(reader: Reader): void {
  const isFirst = reader.at === 0
  const text = readUntil(reader, reader.at + 2, '?>')
  if (/^xml\b/i.test(text) && !isFirst) throw new BadXml('its declaration is not at its beginning')
  const [, encoding] = /^xml\b[^>]*\bencoding\s*=\s*["']([^"']*)/.exec(text) ?? []
  if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding))
    throw new BadXml('its encoding is not UTF-8')
}

function readCdata(reader: Reader): void {
  const text = readUntil(reader, reader.at + 9, ']]>')
  if (reader.open.length === 0) throw new BadXml('it has text outside of its root')
  addText(reader, text)
}

function readEnd(reader: Reader): void {
  const tag = readUntil(reader, reader.at + 2, '>').trimEnd()
  const ended = reader.open.pop()
  if (ended?.tag !== tag) throw new BadXml('an end tag does not match its element')
  addElement(reader, ended)
}

function addElement(reader: Reader, { namespace, local, attributes, lang, children }: Open): void {
  const element: XmlElement = { namespace, local, attributes, lang, children }
  const parent = reader.open.at(-1)
  if (parent) parent.children.push(element)
  else if (reader.root) throw new BadXml('it has more than one root')
  else reader.root = element
}

/** The name of an element, and where its attributes begin. */
const TAG = /<([^\s/>]+)/y

/** An attribute with its value, or the end of a tag. */
const PART = /\s+([^\s=/>]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')|\s*(\/?>)/y

function readStart(reader: Reader): void {
  const { text, open } = reader
  if (open.length >= MAX_XML_DEPTH) throw new BadXml('it is nested too deep')
  if (++reader.elements > MAX_XML_ELEMENTS) throw new BadXml('it has too many elements')
  TAG.lastIndex = reader.at
  const [whole = '', tag = ''] = TAG.exec(text) ?? []
  reader.at += whole.length
  if (whole === '') throw new BadXml('a tag is malformed')
  const { pairs, isEmpty } = readAttributes(reader)
  const element = resolve(tag, pairs, open.at(-1))
  if (isEmpty) addElement(reader, element)
  else open.push(element)
}

/** Attributes as they are written, by their prefixed names. */
type Pairs = ReadonlyMap<string, string>

function readAttributes(reader: Reader): { readonly pairs: Pairs; readonly isEmpty: boolean } {
  const pairs = new Map<string, string>()
  for (;;) {
    PART.lastIndex = reader.at
    const part = PART.exec(reader.text)
    if (!part) throw new BadXml('a tag is malformed')
    reader.at += part[0].length
    const [, name = '', double, single, end] = part
    if (end !== undefined) return { pairs, isEmpty: end === '/>' }
    if (pairs.has(name)) throw new BadXml('an attribute is there twice')
    if (pairs.size >= MAX_XML_ATTRIBUTES) throw new BadXml('an element has too many attributes')
    pairs.set(name, decode((double ?? single ?? '').replace(/[\t\r\n]/g, ' ')))
  }
}

/** Resolves the prefixes of an element and its attributes. */
function resolve(tag: string, pairs: Pairs, parent: Open | undefined): Open {
  const scope = scopeWith(pairs, parent?.scope ?? NO_SCOPE)
  const attributes = Array.from(pairs)
    .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .map(([name, value]) => ({ ...nameOf(name, scope, ''), value }))
  const own = attributes.find(({ namespace, local }) => namespace === XML && local === 'lang')
  const lang = own ? bounded(own.value) : (parent?.lang ?? null)
  const name = nameOf(tag, scope, scope.get('') ?? '')
  return { ...name, tag, scope, attributes, lang, children: [] }
}

/** Refuses a long text that many elements have, because it is written for each of them. */
function bounded(text: string): string {
  if (text.length > MAX_XML_INHERITED) throw new BadXml('a namespace or a language is too long')
  return text
}

const NO_SCOPE: Scope = new Map([['xml', XML]])

function scopeWith(pairs: Pairs, above: Scope): Scope {
  const declared = Array.from(pairs).filter(([name]) => /^xmlns(?::|$)/.test(name))
  if (declared.length === 0) return above
  const scope = new Map(above)
  for (const [name, namespace] of declared) {
    const prefix = name.slice('xmlns:'.length)
    const isBad = prefix !== '' && (namespace === '' || !isName(prefix) || prefix === 'xmlns')
    if (isBad || namespace === XMLNS || (prefix === 'xml') !== (namespace === XML))
      throw new BadXml('it declares a namespace that cannot be')
    scope.set(prefix, bounded(namespace))
  }
  return scope
}

function nameOf(text: string, scope: Scope, unprefixed: string): XmlName {
  const colon = text.indexOf(':')
  const prefix = colon === -1 ? '' : text.slice(0, colon)
  const local = text.slice(colon + 1)
  if (!isName(local) || (colon !== -1 && !isName(prefix))) throw new BadXml('a name is malformed')
  if (colon === -1) return { namespace: unprefixed, local }
  const namespace = scope.get(prefix)
  if (namespace === undefined) throw new BadXml(`its prefix ${prefix.slice(0, 50)} is not declared`)
  return { namespace, local }
}
