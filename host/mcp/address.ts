/**
 * Parses the address of a server as the user typed it, and finds out why a server does not respond.
 *
 * @module
 */

import { CONSOLE_HEADER } from './console-header.ts'
import { ConnectionError, type ConnectionProblem, makeProblem } from './errors.ts'

/** Time limit of the request that probes an unreachable server. */
const PROBE_TIMEOUT_MS = 3_000

/**
 * Parses an address. The default scheme is https, and http for a loopback host.
 *
 * @param text As the user typed it.
 * @returns The URL without fragment and credentials.
 * @throws {ConnectionError} `bad-url` if it is not an http or https address.
 */
export function parseAddress(text: string): string {
  const typed = text.trim()
  const scheme = /^(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i.test(typed) ? 'http://' : 'https://'
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : scheme + typed
  // URL.parse would encode a space into a host or path that the user did not mean.
  const url = /\s/.test(typed) ? null : URL.parse(whole)
  if (!url || typed === '' || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ConnectionError(makeProblem('bad-url', `Invalid address: ${JSON.stringify(typed)}.`))
  }
  // A fragment is never sent to a server, and fetch rejects URLs with credentials.
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * Finds out why a request failed, which the browser does not report.
 *
 * A second request, whose response the page may not read, shows whether the server responds at all;
 * if it does, CORS blocked the first one. It waits up to 3 s.
 */
export async function findUnreachableCause(url: string): Promise<ConnectionProblem> {
  if (isMixed(url))
    return makeProblem('mixed-content', 'A page loaded over https cannot use an http address.')
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    await fetch(url, { method: 'HEAD', mode: 'no-cors', cache: 'no-store', signal })
    return makeProblem('cors', 'The server does not allow requests from this page.')
  } catch {
    return makeProblem('unreachable', `No response from ${new URL(url).host}.`)
  }
}

function isMixed(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return location.protocol === 'https:' && protocol === 'http:' && !isLocal
}

/** Returns the headers for every request to an address; none for other origins. */
export function headersFor(url: string): Readonly<Record<string, string>> {
  return new URL(url).origin === location.origin ? CONSOLE_HEADER : {}
}
