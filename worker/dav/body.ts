/** The XML in the body of a request, within its limit. `test/worker/dav/xml.test.ts` has the cases. @module */

import { NotUtf8, readText } from '../archive/bytes.ts'
import { problem, refuse } from '../errors/respond.ts'
import { MAX_XML_BYTES } from './limits.ts'
import { refuseXml } from './refuse.ts'
import { parseXml, type XmlElement, type XmlName } from './xml.ts'

/** Reads the body of a request; null if it is empty. */
export async function readXml(request: Request): Promise<XmlElement | null | Response> {
  const text = await readBody(request)
  if (text instanceof Response) return text
  if (text.trim() === '') return null
  const root = parseXml(text)
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
