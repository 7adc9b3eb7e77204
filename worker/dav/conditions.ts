/**
 * The conditions of a request: `If-Match`, `If-None-Match` and `If`, over content hashes as the caller sees them.
 * `test/worker/dav/conditions.test.ts` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { isReading, listsTag } from '../http.ts'
import { parseReference } from './address.ts'
import { tagOf, type Dav } from './context.ts'
import { holds, parseIf, type State } from './if-header.ts'
import { locksAt, tokenOf } from './locks.ts'
import { refuseCondition, refuseHeader } from './refuse.ts'

/** Whether the response tells something of a file by a condition. Then the request has to be one that may read it. */
export const isConditional = ({ headers }: Request): boolean =>
  ['if', 'if-match', 'if-none-match'].some((name) => headers.has(name))

/** Returns the response that refuses a request of which a condition does not hold, or null. */
export function refuseUnmet(dav: Dav, workspace: CallerWorkspace): Response | null {
  const { request, path } = dav
  const { store } = workspace
  const { headers } = request
  const tag = tagOf(store, store.stat(path))
  const isThere = store.stat(path) !== null
  const match = headers.get('if-match')
  if (match !== null && !isListed(match, { tag, isThere })) return refuseCondition()
  const none = headers.get('if-none-match')
  // A read is answered with 304 instead.
  if (none !== null && !isReading(request) && isListed(none, { tag, isThere }))
    return refuseCondition()
  return refuseUnmetIf(dav, workspace)
}

/** Whether a header names the state of a resource. `*` names every one that is there, folders as well. */
const isListed = (
  header: string,
  { tag, isThere }: { readonly tag: string | null; readonly isThere: boolean },
) => (header.trim() === '*' ? isThere : tag !== null && listsTag(header, tag))

function refuseUnmetIf(dav: Dav, workspace: CallerWorkspace): Response | null {
  const header = dav.request.headers.get('if')
  if (header === null) return null
  const lists = parseIf(header)
  if (!lists.ok) return refuseHeader('If', lists.error)
  const stateOf = (resource: string | null): State => {
    const path = resource === null ? dav.path : pathOf(dav, resource)
    if (path === null) return { tag: null, tokens: [] }
    const { store } = workspace
    const tokens = locksAt(workspace, path).map(tokenOf)
    return { tag: tagOf(store, store.stat(path)), tokens }
  }
  return holds(lists.value, stateOf) ? null : refuseCondition()
}

/** A resource of another server, or one that cannot be, has no state. */
function pathOf(dav: Dav, resource: string): StorePath | null {
  const path = parseReference(resource, dav)
  return path.ok ? path.value : null
}
