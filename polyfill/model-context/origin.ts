/**
 * Origins as text, and which of them can be trusted not to be read or changed on the way.
 *
 * @module
 */

import { exception } from '../exception.ts'

/** The origin of a URL; nothing when the text is no URL or has no origin of its own. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  // URL calls the origin of a file "null", and so many others that it must never be compared.
  if (url?.protocol === 'file:') return 'file://'
  return url?.origin === 'null' ? undefined : url?.origin
}

let own: string | undefined

/** The origin of this document, which is its for life. Frames made from text have that of their creator. */
export const ownOrigin = (): string =>
  (own ??= location.protocol === 'file:' ? 'file://' : self.origin)

/** https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy, of an origin's text */
const TRUSTWORTHY =
  /^(https|wss|file|[a-z-]+-extension):|\/((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\])(:\d+)?$/

/** Reads `exposedTo` or `fromOrigins`: the origins of URLs that can be trusted. */
export function toTrustworthyOrigins(urls: readonly string[] = []): string[] {
  return urls.map((url) => {
    const origin = originOf(url)
    if (origin && TRUSTWORTHY.test(origin)) return origin
    throw exception('SecurityError', `"${url}" is no secure origin`)
  })
}
