/**
 * LOCK and UNLOCK: a lock of a client is a lease of its link. `test/worker/dav/lock.test.ts` has the cases.
 *
 * @module
 */

import { quoteValue } from '#core/quote.ts'
import type { FileContext } from '../access/file-context.ts'
import { USUAL_LEASE_TTL, type Lease } from '../access/lease.ts'
import type { CallerWorkspace } from '../access/workspace.ts'
import { MAX_LEASE_SECONDS } from '../leases/limits.ts'
import { rewriting, writing } from '../tools/lib/tool.ts'
import { elementsOf, isDavName, readXml, textOf } from './body.ts'
import { refuseUnmet } from './conditions.ts'
import { applyDav, openToChange, type Dav } from './context.ts'
import { parseIf, tokensIn } from './if-header.ts'
import { idIn, isOwnLease, locksAt, refuseLocked, tokenOf, writeLocks } from './locks.ts'
import { refusePlace } from './put.ts'
import { refuseDav, refuseDavCondition, refuseHeader, refuseXml, XML_TYPE } from './refuse.ts'
import { isScratch, keepEmpty } from './scratch.ts'
import type { XmlElement } from '../xml/parse.ts'

/** Takes a lock, or renews one if there is no body. */
export async function lock(dav: Dav): Promise<Response> {
  const info = await readXml(dav.request)
  if (info instanceof Response) return info
  const intent = `Lock ${quoteValue(dav.path)}`
  const files = openToChange(dav, intent, [rewriting(dav.path)])
  if (files instanceof Response) return files
  if (info === null) return refresh(dav, files.workspace)
  const wish = readWish(dav, info)
  return wish instanceof Response ? wish : take(dav, files, { ...wish, intent })
}

function refresh(dav: Dav, workspace: CallerWorkspace): Response {
  const lists = parseIf(dav.request.headers.get('if') ?? '')
  if (!lists.ok) return refuseHeader('If', lists.error)
  const refused = refuseUnmet(dav, workspace)
  if (refused) return refused
  const submitted = tokensIn(lists.value)
  const own = locksAt(workspace, dav.path).find((lease) => submitted.includes(tokenOf(lease)))
  const renewed = own && workspace.leases.renew(own.id, secondsIn(dav.request))
  if (!renewed) return refuseDavCondition(412, 'lock-token-matches-request-uri')
  return respondLocked(dav, workspace, { status: 200 })
}

/** What a client wants to lock. */
interface Wish {
  readonly isDeep: boolean
  readonly isShared: boolean
  /** How the client names itself, as text: data for other readers. */
  readonly note: string
}

function readWish({ request }: Dav, info: XmlElement): Wish | Response {
  if (!isDavName(info, 'lockinfo')) return refuseXml('its root is not lockinfo')
  const find = (element: XmlElement | undefined, name: string) =>
    element && elementsOf(element).find((one) => isDavName(one, name))
  if (!find(find(info, 'locktype'), 'write')) return refuseXml('it names no lock to write')
  const scope = find(info, 'lockscope')
  const isShared = find(scope, 'shared') !== undefined
  if (!isShared && !find(scope, 'exclusive')) return refuseXml('it names no scope of the lock')
  const depth = (request.headers.get('depth') ?? 'infinity').trim().toLowerCase()
  if (depth !== '0' && depth !== 'infinity')
    return refuseHeader('Depth', 'it is neither 0 nor infinity')
  const owner = find(info, 'owner')
  return { isDeep: depth === 'infinity', isShared, note: owner ? allText(owner) : '' }
}

/** The text in an element and in those in it. */
const allText = (element: XmlElement): string =>
  [textOf(element), ...elementsOf(element).map(allText)].join(' ').trim()

/** Parses the first time that a client names, up to that of leases. */
function secondsIn({ headers }: Request): number {
  const [first = ''] = (headers.get('timeout') ?? '').split(',')
  if (/^\s*infinite\s*$/i.test(first)) return MAX_LEASE_SECONDS
  const [, seconds] = /^\s*second-(\d{1,10})\s*$/i.exec(first) ?? []
  const wanted = seconds === undefined ? USUAL_LEASE_TTL : Number(seconds)
  return Math.min(Math.max(wanted, 1), MAX_LEASE_SECONDS)
}

