/**
 * Refusals of WebDAV: the problems of the store with the statuses that its clients expect, and the conditions of
 * RFC 4918 as XML. `test/worker/dav/methods.test.ts` has the cases.
 *
 * @module
 */

import { codeOf, sentence, statusOf, type Problem } from '../errors/problem.ts'
import { refuse } from '../errors/respond.ts'

/** Statuses that differ from those of the other routes, by RFC 4918, 9.3 to 9.9, and RFC 4331 for what is full. */
const STATUSES: Partial<Readonly<Record<Problem['reason'], number>>> = {
  exists: 412,
  is_folder: 405,
  into_itself: 403,
  root_denied: 403,
  over_budget: 507,
  draft_full: 507,
  leases_full: 507,
}

/** Builds the response of a problem. */
export const refuseDav = (fault: Problem): Response =>
  refuse(STATUSES[fault.reason] ?? statusOf(fault), codeOf(fault), sentence(fault))

/** Builds the 412 of a condition that does not hold. */
export const refuseCondition = (): Response =>
  refuse(
    412,
    'PRECONDITION_FAILED',
    'Cannot do this: a condition of the request does not hold. Nothing was changed. Read the file again.',
  )

/** Builds the 400 of a header. */
export const refuseHeader = (name: string, detail: string): Response =>
  refuse(400, 'INVALID_HEADER', `Invalid ${name}: ${detail}.`)

/** Builds the 400 of a body that is not the XML that the method takes. */
export const refuseXml = (detail: string): Response =>
  refuse(400, 'INVALID_XML', `Cannot read the body as XML: ${detail}.`)

/** Conditions of RFC 4918, section 16. */
export type DavCondition =
  | 'propfind-finite-depth'
  | 'cannot-modify-protected-property'
  | 'lock-token-submitted'
  | 'no-conflicting-lock'
  | 'lock-token-matches-request-uri'

export const XML_TYPE = { 'content-type': 'application/xml; charset=utf-8' }

/** Builds a refusal whose body names the condition that does not hold; `inside` is XML. */
export function refuseDavCondition(status: number, condition: DavCondition, inside = ''): Response {
  const element = inside === '' ? `<D:${condition}/>` : `<D:${condition}>${inside}</D:${condition}>`
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:">${element}</D:error>`
  return new Response(body, { status, headers: XML_TYPE })
}
