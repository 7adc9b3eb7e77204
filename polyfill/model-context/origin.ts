/**
 * Origins as text, and whether they are potentially trustworthy.
 *
 * @module
 */

import { exception } from '../exception.ts'

/** Returns the origin of a URL; undefined if the text is not a URL or the origin is opaque. */
export function originOf(text: string): string | undefined {
  let origin: string | undefined = text
  // Most callers name their own document, and parsing a URL would take a third of a call.
  if (text !== OWN_ORIGIN) {
    const url = URL.parse(text)
    // URL reports the origin "null" for files and for opaque origins, so it must never be compared.
    origin = url?.protocol === 'file:' ? 'file://' : url?.origin
  }
  if (origin !== 'null') return origin
}

/**
 * The origin of this document, which never changes; `srcdoc` frames have their creator's origin. It is read
 * when this script loads, because a page can replace the global. On a server it is undefined.
 */
export const OWN_ORIGIN =
  'location' in globalThis && location.protocol === 'file:' ? 'file://' : globalThis.origin

/**
 * Matches trustworthy origins.
 * https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
 */
const TRUSTWORTHY =
  /^(https|wss|file|[a-z-]+-extension):|\/((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\])(:\d+)?$/

/**
 * Converts `exposedTo` or `fromOrigins` to origins.
 *
 * @throws `SecurityError` if a URL is invalid or its origin is not trustworthy.
 */
export function toTrustworthyOrigins(urls: readonly string[] = []): string[] {
  return urls.map((url) => {
    const origin = originOf(url)
    if (origin && TRUSTWORTHY.test(origin)) return origin
    throw exception('SecurityError', `"${url}" is not a secure origin`)
  })
}
