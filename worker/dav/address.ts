/**
 * Addresses: paths of the workspace in the URLs of WebDAV, which mean what they say. A segment that decodes to `.`, `..`
 * or something with a slash is refused, and in headers never resolved. `test/worker/dav/address.test.ts` has the cases.
 *
 * @module
 */

import { resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { MAX_DAV_HEADER } from './limits.ts'

/** Parses the rest of a URL behind the prefix. The error is a clause that says why it is no path. */
export function parseAddress(encoded: string): Result<StorePath, string> {
  const segments: string[] = []
  for (const segment of encoded.split('/')) {
    const decoded = decodeSegment(segment)
    if (decoded === null) return err('its percent-encoding is not UTF-8')
    if (decoded.includes('/') || decoded === '.' || decoded === '..')
      return err('a name in it is encoded as a path')
    if (decoded !== '') segments.push(decoded)
  }
  return segments.length === 0 ? ok(ROOT) : resolvePath(`/${segments.join('/')}`)
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** Writes the URL of a path, without scheme and host. That of a folder ends in a slash. */
export function hrefOf(prefix: string, path: StorePath, isFolder: boolean): string {
  const inside = path === ROOT ? '' : path.split('/').map(encodeURIComponent).join('/')
  return `${prefix}${inside}${isFolder ? '/' : ''}`
}

/** Why an address in a header names no path here: it is malformed, or of another server or workspace. */
export type Foreign = 'malformed' | 'elsewhere'

/** A segment that leads to another folder. */
const DOTS = /[\\/](?:\.|%2e){1,2}(?:[\\/?#]|$)/i

/** Parses the address in a header: that of a path below the same prefix, on the same host. */
export function parseReference(
  text: string,
  { request, prefix }: { readonly request: Request; readonly prefix: string },
): Result<StorePath, Foreign> {
  if (text.length > MAX_DAV_HEADER) return err('malformed')
  const isAddress = /^(?:https?:)?\/\/[^/]|^\/(?!\/)/i.test(text)
  const url = isAddress ? URL.parse(text, request.url) : null
  if (!url || url.search !== '' || url.hash !== '') return err('malformed')
  const { pathname } = url
  if (url.host !== new URL(request.url).host) return err('elsewhere')
  if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return err('elsewhere')
  // The URL has resolved these.
  if (DOTS.test(text)) return err('malformed')
  const path = parseAddress(pathname.slice(prefix.length))
  return path.ok ? path : err('malformed')
}
