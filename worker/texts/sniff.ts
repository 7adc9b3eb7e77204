/**
 * Which content is a document, by its bytes. It is loaded with the Worker; the readers are not.
 *
 * `test/worker/texts/documents/sniff.test.ts` has the cases.
 *
 * @module
 */

import { hasBytes, readUintLe, type ReadonlyBytes } from '../encoding/bytes.ts'
import type { DocumentFormat } from './document.ts'

/** Bytes at the beginning of content that are looked at. */
const SNIFFED = 64 * 1024

/** Files that the archive of an office program has, by the beginnings of their names. */
const PARTS = [
  '[Content_Types].xml',
  '_rels/',
  'docProps/',
  'word/',
  'xl/',
  'ppt/',
  'META-INF/container.xml',
]

/** The types that an archive names in its first file. */
const TYPES = ['application/vnd.oasis.opendocument.', 'application/epub+zip']

/**
 * Whether content that is not text may be a document. Old office files are among them, because a new one that is
 * encrypted looks like them. The readers decide it for good.
 */
export function mayBeDocument(bytes: ReadonlyBytes): boolean {
  if (hasBytes(bytes, 0, '%PDF-') || hasBytes(bytes, 0, OLE)) return true
  return hasBytes(bytes, 0, LOCAL) && hasKnownPart(bytes)
}

/** How old office files begin, and encrypted ones. */
export const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

const LOCAL = 'PK\x03\x04'

function hasKnownPart(bytes: ReadonlyBytes): boolean {
  if (hasBytes(bytes, 30, 'mimetype'))
    return TYPES.some((type) => hasBytes(bytes, 38 + readUintLe(bytes, 28, 2), type))
  const end = Math.min(bytes.length, SNIFFED) - 30
  for (let at = 0; at < end; at++)
    if (bytes[at] === 0x50 && hasBytes(bytes, at, LOCAL))
      if (PARTS.some((part) => hasBytes(bytes, at + 30, part))) return true
  return false
}

/** The formats that are text, by their names: lines of them are read and edited as they are. */
const TEXT_FORMATS: readonly (readonly [name: RegExp, format: DocumentFormat])[] = [
  [/\.(?:html?|xhtml)$/i, 'html'],
  [/\.ipynb$/i, 'ipynb'],
  [/\.rtf$/i, 'rtf'],
  // One that has only ASCII.
  [/\.pdf$/i, 'pdf'],
]

/** Returns the format of content that is text and has another text for readers, by the name of its file; null for others. */
export const textFormat = (path: string): DocumentFormat | null =>
  TEXT_FORMATS.find(([name]) => name.test(path))?.[1] ?? null
