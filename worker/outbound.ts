/**
 * Outbound requests to addresses that come from untrusted input: client metadata documents, keys of Access, and push
 * services.
 *
 * Redirects are not followed: an open redirect on a domain could otherwise speak for that domain. Only public
 * host names are fetched, so that no internal machine can be reached; Cloudflare keeps a name that resolves
 * to a private address on the public internet, and `npm start` does not. `test/worker/notifier/attacks.test.ts` has the
 * spellings of addresses, `test/e2e/oauth/documents.slow.test.ts` sends requests.
 *
 * @module
 */

/** Wraps `fetch`: it throws a TypeError for a host that is not a public name, and follows no redirect. */
export function restrictFetch(send: typeof fetch): typeof fetch {
  return async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isPublicName(url.hostname))
      throw new TypeError(`${url.hostname} is not a public host name`)
    return send(input, { ...init, redirect: 'manual' })
  }
}

/** Host names that resolve only inside a machine or a private network. */
const INTERNAL = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/

/** Whether the host name of a URL is a name of the public internet, and no IP address. URL parsing normalises addresses. */
export function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  const isAddress = name.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(name)
  return !isAddress && name.includes('.') && !INTERNAL.test(name)
}
