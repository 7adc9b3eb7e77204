/** The body of a 207: a response for each resource, with its properties by their status. @module */

import { MAX_MULTISTATUS_LENGTH } from './limits.ts'
import { refuseDav, XML_TYPE } from './refuse.ts'

/** Properties with one status. Each is an element. */
export interface PropStat {
  readonly status: string
  readonly properties: readonly string[]
  /** What is wrong with them, as an element of RFC 4918, section 16. */
  readonly error?: string
}

/** The statuses of properties. */
export const OK = 'HTTP/1.1 200 OK'
export const NOT_FOUND = 'HTTP/1.1 404 Not Found'

/** One resource. */
export interface DavResource {
  readonly href: string
  readonly stats: readonly PropStat[]
}

const HEAD =
  '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns">'

/** Builds the response, or the 507 of one that would be too long. Every prefix of the server is declared at the top. */
export function multistatus(resources: Iterable<DavResource>): Response {
  const pieces = [HEAD]
  let length = 0
  for (const resource of resources) {
    const piece = writeResource(resource)
    length += piece.length
    if (length > MAX_MULTISTATUS_LENGTH) return refuseLong()
    pieces.push(piece)
  }
  pieces.push('</D:multistatus>\n')
  return new Response(pieces.join(''), { status: 207, headers: XML_TYPE })
}

/** Builds the 507 of an answer that is too long, from which nothing is left out. */
export function refuseLong(): Response {
  const detail = `Cannot list this: the answer has more than ${MAX_MULTISTATUS_LENGTH} characters. Name fewer properties`
  return refuseDav({ reason: 'over_budget', detail })
}

function writeResource({ href, stats }: DavResource): string {
  const filled = stats.filter(({ properties }) => properties.length > 0)
  // A response has one status at least.
  const written = (filled.length > 0 ? filled : stats.slice(0, 1)).map(writeStat)
  return `<D:response><D:href>${href}</D:href>${written.join('')}</D:response>\n`
}

function writeStat({ status, properties, error }: PropStat): string {
  const why = error === undefined ? '' : `<D:error>${error}</D:error>`
  const inside = `<D:prop>${properties.join('')}</D:prop><D:status>${status}</D:status>${why}`
  return `<D:propstat>${inside}</D:propstat>`
}
