/**
 * Outbound requests: client metadata documents and keys of Access, at addresses that come from untrusted
 * input.
 *
 * Redirects are not followed: an open redirect on a domain could otherwise speak for that domain. Only public
 * host names are fetched, so that no internal machine can be reached. The libraries use the global `fetch`, so it is
 * replaced there.
 *
 * @module
 */

import { isPublicName } from '../public-name.ts'

/** Wraps `fetch`: it throws a TypeError for a host that is not a public name, and follows no redirect. */
export function restrictFetch(send: typeof fetch): typeof fetch {
  return async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isPublicName(url.hostname))
      throw new TypeError(`${url.hostname} is not a public host name`)
    return send(input, { ...init, redirect: 'manual' })
  }
}
