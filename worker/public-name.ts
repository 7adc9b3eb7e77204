/**
 * Host names of the public internet: what an address from untrusted input must have, so that no request of this server
 * reaches a machine of its own network.
 *
 * `test/worker/notifier/attacks.test.ts` has the spellings, `test/e2e/oauth/documents.slow.test.ts` sends requests.
 *
 * @module
 */

/** Host names that resolve only inside a machine or a private network. */
const INTERNAL = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/

/**
 * Whether the host name of a URL is a name of the public internet, and no IP address. URL parsing normalises every address.
 * Cloudflare keeps a name that resolves to a private address on the public internet; `npm start` does not.
 */
export function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  const isAddress = name.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(name)
  return !isAddress && name.includes('.') && !INTERNAL.test(name)
}
