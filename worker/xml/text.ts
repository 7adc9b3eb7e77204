/**
 * The text of XML: names, characters, references, and how text and elements are written.
 * `test/worker/dav/xml.test.ts` writes what it has read.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { XmlElement, XmlName, XmlNode } from './parse.ts'

/** The namespace of the prefix `xml`. */
export const XML = 'http://www.w3.org/XML/1998/namespace'

/** A name without a prefix, as namespaces have it. */
const NAME =
  /^[A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}][\w.\-\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c-\u200d\u203f\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}]*$/u

/** Whether a text can be the name of an element, or a prefix. */
export const isName = (text: string): boolean => text.length <= MAX_NAME && NAME.test(text)

const MAX_NAME = 200

/** A character that XML does not have, not even as a reference. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** Replaces the references of a text by their characters. The error is a clause that says what is wrong with it. */
export function readReferences(raw: string): Result<string, string> {
  let fault: string | null = NO_CHARACTER.test(raw) ? 'it has a character that XML has not' : null
  const text = raw.replace(/&([^;&]{0,10};)?/g, (_, reference = '') => {
    const character = characterOf(String(reference).slice(0, -1))
    fault ??= character === null ? 'it has an entity that is not accepted' : null
    return character ?? ''
  })
  return fault === null ? ok(text) : err(fault)
}

function characterOf(reference: string): string | null {
  const [, decimal, hex] = /^#(?:(\d+)|x([\dA-Fa-f]+))$/.exec(reference) ?? []
  if (decimal === undefined && hex === undefined)
    return Object.hasOwn(ENTITIES, reference) ? (ENTITIES[reference] ?? null) : null
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
  if (code > 0x10ffff) return null
  const character = String.fromCodePoint(code)
  return NO_CHARACTER.test(character) ? null : character
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Escapes a text for XML. A character that XML does not have is left out. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(new RegExp(NO_CHARACTER, 'gu'), '')
    .replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? '')

/** Writes an empty element of any namespace. */
export const writeName = (name: XmlName): string =>
  `<${name.local} xmlns="${escapeXml(name.namespace)}"/>`

/** Writes an element with all that is in it. It declares its namespaces itself, so it can be put anywhere. */
export function writeElement(element: XmlElement): string {
  const lang = element.lang === null ? '' : ` xml:lang="${escapeXml(element.lang)}"`
  return write(element, null, lang)
}

/** Writes an element in the namespace that is in force for names without a prefix; null if that is not known. */
function write(element: XmlElement, inForce: string | null, lang: string): string {
  const { namespace, local, children } = element
  const declared = namespace === inForce ? '' : ` xmlns="${escapeXml(namespace)}"`
  const start = `${local}${declared}${lang}${writeAttributes(element)}`
  if (children.length === 0) return `<${start}/>`
  const inside = children.map((node: XmlNode) =>
    typeof node === 'string' ? escapeXml(node) : write(node, namespace, ownLang(node)),
  )
  return `<${start}>${inside.join('')}</${local}>`
}

const isLang = ({ namespace, local }: XmlName) => namespace === XML && local === 'lang'

function ownLang({ attributes }: XmlElement): string {
  const lang = attributes.find(isLang)
  return lang ? ` xml:lang="${escapeXml(lang.value)}"` : ''
}

function writeAttributes({ attributes }: XmlElement): string {
  const others = attributes.filter((attribute) => !isLang(attribute))
  return others
    .map(({ namespace, local, value }, at) => {
      const written = `="${escapeXml(value).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`)}"`
      return namespace === ''
        ? ` ${local}${written}`
        : ` xmlns:a${at}="${escapeXml(namespace)}" a${at}:${local}${written}`
    })
    .join('')
}
