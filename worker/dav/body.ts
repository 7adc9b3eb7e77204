/** The XML in the body of a request, within its limit. `test/worker/dav/xml.test.ts` has the cases. @module */

import { NotUtf8, readText } from '../archive/bytes.ts'
import { problem, refuse } from '../errors/respond.ts'
import {
  MAX_XML_ATTRIBUTES,
  MAX_XML_BYTES,
  MAX_XML_DEPTH,
  MAX_XML_ELEMENTS,
  MAX_XML_INHERITED,
} from './limits.ts'
import { refuseXml } from './refuse.ts'
import { parseXml, type XmlElement, type XmlLimits, type XmlName } from '../xml/parse.ts'

/** How much XML one request may have. */
export const XML_LIMITS: XmlLimits = {
  maxDepth: MAX_XML_DEPTH,
  maxTag: MAX_XML_BYTES,
  maxElements: MAX_XML_ELEMENTS,
  maxAttributes: MAX_XML_ATTRIBUTES,
  maxInherited: MAX_XML_INHERITED,
}

/** Reads the body of a request; null if it is empty. */
export async function readXml(request: Request): Promise<XmlElement | null | Response> {
  const text = await readBody(request)
  if (text instanceof Response) return text
  if (text.trim() === '') return null
  const root = parseXml(text, XML_LIMITS)
  return root.ok ? root.value : refuseXml(root.error)
}

async function readBody(request: Request): Promise<string | Response> {
  try {
    const text = await readText(request, MAX_XML_BYTES)
    return text.ok ? text.value : problem({ reason: 'file_too_large', limit: MAX_XML_BYTES })
  } catch (error) {
    if (error instanceof NotUtf8) return refuseXml('it is not UTF-8')
    return refuse(400, 'BODY_BROKEN_OFF', 'Body ended early. Nothing was changed. Send it again.')
  }
}

/** The elements in an element, without text. */
export const elementsOf = ({ children }: XmlElement): XmlElement[] =>
  children.filter((node) => typeof node !== 'string')

/** The text in an element, without that of its elements. */
export const textOf = ({ children }: XmlElement): string =>
  children.filter((node) => typeof node === 'string').join('')

/** Whether a name is one of the namespace of WebDAV. */
export const isDavName = ({ namespace, local }: XmlName, wanted: string): boolean =>
  namespace === 'DAV:' && local === wanted
