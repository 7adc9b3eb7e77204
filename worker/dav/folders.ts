/** MKCOL and DELETE. `test/worker/dav/methods.test.ts` has the cases. @module */

import { ROOT, type StorePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import type { ReadStore } from '../access/workspace.ts'
import { refuse } from '../errors/respond.ts'
import { rewriting, writing } from '../tools/lib/tool.ts'
import type { Entry, Step } from '../store/store.ts'
import { isConditional, refuseUnmet } from './conditions.ts'
import { applyDav, openToChange, respondChanged, type Dav } from './context.ts'
import { MAX_DAV_TREE } from './limits.ts'
import { endLocks } from './locks.ts'
import { refuseOrphan } from './put.ts'
import { refuseDav } from './refuse.ts'

/** Creates a folder in an existing one. */
export function makeFolder(dav: Dav): Response {
  const { request, path } = dav
  const intent = `Create the folder ${quoteValue(path)}`
  const touch = isConditional(request) ? rewriting(path) : writing(path)
  const files = openToChange(dav, intent, [touch])
  if (files instanceof Response) return files
  const { workspace } = files
  const refused = hasBody(request) ? refuseBody() : refuseUnmet(dav, workspace)
  if (refused) return refused
  if (path === ROOT || workspace.store.stat(path)) return refuseExisting()
  const orphan = refuseOrphan(dav, workspace)
  if (orphan) return orphan
  const steps: Step[] = [{ type: 'folder', path }]
  const applied = applyDav(dav, files, {
    ...{ intent, steps, basis: workspace.version() },
    places: [{ path, reach: 'member' }],
  })
  if (applied instanceof Response) return applied
  dav.parts.properties.drop(dav.session, path)
  return respondChanged(applied, true)
}

const hasBody = ({ body, headers }: Request) =>
  body !== null && headers.get('content-length') !== '0'

function refuseBody(): Response {
  const message = 'Cannot create the folder: MKCOL takes no body. Send it without one.'
  return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', message)
}

/** RFC 4918, 9.3.1: 405 where there is something already. */
function refuseExisting(): Response {
  const message = 'Cannot create the folder: something is at its path. Use another name.'
  return refuse(405, 'TARGET_EXISTS', message)
}

/** Deletes a file, or a folder with all that is in it. */
export function remove(dav: Dav): Response {
  const { request, path } = dav
  const intent = `Delete ${quoteValue(path)}`
  const touch = isConditional(request) ? rewriting(path) : writing(path)
  const files = openToChange(dav, intent, [touch])
  if (files instanceof Response) return files
  const { workspace } = files
  if (path === ROOT) return refuseDav({ reason: 'root_denied', action: 'delete' })
  const entry = workspace.store.stat(path)
  // Only the store knows whether something exists that the caller may not read.
  if (!entry && workspace.access.canRead(path)) return refuseDav({ reason: 'not_found', path })
  const refused = refuseUnmet(dav, workspace) ?? refuseLarge(workspace.store, entry, 'delete')
  if (refused) return refused
  const steps: Step[] = [{ type: 'remove', path }]
  const applied = applyDav(dav, files, {
    ...{ intent, steps, basis: workspace.version() },
    places: [{ path, reach: 'tree' }],
  })
  if (applied instanceof Response) return applied
  if (applied.draft) dav.parts.properties.carry(dav.session, steps)
  endLocks(dav, workspace, path)
  return respondChanged(applied, false)
}

/** Refuses a folder with more in it than one request concerns. */
export function refuseLarge(
  store: Pick<ReadStore, 'measure'>,
  entry: Entry | null,
  verb: 'copy' | 'move' | 'delete',
): Response | null {
  if (entry?.type !== 'folder') return null
  const { files, folders } = store.measure(entry.path)
  if (files + folders <= MAX_DAV_TREE) return null
  return refuseDav({ reason: 'over_budget', detail: tooLarge(entry.path, verb) })
}

const tooLarge = (path: StorePath, verb: string) =>
  `Cannot ${verb} ${path}: it has more than ${MAX_DAV_TREE} files and folders. Take its parts one by one`
