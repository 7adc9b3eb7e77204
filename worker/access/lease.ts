/**
 * Leases: who works alone at a path, and until when. A lock of WebDAV is one as well.
 *
 * A lease is advice for other agents, unless the owner makes leases binding for a folder. It gives no access, and never
 * stops the owner. `worker/leases/` stores leases; `lease-view.ts` says who learns of which.
 *
 * @module
 */

import { describeSession } from '#core/actor.ts'
import { isWithin, parentOf, type StorePath } from '#core/path.ts'
import { quoteName } from '#core/quote.ts'
import type { Result } from '#core/result.ts'
import type { DraftOwner } from './draft.ts'

/** `lease`: an agent's wish to work alone. `lock`: a lock of WebDAV. */
export type LeaseKind = 'lease' | 'lock'

/** Seconds for which something is leased, if its holder names no time. */
export const USUAL_LEASE_TTL = 30 * 60

/** Who holds a lease. The names are claims. */
export interface LeaseHolder extends Omit<DraftOwner, 'connection'> {
  /** What the client calls itself, where that is not the label. */
  readonly client: string | null
}

/** A lease. Times are in milliseconds since 1970. */
export interface Lease {
  /** Random; of a lock, its token. */
  readonly id: string
  readonly kind: LeaseKind
  readonly path: StorePath
  /** Whether it covers what is below the path as well. */
  readonly isDeep: boolean
  /** Set for a lock that others of its kind do not exclude. */
  readonly isShared?: true
  readonly holder: LeaseHolder
  /** One line of the holder, which is data for others; may be empty. */
  readonly note: string
  readonly taken: number
  readonly until: number
}

/**
 * What is done at a path: something to the entry itself, something that adds it to its folder or removes it, or something
 * to it and all that is below it.
 */
export type LeaseExtent = 'entry' | 'member' | 'tree'

/** A path at which something is done. */
export interface LeasePlace {
  readonly path: StorePath
  readonly reach: LeaseExtent
}

/** What is leased of a path. */
export type LeasedPath = Pick<Lease, 'path' | 'isDeep'>

/** What is to be leased. */
export interface LeaseRequest extends Pick<Lease, 'kind' | 'holder' | 'note' | 'isShared'> {
  readonly paths: readonly LeasedPath[]
  readonly seconds: number
}

/** Why nothing was leased: another lease is in the way at a path, or there are too many. */
export type LeaseRefusal =
  | { readonly reason: 'held'; readonly path: StorePath; readonly lease: Lease }
  | { readonly reason: 'full'; readonly limit: number; readonly of: 'principal' | 'workspace' }

/** The leases of a workspace, as its callers use them; see `leases/leases.ts`. */
export interface OpenLeases {
  /** Whether there is none, which reads no row. */
  readonly isEmpty: () => boolean
  /** Lists those in force that cover a place. */
  readonly covering: (place: LeasePlace) => readonly Lease[]
  /** Lists those in force of a holder. */
  readonly of: (key: string) => readonly Lease[]
  /** Returns one that is in force; null without one. */
  readonly find: (id: string) => Lease | null
  /** Leases all paths, or none. What the holder has leased at a path already is renewed. */
  readonly take: (request: LeaseRequest) => Result<readonly Lease[], LeaseRefusal>
  /** Has a lease end in some seconds. Returns it; null if it is not in force. */
  readonly renew: (id: string, seconds: number) => Lease | null
  /** Ends a lease. Returns whether it was in force. */
  readonly release: (id: string) => boolean
}

/** Names a holder for other agents, in quotes. */
export const nameHolder = ({ label, client, principal }: LeaseHolder): string =>
  label === null
    ? quoteName(client ?? principal)
    : describeSession({ label, client: client ?? undefined })

/** Whether a lease is over, which it is at the moment at which it ends, and before it was taken by a clock that was set back. */
export const isOver = ({ taken, until }: Lease, now: number): boolean => now >= until || now < taken

/** Whether a lease covers what is done at a place. */
export function covers(lease: LeasedPath, { path, reach }: LeasePlace): boolean {
  if (lease.path === path) return true
  if (lease.isDeep && isWithin(path, lease.path)) return true
  if (reach === 'entry') return false
  // The members of a folder are a part of it: RFC 4918, section 7.4.
  return lease.path === parentOf(path) || (reach === 'tree' && isWithin(lease.path, path))
}

/**
 * Whether two leases may not be in force at once. A lock excludes every other lock, as clients may share a link, unless both
 * are shared.
 */
export function conflicts(
  lease: Lease,
  wanted: Pick<Lease, 'kind' | 'holder' | 'path' | 'isDeep' | 'isShared'>,
): boolean {
  const areLocks = lease.kind === 'lock' && wanted.kind === 'lock'
  if (lease.holder.key === wanted.holder.key && !areLocks) return false
  if (lease.isShared && wanted.isShared) return false
  const { path, isDeep } = wanted
  return covers(lease, { path, reach: 'entry' }) || (isDeep && isWithin(lease.path, path))
}
