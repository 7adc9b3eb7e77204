/**
 * What is fetched from here: documents of clients and keys of Access, at addresses that others name.
 *
 * A redirect is no answer, because whoever can make a page of a domain send people on could else speak
 * for that domain. And only names of the public internet are asked, so that nobody reaches a machine
 * behind this one; what such a name leads to is for `global_fetch_strictly_public` to judge. The
 * libraries know `fetch` only as a global, which is why it is replaced there.
 *
 * @module
 */

/** The same `fetch`, for public names, and led nowhere else. */
export function strictly(send: typeof fetch): typeof fetch {
  return async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isPublicName(url.hostname)) throw new TypeError(`${url.hostname} is no public name`)
    return send(input, { ...init, redirect: 'manual' })
  }
}

/** Names that resolve inside a machine or a network, if anywhere. */
const INTERNAL = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/

/** Whether a host is a name, and one of the public internet; a URL has every address in one spelling. */
export function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  const isAddress = name.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(name)
  return !isAddress && name.includes('.') && !INTERNAL.test(name)
}
