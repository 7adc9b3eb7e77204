/** File URIs: `file://` and an absolute path, percent-encoded, in one spelling only. @module */

import { resolvePath, type StorePath } from './path.ts'
import { FILE_SCHEME } from './wire.ts'

/** Returns the URI of a path. */
export function uriOf(path: StorePath): string {
  return FILE_SCHEME + path.split('/').map(encodeURIComponent).join('/')
}

/** Returns the path of a file URI; null for every other URI. */
export function pathOf(uri: string): StorePath | null {
  if (!uri.startsWith(`${FILE_SCHEME}/`)) return null
  try {
    const path = resolvePath(decodeURIComponent(uri.slice(FILE_SCHEME.length)))
    return path.ok ? path.value : null
  } catch {
    return null
  }
}
