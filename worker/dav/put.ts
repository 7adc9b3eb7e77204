/**
 * PUT of WebDAV: `X-OC-Mtime` and `OC-Checksum` as ownCloud has them, and bodies without a length as Finder sends them.
 * `test/worker/dav/put.test.ts` has the cases.
 *
 * @module
 */

import { parentOf, ROOT } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import type { FileContext } from '../access/file-context.ts'
import { receiveBody, refuseEncoding, refusePart } from '../api/receive.ts'
import { toHex } from '../encoding/bytes.ts'
import { refuse } from '../errors/respond.ts'
import { rewriting, writing } from '../tools/lib/tool.ts'
import type { Content, Step } from '../store/store.ts'
import { hashUpload, type UploadHash } from './upload-hash.ts'
import { isConditional, refuseUnmet } from './conditions.ts'
import { applyDav, openToChange, respondChanged, tagOfHash, type Dav } from './context.ts'
import { MAX_UNSIZED_BYTES } from './limits.ts'
import { readMtime } from './mtime.ts'
import { refuseDav, refuseHeader } from './refuse.ts'

/** Stores a file. */
export async function put(dav: Dav): Promise<Response> {
  const { request, path } = dav
  const intent = `Upload ${quoteValue(path)}`
  const conditional = isConditional(request)
  const files = openToChange(dav, intent, [conditional ? rewriting(path) : writing(path)])
  if (files instanceof Response) return files
  const { store } = files.workspace
  const before = store.stat(path)
  const mtime = readMtime(request.headers.get('x-oc-mtime'))
  if (mtime === 'invalid') return refuseHeader('X-OC-Mtime', 'it is not a number of seconds')
  const basis = files.workspace.version()
  const refused =
    refusePlace(dav, files) ??
    refuseEncoding(request) ??
    refusePart(request) ??
    refuseUnmet(dav, files.workspace)
  if (refused) return refused
  const received = await receive(dav, files)
  if (received instanceof Response) return received

  const { content, hash } = received
  const steps: Step[] = [{ type: 'put', path, content, ...(mtime !== null && { mtime }) }]
  const made = conditional ? basis : files.workspace.version()
  const applied = applyDav(dav, files, {
    ...{ intent, steps, basis: made, isUnconditional: !conditional },
    places: [{ path, reach: before ? 'entry' : 'member' }],
  })
  if (applied instanceof Response) return applied
  if (request.headers.has('oc-checksum')) dav.parts.checksums.add(toHex(content.hash), hash.sums())
  // What was here before is another resource.
  if (!before) dav.parts.properties.drop(dav.session, path)
  return respondChanged(applied, !before, {
    etag: tagOfHash(toHex(content.hash)),
    ...(mtime !== null && { 'x-oc-mtime': 'accepted' }),
  })
}

/** Refuses a folder as the place of a file, and a folder that is missing, as far as the caller sees it. */
export function refusePlace({ path }: Dav, { workspace }: FileContext): Response | null {
  if (path === ROOT || workspace.store.stat(path)?.type === 'folder')
    return refuseDav({ reason: 'is_folder', path })
  return refuseOrphan({ path }, workspace)
}

/**
 * Refuses a path whose folder is missing (RFC 4918, 9.7.1). For a caller that may not list the folder, the store creates
 * it: the response must not tell whether it is there.
 */
export function refuseOrphan(
  { path }: Pick<Dav, 'path'>,
  { store, access }: FileContext['workspace'],
): Response | null {
  const folder = parentOf(path)
  const type = store.stat(folder)?.type
  if (type === 'folder' || access.judge('read', folder, true) !== 'permitted') return null
  if (type === 'file') return refuseDav({ reason: 'not_a_folder', path: folder })
  const message = 'Cannot create this: the folder above it does not exist. Create the folder first.'
  return refuse(409, 'FOLDER_MISSING', message)
}

interface Received {
  readonly content: Content
  readonly hash: UploadHash
}

/** Stores the body, and compares it with the checksum that the client names. */
async function receive({ request }: Dav, files: FileContext): Promise<Received | Response> {
  const hash = hashUpload(request.headers.get('oc-checksum'))
  const content = await receiveBody(request, files.workspace.store, {
    limits: files.limits,
    expected: request.headers.get('x-expected-entity-length'),
    unsized: MAX_UNSIZED_BYTES,
    heard: hash.add,
  })
  if (content instanceof Response) return content
  if (hash.isAsNamed()) return { content, hash }
  const message =
    'Cannot store the body: it does not have the named checksum. Nothing was written. Send the file again.'
  return refuse(400, 'CHECKSUM_MISMATCH', message)
}
