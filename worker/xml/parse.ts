/**
 * Untrusted XML as a tree: elements with namespaces, and the text between them.
 *
 * The tokens come from `read.ts`, so nothing can expand. Depth, elements and attributes are bounded, and the encoding is
 * UTF-8. `test/worker/dav/xml.test.ts` has the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { readAttributes, readXml, XmlFault, type XmlToken } from './read.ts'
import { isName, XML } from './text.ts'

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

/** How much a document may have. */
export interface XmlLimits {
  readonly maxDepth: number
  readonly maxTag: number
  readonly maxElements: number
  /** Maximum number of attributes of one element, declarations of namespaces included. */
  readonly maxAttributes: number
  /** Maximum length of a namespace or a language, which elements have of the ones around them, in UTF-16 code units. */
  readonly maxInherited: number
}

/** The namespaces of the prefixes that are in force; the one of no prefix has the key ''. */
type Scope = ReadonlyMap<string, string>

/** An element whose end was not read yet. */
interface Open extends XmlName {
  readonly scope: Scope
  readonly attributes: readonly XmlAttribute[]
  readonly lang: string | null
  readonly children: XmlNode[]
}

/** The part of a document that was read. */
interface Tree {
  readonly limits: XmlLimits
  elements: number
  readonly open: Open[]
  root: XmlElement | null
}

/** Parses a document. The error is a clause that says what is wrong with it. */
export function parseXml(text: string, limits: XmlLimits): Result<XmlElement, string> {
  const tree: Tree = { limits, elements: 0, open: [], root: null }
  try {
    refuseEncoding(text)
    for (const token of readXml(text, limits)) add(tree, token)
  } catch (error) {
    if (error instanceof XmlFault) return err(error.reason)
    throw error
  }
  return tree.root ? ok(tree.root) : err('there is no element')
}

function refuseEncoding(text: string): void {
  const [, encoding] = /^\ufeff?<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"'>]*)/.exec(text) ?? []
  if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding))
    throw new XmlFault('its encoding is not UTF-8')
}

function add(tree: Tree, token: XmlToken): void {
  if (token.type === 'text') addText(tree, token.text)
  else if (token.type === 'open') tree.open.push(openElement(tree, token.name, token.attributes))
  else addElement(tree)
}

function addText({ open }: Tree, text: string): void {
  const children = open.at(-1)?.children
  const last = children?.at(-1)
  if (typeof last === 'string') children?.splice(-1, 1, last + text)
  else if (text !== '') children?.push(text)
}

function addElement(tree: Tree): void {
  const ended = tree.open.pop()
  if (!ended) return
  const { namespace, local, attributes, lang, children } = ended
  const element: XmlElement = { namespace, local, attributes, lang, children }
  const parent = tree.open.at(-1)
  if (parent) parent.children.push(element)
  else tree.root = element
}

function openElement(tree: Tree, tag: string, text: string): Open {
  const { maxElements, maxAttributes, maxInherited } = tree.limits
  if (++tree.elements > maxElements) throw new XmlFault('it has too many elements')
  return resolve(
    { tag, pairs: readAttributes(text, maxAttributes), maxInherited },
    tree.open.at(-1),
  )
}

/** Attributes as they are written, by their prefixed names. */
type Pairs = ReadonlyMap<string, string>

/** An element as it is written. */
interface Written {
  readonly tag: string
  readonly pairs: Pairs
  readonly maxInherited: number
}

/** Resolves the prefixes of an element and its attributes. */
function resolve({ tag, pairs, maxInherited }: Written, parent: Open | undefined): Open {
  /** Refuses a long text that many elements have, because it is written for each of them. */
  const bounded = (text: string): string => {
    if (text.length > maxInherited) throw new XmlFault('a namespace or a language is too long')
    return text
  }
  const scope = scopeWith(pairs, parent?.scope ?? NO_SCOPE, bounded)
  const attributes = Array.from(pairs)
    .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .map(([name, value]) => ({ ...nameOf(name, scope, ''), value }))
  const own = attributes.find(({ namespace, local }) => namespace === XML && local === 'lang')
  const lang = own ? bounded(own.value) : (parent?.lang ?? null)
  const name = nameOf(tag, scope, scope.get('') ?? '')
  return { ...name, scope, attributes, lang, children: [] }
}

const NO_SCOPE: Scope = new Map([['xml', XML]])

function scopeWith(pairs: Pairs, above: Scope, bounded: (text: string) => string): Scope {
  const declared = Array.from(pairs).filter(([name]) => /^xmlns(?::|$)/.test(name))
  if (declared.length === 0) return above
  const scope = new Map(above)
  for (const [name, namespace] of declared) {
    const prefix = name.slice('xmlns:'.length)
    const isBad = prefix !== '' && (namespace === '' || !isName(prefix) || prefix === 'xmlns')
    if (isBad || namespace === XMLNS || (prefix === 'xml') !== (namespace === XML))
      throw new XmlFault('it declares a namespace that cannot be')
    scope.set(prefix, bounded(namespace))
  }
  return scope
}

function nameOf(text: string, scope: Scope, unprefixed: string): XmlName {
  const colon = text.indexOf(':')
  const prefix = colon === -1 ? '' : text.slice(0, colon)
  const local = text.slice(colon + 1)
  if (!isName(local) || (colon !== -1 && !isName(prefix))) throw new XmlFault('a name is malformed')
  if (colon === -1) return { namespace: unprefixed, local }
  const namespace = scope.get(prefix)
  if (namespace === undefined)
    throw new XmlFault(`its prefix ${prefix.slice(0, 50)} is not declared`)
  return { namespace, local }
}
