/**
 * XML of untrusted files and requests: reads a text as tokens, in one pass and in linear time.
 *
 * It has no DTD, so no entities but the five of XML and numbers, and nothing is ever fetched or expanded. Nesting is
 * limited. What is not well-formed throws a `SyntaxError` with the place. Names keep their prefixes; {@link localName} takes
 * one off. `test/worker/xml/read.test.ts` tests it.
 *
 * @module
 */

/** A token. An empty element is an `open` token and a `close` token. */
export type XmlToken =
  | { readonly type: 'open'; readonly name: string; readonly attributes: string }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string }

/** How a document is read. */
export interface XmlOptions {
  /** Maximum number of elements inside each other. */
  readonly maxDepth: number
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
    if (end > reader.at) {
      const text = readText(reader, end)
      if (text !== '') yield { type: 'text', text }
    }
    reader.at = end
    if (tag !== -1) yield* readMarkup(reader)
  }
  if (reader.open.length > 0) throw fault(reader, `<${reader.open.at(-1)}> is not closed`)
  if (!reader.hasRoot) throw fault(reader, 'there is no element')
}

function readText(reader: Reader, end: number): string {
  const text = decodeEntities(reader, reader.source.slice(reader.at, end))
  if (reader.open.length > 0) return text
  if (text.trim() !== '') throw fault(reader, 'there is text outside of the root element')
  return ''
}

function* readMarkup(reader: Reader): Generator<XmlToken> {
  const { source, at } = reader
  if (source.startsWith('<!--', at)) skipPast(reader, '-->', 4)
  else if (source.startsWith('<![CDATA[', at)) yield readCdata(reader)
  else if (source.startsWith('<?', at)) skipPast(reader, '?>', 2)
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
  if (reader.open.pop() !== name) throw fault(reader, `</${name}> closes nothing`)
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
    if (char === '>') return at
    if (char === '<') break
    if (char !== '"' && char !== "'") continue
    at = source.indexOf(char, at + 1)
    if (at === -1) break
  }
  throw fault(reader, 'a tag does not end')
}

const ATTRIBUTE = /\s*([^\s/>=<"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y

/** Reads the attributes of an `open` token by their names, with their prefixes. A name counts once, the first time. */
export function readAttributes(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  ATTRIBUTE.lastIndex = 0
  for (;;) {
    const at = ATTRIBUTE.lastIndex
    const match = ATTRIBUTE.exec(text)
    if (!match) {
      if (text.slice(at).trim() !== '') throw new SyntaxError('Cannot read XML: a bad attribute')
      return found
    }
    const [, name = '', double, single] = match
    if (!found.has(name)) found.set(name, decodeEntities(null, double ?? single ?? ''))
  }
}

/** Returns a name without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const ENTITY = /&([^;&\s]{1,10});?|&/g

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function decodeEntities(reader: Reader | null, text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(ENTITY, (whole, name: string | undefined) => {
    const char = whole.endsWith(';') && name !== undefined ? charOf(name) : undefined
    if (char === undefined) throw fault(reader, `"${whole}" is not known`)
    return char
  })
}

function charOf(name: string): string | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name]
  const digits = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name)
  if (!digits) return undefined
  const point = digits[1] ? Number.parseInt(digits[1], 16) : Number(digits[2])
  const isChar =
    point === 9 ||
    point === 10 ||
    point === 13 ||
    (point >= 32 && (point < 0xd800 || point > 0xdfff))
  return isChar && point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}

const fault = (reader: Reader | null, reason: string): SyntaxError =>
  new SyntaxError(`Cannot read XML${reader ? ` at ${reader.at}` : ''}: ${reason}`)
