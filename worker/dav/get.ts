/** GET and HEAD of WebDAV, with content hashes as entity tags. `test/worker/dav/methods.test.ts` has the cases. @module */

import { quoteValue } from '#core/quote.ts'
import { serveContent } from '../api/files.ts'
import { openToRead, tagOf, type Dav } from './context.ts'
import { refuseUnmet } from './conditions.ts'
import { refuseDav } from './refuse.ts'

/** What a folder is for a client that does not know WebDAV, such as a browser. */
const FOLDER_TEXT = 'This is a folder. Open it with a WebDAV client.\n'

/** Serves a file, or a range of it. */
export async function get(dav: Dav): Promise<Response> {
  const { request, path } = dav
  const files = openToRead(dav, `Download ${quoteValue(path)}`)
  if (files instanceof Response) return files
  const { store } = files.workspace
  const entry = store.stat(path)
  if (!entry) return refuseDav({ reason: 'not_found', path })
  const refused = refuseUnmet(dav, files.workspace)
  if (refused) return refused
  const tag = tagOf(store, entry)
  if (entry.type === 'file' && tag !== null) return serveContent(request, entry, { store, tag })
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  return new Response(request.method === 'HEAD' ? null : FOLDER_TEXT, { headers })
}
