/**
 * Headers of files over HTTP. The content is untrusted, so none of them lets a browser execute it.
 *
 * `test/e2e/files-read.test.ts` tests them.
 *
 * @module
 */

import { nameOf } from '#core/path.ts'
import type { Entry, FileEntry } from './store/store.ts'

/** Media types that no browser executes. */
const INERT = /^(image\/(png|jpeg|gif|webp|avif)|audio\/|video\/|application\/json$)/

/** Headers of a file. `mime` is the type of the content, which is not always that of the name. */
export function headersOf(entry: FileEntry, mime: string): Headers {
  const text = mime.startsWith('text/') || /json|xml|javascript|yaml|toml|sql/.test(mime)
  const plain = text ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  const name = encodeURIComponent(nameOf(entry.path)).replaceAll("'", '%27')
  return new Headers({
    'content-type': INERT.test(mime) ? mime : plain,
    'content-disposition': `${INERT.test(mime) ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'last-modified': new Date(entry.mtime).toUTCString(),
    etag: tagOf(entry),
  })
}

/** Headers of a file of which every byte is shown or saved, and nothing is interpreted. */
export function rawHeaders(entry: FileEntry, mime: string): Headers {
  const headers = headersOf(entry, mime)
  if (!INERT.test(mime)) {
    headers.set('content-type', 'text/plain; charset=utf-8')
    headers.set('content-disposition', 'inline')
  }
  headers.set('content-length', String(entry.size))
  for (const name of ['accept-ranges', 'etag', 'last-modified']) headers.delete(name)
  return headers
}

/** The entity tag of a file or folder: its version. */
export const tagOf = ({ version }: Entry) => `"${version}"`
