/**
 * Cursors of `find_files`: the end of a page, bound to its query.
 *
 * A cursor is base64url of a digest of the query and of the path of the last match. A caller can forge one,
 * so the path is checked: it must be inside the folder that is searched.
 *
 * @module
 */

import { isWithin, resolvePath, type StorePath } from '#core/path.ts'
import { digestOf } from '../../audit/audit.ts'
import { toBase64Url } from '../../encoding/base64.ts'
import { strictText } from '../../texts/text.ts'

/** Characters of the digest. It distinguishes queries and is no proof of origin. */
const DIGEST_LENGTH = 16

/** Creates the cursor of a page whose last match is `last`. */
export function writeCursor(query: unknown, last: StorePath): string {
  return toBase64Url(new TextEncoder().encode(`${shortDigest(query)} ${last}`))
}

/**
 * Returns the path after which the next page begins; null when the cursor is not of this query in this
 * folder.
 */
export function readCursor(cursor: string, query: unknown, root: StorePath): StorePath | null {
  const text = decodeCursor(cursor)
  if (text?.slice(0, DIGEST_LENGTH + 1) !== `${shortDigest(query)} `) return null
  const written = text.slice(DIGEST_LENGTH + 1)
  const path = resolvePath(written)
  if (!path.ok || path.value !== written || path.value === root) return null
  return isWithin(path.value, root) ? path.value : null
}

function decodeCursor(cursor: string): string | null {
  if (!/^[\w-]+$/.test(cursor) || cursor.length % 4 === 1) return null
  const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  return strictText(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}

const shortDigest = (query: unknown) => digestOf(query).slice(0, DIGEST_LENGTH)
