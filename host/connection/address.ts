/**
 * The address of a server: what somebody typed becomes a URL, and what a browser will not say about
 * an address that does not answer is found out.
 *
 * @module
 */

import { ConnectionError, makeProblem } from './problem.ts'
import type { ConnectionProblem } from './types.ts'

const KNOCK_MS = 3_000

/** Reads an address; a host without a scheme is taken for https, or for http where it is this machine. */
export function addressOf(text: string): string {
  const typed = text.trim()
  const scheme = /^(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i.test(typed) ? 'http://' : 'https://'
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : scheme + typed
  // A space would be quietly encoded into a name that nobody has.
  const url = /\s/.test(typed) ? null : URL.parse(whole)
  if (!url || typed === '' || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ConnectionError(
      makeProblem('bad-url', `This is no address: ${JSON.stringify(typed)}.`),
    )
  }
  // A fragment never reaches a server, and credentials in a URL are refused by fetch.
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * A page only learns that a request failed. Whether somebody is there is found out by a request whose
 * answer may not be read: if it comes, it was the server that did not let this page in.
 */
export async function whyUnreachable(url: string): Promise<ConnectionProblem> {
  if (isMixed(url))
    return makeProblem('mixed-content', 'A page that came over https may not use an http address.')
  try {
    const signal = AbortSignal.timeout(KNOCK_MS)
    await fetch(url, { method: 'HEAD', mode: 'no-cors', cache: 'no-store', signal })
    return makeProblem('cors', 'The server is there and does not let this page in.')
  } catch {
    return makeProblem('unreachable', `Nobody answers at ${new URL(url).host}.`)
  }
}

function isMixed(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return location.protocol === 'https:' && protocol === 'http:' && !isLocal
}

/** Shows that a request is the console's own: a page of another site cannot send it unasked. */
export const CONSOLE_HEADER = { 'x-edgewise-console': '1' } as const

/** What goes along with every request to an address; strangers are told nothing. */
export function headersTo(url: string): Readonly<Record<string, string>> {
  return new URL(url).origin === location.origin ? CONSOLE_HEADER : {}
}
