/**
 * The locks that are in the way of a change, the tokens that a request submits, and how locks are shown.
 *
 * A lock is a lease, and among WebDAV clients every lease is enforced: what another caller has leased is locked, and a lock
 * of the same link needs its token, because several clients may share a link. `test/worker/dav/lock.test.ts` has the cases.
 *
 * @module
 */

import { isWithin, type StorePath } from '#core/path.ts'
import { covers, type Lease, type LeasePlace } from '../access/lease.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { hrefOf } from './address.ts'
import type { Dav } from './context.ts'
import { parseIf, tokensIn } from './if-header.ts'
import { refuseDavCondition } from './refuse.ts'
import { escapeXml } from '../xml/text.ts'

/** The token of a lock, as clients have it. */
export const tokenOf = ({ id }: Pick<Lease, 'id'>): string => `urn:uuid:${id}`

/** The id in a token; null if it is none of this server. */
export const idIn = (token: string): string | null =>
  /^urn:uuid:([\da-f-]{36})$/.exec(token)?.[1] ?? null

/** The locks on a resource, of all callers. */
export const locksAt = ({ leases }: CallerWorkspace, path: StorePath): readonly Lease[] =>
  leases.covering({ path, reach: 'entry' }).filter(({ kind }) => kind === 'lock')

/** Whether a lock or lease is of the link of a request, under whatever name a client of it is known. */
export const isOwnLease = ({ session }: Dav, { holder }: Lease): boolean =>
  holder.session === session

function submittedBy({ request }: Dav): readonly string[] {
  const lists = parseIf(request.headers.get('if') ?? '')
  return lists.ok ? tokensIn(lists.value) : []
}

/** Returns the 423 of a change that a lock prevents, or null. */
export function refuseLocked(
  dav: Dav,
  workspace: CallerWorkspace,
  places: readonly LeasePlace[],
): Response | null {
  const submitted = submittedBy(dav)
  const isFree = (lease: Lease) =>
    isOwnLease(dav, lease) && (lease.kind === 'lease' || submitted.includes(tokenOf(lease)))
  for (const place of places) {
    const covering = workspace.leases.covering(place)
    const shared = covering.filter((lease) => lease.isShared && isFree(lease))
    const held = covering.find((lease) => !isFree(lease) && !isSharedBy(shared, lease, place))
    if (held) return refuseBy(dav, workspace, { place, held })
  }
  return null
}

/**
 * Whether the token of a shared lock is enough for another one (RFC 4918, 7.5): it has to be of a lock on the same resource,
 * because a change of a folder concerns locks on different ones.
 */
function isSharedBy(own: readonly Lease[], lease: Lease, { path, reach }: LeasePlace): boolean {
  if (!lease.isShared) return false
  const locked = covers(lease, { path, reach: 'entry' }) ? path : lease.path
  const isTree = reach === 'tree' && lease.isDeep
  return own.some((one) => covers(one, { path: locked, reach: 'entry' }) && (one.isDeep || !isTree))
}

/** What is in the way at a place. */
interface InTheWay {
  readonly place: LeasePlace
  readonly held: Lease
}

/** Names the root of the lock, or the place itself where the root is hidden. */
function refuseBy(
  { prefix }: Dav,
  { access, store }: CallerWorkspace,
  { place, held }: InTheWay,
): Response {
  const root = access.canRead(held.path) ? held.path : place.path
  const isFolder = store.stat(root)?.type === 'folder'
  const inside = `<D:href>${hrefOf(prefix, root, isFolder)}</D:href>`
  return refuseDavCondition(423, 'lock-token-submitted', inside)
}

/** Ends the locks of the link at and below a path that was moved or deleted: a lock does not go with its resource. */
export function endLocks(dav: Dav, { leases }: CallerWorkspace, path: StorePath): void {
  for (const lease of leases.covering({ path, reach: 'tree' }))
    if (lease.kind === 'lock' && isWithin(lease.path, path) && isOwnLease(dav, lease))
      leases.end(lease.id)
}

/** The kinds of locks that there are. */
export const SUPPORTED_LOCK = ['exclusive', 'shared']
  .map(
    (scope) =>
      `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`,
  )
  .join('')

/** Writes the locks on a resource. The token is shown to its link alone, and a hidden path is not. */
export function writeLocks(dav: Dav, workspace: CallerWorkspace, path: StorePath): string {
  return locksAt(workspace, path)
    .filter((lease) => workspace.access.canRead(lease.path))
    .map((lease) => writeLock(dav, workspace, lease))
    .join('')
}

function writeLock(dav: Dav, { store }: CallerWorkspace, lease: Lease): string {
  const { path, isDeep, isShared, note, until } = lease
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000))
  const token = `<D:locktoken><D:href>${tokenOf(lease)}</D:href></D:locktoken>`
  const root = hrefOf(dav.prefix, path, store.stat(path)?.type === 'folder')
  return [
    '<D:activelock><D:locktype><D:write/></D:locktype>',
    `<D:lockscope><D:${isShared ? 'shared' : 'exclusive'}/></D:lockscope>`,
    `<D:depth>${isDeep ? 'infinity' : '0'}</D:depth>`,
    note === '' ? '' : `<D:owner>${escapeXml(note)}</D:owner>`,
    `<D:timeout>Second-${seconds}</D:timeout>`,
    isOwnLease(dav, lease) ? token : '',
    `<D:lockroot><D:href>${root}</D:href></D:lockroot></D:activelock>`,
  ].join('')
}
