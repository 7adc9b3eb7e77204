/**
 * XML of untrusted files and requests: reads a text as tokens, in one pass and in linear time.
 *
 * It has no DTD, so no entities but the five of XML and numbers, and nothing is ever fetched or expanded. Nesting is
 * limited. What is not well-formed throws an {@link XmlFault} with the place. Names keep their prefixes; {@link localName}
 * takes one off. `test/worker/xml/read.test.ts` tests it.
 *
 * @module
 */

import { piecesOf } from './pieces.ts'
import { readReferences } from './text.ts'

/** Why a document is not read. The reason is a clause. */
export class XmlFault extends SyntaxError {
  readonly reason: string

  constructor(reason: string, at?: number) {
    super(`Cannot read XML${at === undefined ? '' : ` at ${at}`}: ${reason}`)
    this.reason = reason
  }
}

/** A token. An empty element is an `open` token and a `close` token; a long text is several. */
export type XmlToken =
  | { readonly type: 'open'; readonly name: string; readonly attributes: string }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string }

/** How a document is read. */
export interface XmlOptions {
  /** Maximum number of elements inside each other. */
  readonly maxDepth: number
  /** Maximum length of a tag, whose attributes are read at once. */
  readonly maxTag: number
  /** Whether a document type without declarations of its own is passed over. Otherwise none is permitted. */
  readonly allowDoctype?: boolean
}

interface Reader extends XmlOptions {
  readonly source: string
  readonly open: string[]
  at: number
  hasRoot: boolean
}

/** Reads the tokens of a document. */
export function* readXml(source: string, options: XmlOptions): Generator<XmlToken> {
  const reader: Reader = { ...options, source, open: [], at: 0, hasRoot: false }
  if (source.startsWith('\ufeff')) reader.at = 1
  while (reader.at < source.length) {
    const tag = source.indexOf('<', reader.at)
    const end = tag === -1 ? source.length : tag
    if (end > reader.at) yield* readText(reader, end)
    reader.at = end
    if (tag !== -1) yield* readMarkup(reader)
  }
  if (reader.open.length > 0) throw fault(reader, `<${clip(reader.open.at(-1))}> is not closed`)
  if (!reader.hasRoot) throw fault(reader, 'there is no element')
}

function* readText(reader: Reader, end: number): Generator<XmlToken> {
  const raw = reader.source.slice(reader.at, end)
  if (raw.includes(']]>')) throw fault(reader, 'its text has ]]>')
  for (const piece of piecesOf(raw)) {
    const text = decode(piece, reader)
    if (reader.open.length > 0) yield { type: 'text', text }
    else if (/[^ \t\r\n]/.test(text))
      throw fault(reader, 'there is text outside of the root element')
  }
}

function* readMarkup(reader: Reader): Generator<XmlToken> {
  const { source, at } = reader
  if (source.startsWith('<!--', at)) skipComment(reader)
  else if (source.startsWith('<![CDATA[', at)) yield readCdata(reader)
  else if (source.startsWith('<?', at)) skipInstruction(reader)
  else if (source.startsWith('<!', at)) skipDoctype(reader)
  else if (source[at + 1] === '/') yield readClose(reader)
  else yield* readOpen(reader)
}

function skipPast(reader: Reader, end: string, from: number): string {
  const found = reader.source.indexOf(end, reader.at + from)
  if (found === -1) throw fault(reader, `"${end}" is missing`)
  const inside = reader.source.slice(reader.at + from, found)
  reader.at = found + end.length
  return inside
}

function skipComment(reader: Reader): void {
  if (skipPast(reader, '-->', 4).includes('--')) throw fault(reader, 'there is -- in a comment')
}

function skipInstruction(reader: Reader): void {
  const { at, source } = reader
  const isFirst = at === 0 || (at === 1 && source.startsWith('\ufeff'))
  if (/^xml\b/i.test(skipPast(reader, '?>', 2)) && !isFirst)
    throw fault(reader, 'its declaration is not at its beginning')
}

function readCdata(reader: Reader): XmlToken {
  if (reader.open.length === 0) throw fault(reader, 'there is text outside of the root element')
  return { type: 'text', text: skipPast(reader, ']]>', 9) }
}

function skipDoctype(reader: Reader): void {
  const start = reader.at
  const inside = skipPast(reader, '>', 2)
  if (!reader.allowDoctype || !inside.startsWith('DOCTYPE') || inside.includes('[')) {
    reader.at = start
    throw fault(reader, 'a document type is not permitted')
  }
}

function readClose(reader: Reader): XmlToken {
  const name = skipPast(reader, '>', 2).trimEnd()
  if (reader.open.pop() !== name) throw fault(reader, `</${clip(name)}> closes nothing`)
  return { type: 'close', name }
}

const NAME = /[^\s/>=<"'&]+/y

function* readOpen(reader: Reader): Generator<XmlToken> {
  const { source, at, open } = reader
  NAME.lastIndex = at + 1
  const name = NAME.exec(source)?.[0]
  if (name === undefined) throw fault(reader, 'a name is missing')
  if (open.length === 0 && reader.hasRoot) throw fault(reader, 'there is a second root element')
  if (open.length >= reader.maxDepth) throw fault(reader, 'elements are nested too deeply')
  const from = at + 1 + name.length
  const end = endOfTag(reader, from)
  const isEmpty = source[end - 1] === '/'
  reader.at = end + 1
  reader.hasRoot = true
  yield { type: 'open', name, attributes: source.slice(from, isEmpty ? end - 1 : end) }
  if (isEmpty) yield { type: 'close', name }
  else open.push(name)
}

/** Finds the `>` of a tag, outside of the values of attributes. */
function endOfTag(reader: Reader, from: number): number {
  const { source } = reader
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (at - from > reader.maxTag) throw fault(reader, 'a tag is too long')
    if (char === '>') return at
    if (char === '<') break
    if (char !== '"' && char !== "'") continue
    at = source.indexOf(char, at + 1)
    if (at === -1) break
  }
  throw fault(reader, 'a tag does not end')
}

const ATTRIBUTE = /\s+([^\s/>=<"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y

/** Reads the attributes of an `open` token by their names, with their prefixes. */
export function readAttributes(text: string, most = Infinity): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  ATTRIBUTE.lastIndex = 0
  for (;;) {
    const at = ATTRIBUTE.lastIndex
    const match = ATTRIBUTE.exec(text)
    if (!match) {
      if (text.slice(at).trim() !== '') throw new XmlFault('an attribute is malformed')
      return found
    }
    const [, name = '', double, single] = match
    if (found.has(name)) throw new XmlFault('an attribute is there twice')
    if (found.size >= most) throw new XmlFault('an element has too many attributes')
    found.set(name, decode((double ?? single ?? '').replace(/[\t\r\n]/g, ' ')))
  }
}

/** Returns a name without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function decode(raw: string, reader?: Reader): string {
  const text = readReferences(raw)
  if (!text.ok) throw new XmlFault(text.error, reader?.at)
  return text.value
}

/** Names are of others, and go into messages. */
const clip = (name = '') => name.slice(0, 50)

const fault = (reader: Reader, reason: string) => new XmlFault(reason, reader.at)
