/**
 * File URIs: `file:///` and a path, percent-encoded, in one spelling only.
 *
 * @module
 */

import { resolvePath, type StorePath } from '#core/path.ts'
import { FILE_SCHEME } from '#core/wire.ts'

export function uriOf(path: StorePath): string {
  return FILE_SCHEME + path.split('/').map(encodeURIComponent).join('/')
}

/** The path that a URI names, or null when it names none. */
export function pathOf(uri: string): StorePath | null {
  if (!uri.startsWith(`${FILE_SCHEME}/`)) return null
  try {
    const path = resolvePath(decodeURIComponent(uri.slice(FILE_SCHEME.length)))
    return path.ok ? path.value : null
  } catch {
    return null
  }
}