interface Taking extends Wish {
  readonly intent: string
}

async function take(
  dav: Dav,
  files: FileContext,
  { isDeep, isShared, note, intent }: Taking,
): Promise<Response> {
  const { workspace } = files
  const { path, request } = dav
  const isThere = workspace.store.stat(path) !== null
  const refused =
    refuseUnmet(dav, workspace) ??
    (isThere ? null : (refusePlace(dav, files) ?? refuseMember(dav, workspace)))
  if (refused) return refused
  const seconds = secondsIn(request)
  const taken = workspace.leases.take({
    ...{ kind: 'lock', paths: [path], seconds, note, isDeep: isDeep && isThere },
    ...(isShared && { isShared }),
  })
  if (!taken.ok)
    return taken.error.reason === 'leased'
      ? refuseDavCondition(423, 'no-conflicting-lock')
      : refuseDav(taken.error)
  if (isThere) return respondLocked(dav, workspace, { status: 200, taken: taken.value })
  const created = await create(dav, files, intent)
  if (created instanceof Response) {
    for (const { id } of taken.value) workspace.leases.end(id)
    return created
  }
  return respondLocked(dav, workspace, { status: 201, taken: taken.value, draft: created })
}

const refuseMember = (dav: Dav, workspace: CallerWorkspace) =>
  refuseLocked(dav, workspace, [{ path: dav.path, reach: 'member' }])

/** Creates an empty file for a lock where there is nothing (RFC 4918, 7.3). Returns the draft in which it waits, or null. */
async function create(
  dav: Dav,
  files: FileContext,
  intent: string,
): Promise<Response | string | null> {
  const { path } = dav
  if (isScratch(path)) return keepEmpty(dav)
  const { store, version } = files.workspace
  const content = await store.hold(new Uint8Array(0))
  const applied = applyDav(dav, files, {
    intent,
    steps: [{ type: 'put', path, content, isNew: true }],
    basis: version(),
    // Its own lock is on it by now.
    places: [],
  })
  if (applied instanceof Response) return applied
  dav.parts.properties.drop(dav.session, path)
  return applied.draft?.name ?? null
}

/** A lock that was taken or renewed. */
interface Locked {
  readonly status: 200 | 201
  /** What was taken; none where it was renewed. */
  readonly taken?: readonly Lease[]
  /** The draft in which the new file waits. */
  readonly draft?: string | null
}

function respondLocked(
  dav: Dav,
  workspace: CallerWorkspace,
  { status, taken = [], draft = null }: Locked,
): Response {
  const discovery = `<D:lockdiscovery>${writeLocks(dav, workspace, dav.path)}</D:lockdiscovery>`
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<D:prop xmlns:D="DAV:">${discovery}</D:prop>\n`
  const [lease] = taken
  const headers = {
    ...XML_TYPE,
    ...(lease && { 'lock-token': `<${tokenOf(lease)}>` }),
    ...(draft !== null && { 'edgewise-draft': draft }),
  }
  return new Response(body, { status, headers })
}

/** Ends a lock of the link. */
export function unlock(dav: Dav): Response {
  const files = openToChange(dav, `Unlock ${quoteValue(dav.path)}`, [writing(dav.path)])
  if (files instanceof Response) return files
  const { workspace } = files
  const [, token] =
    /^\s*<([^<>\s]{1,200})>\s*$/.exec(dav.request.headers.get('lock-token') ?? '') ?? []
  if (token === undefined) return refuseHeader('Lock-Token', 'it is missing or malformed')
  const id = idIn(token)
  const lease = locksAt(workspace, dav.path).find((one) => one.id === id)
  if (!lease || !isOwnLease(dav, lease) || !workspace.leases.end(lease.id))
    return refuseDavCondition(409, 'lock-token-matches-request-uri')
  return new Response(null, { status: 204 })
}
