/**
 * The origin of a decision: only a page of this origin can decide what waits for the owner.
 *
 * `test/worker/owner/requests.test.ts` has the cases.
 *
 * @module
 */

import type { PageAddress } from '../passkeys/verify.ts'
import { refuse } from '../errors/respond.ts'

/**
 * Whether a page of this origin sent the request: browsers set both headers themselves (Fetch Metadata), so
 * neither another site nor an app in its frame can send them.
 */
export function isFromOwnPage({ headers, url }: Request): boolean {
  const origin = headers.get('origin')
  const own = ownAddress({ headers, url }).origin
  return headers.get('sec-fetch-site') === 'same-origin' && origin !== null && origin === own
}

/** Whether a browser sent the request for a page of another origin. A program sends neither header. */
export const isFromOtherPage = (request: Request): boolean =>
  (request.headers.has('origin') || request.headers.has('sec-fetch-site')) &&
  !isFromOwnPage(request)

/** The origin at which a request reached this server, and its host name; empty if the header is no host. */
export function ownAddress({ headers, url }: Pick<Request, 'headers' | 'url'>): PageAddress {
  const { protocol, host } = new URL(url)
  const own = URL.parse(`${protocol}//${headers.get('host') ?? host}`)
  return { origin: own?.origin ?? '', host: own?.hostname ?? '' }
}

/** Builds the response to a decision from anywhere else. */
export const notFromOwnPage = () =>
  refuse(403, 'NOT_FROM_CONSOLE', 'Cannot decide: open the console and decide there.')
