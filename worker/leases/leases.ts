/**
 * The leases of one workspace: who works alone at a path, until when, and how it ends.
 *
 * A lease ends when its time is over, its holder releases it, its session ends, or the owner ends it. That is checked
 * whenever it is looked at, so an end needs no message, and an object that was evicted meanwhile finds the same.
 * `test/worker/leases/leases.test.ts` has the cases, `test/worker/leases/model.laws.test.ts` the laws.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { visible } from '#core/visible.ts'
import {
  conflicts,
  covers,
  isOver,
  type Lease,
  type LeaseRefusal,
  type LeaseRequest,
  type OpenLeases,
} from '../access/lease.ts'
import { countShares, findLoser } from '../database/shares.ts'
import { transaction } from '../database/table-groups.ts'
import type { Sessions } from '../sessions/sessions.ts'
import {
  MAX_LEASE_NOTE_LENGTH,
  MAX_LEASE_SECONDS,
  MAX_LEASES,
  MAX_WORKSPACE_LEASES,
} from './limits.ts'
import { createLeaseTable, type LeaseTable } from './table.ts'

/** The services of leases. */
export interface LeasesParts {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>
  readonly sessions: Pick<Sessions, 'lastSeen'>
  /** Has the alarm call `expire` at a time. */
  readonly wakeAt: (time: number) => void
}

interface LeasesContext extends LeasesParts {
  readonly table: LeaseTable
}

/** The leases of one workspace. */
export type Leases = ReturnType<typeof createLeases>

/** Opens the leases of a workspace. */
export function createLeases(parts: LeasesParts) {
  const context: LeasesContext = { ...parts, table: createLeaseTable(parts.storage.sql) }
  const { table } = context
  const open: OpenLeases = {
    isEmpty: () => table.all().length === 0,
    covering: (place) => inForce(context, (lease) => covers(lease, place)),
    of: (key) => inForce(context, ({ holder }) => holder.key === key),
    find: (id) => find(context, id),
    take: (request) => take(context, request),
    renew: (id, seconds) => renew(context, id, seconds),
    release: (id) => release(context, id),
  }
  return {
    ...open,
    /** Lists all that are in force, the oldest first. */
    list: () => inForce(context, () => true),
    /** Ends the leases of a session that has ended. */
    endSession: (session: string): void => {
      for (const { id, holder } of table.all()) if (holder.session === session) table.remove(id)
    },
    /** Drops what is over at a time. Returns when the next one will be, or null. */
    expire: (now: number) => expire(context, now),
  }
}

/** Lists those that are in force. Their sessions are looked up only where `concerns` says so. */
function inForce(context: LeasesContext, concerns: (lease: Lease) => boolean): readonly Lease[] {
  const now = Date.now()
  return context.table.all().filter((lease) => concerns(lease) && isAlive(context, lease, now))
}

const isAlive = ({ sessions }: LeasesContext, lease: Lease, now: number): boolean =>
  !isOver(lease, now) &&
  (lease.holder.session === null || sessions.lastSeen(lease.holder.session) !== null)

const find = (context: LeasesContext, id: string): Lease | null =>
  inForce(context, (lease) => lease.id === id)[0] ?? null

function expire(context: LeasesContext, now: number): number | null {
  const { table } = context
  for (const lease of table.all()) if (!isAlive(context, lease, now)) table.remove(lease.id)
  const ends = table.all().map(({ until }) => until)
  return ends.length === 0 ? null : Math.min(...ends)
}

/** What taking leases writes. */
interface Taking {
  readonly renewed: readonly Lease[]
  readonly added: readonly Lease[]
  /** Those that make room. */
  readonly dropped: readonly Lease[]
}

function take(
  context: LeasesContext,
  request: LeaseRequest,
): Result<readonly Lease[], LeaseRefusal> {
  const now = Date.now()
  expire(context, now)
  const planned = plan(context.table.all(), request, now)
  if (!planned.ok) return planned
  const { renewed, added } = planned.value
  write(context, planned.value)
  const taken = [...renewed, ...added]
  const ends = taken.map(({ until }) => until)
  if (ends.length > 0) context.wakeAt(Math.min(...ends))
  return ok(taken)
}

/** Writes all of it, or nothing. */
function write({ storage, table }: LeasesContext, { renewed, added, dropped }: Taking): void {
  try {
    transaction(storage, () => {
      for (const { id } of dropped) table.remove(id)
      for (const lease of renewed) table.renew(lease)
      for (const lease of added) table.add(lease)
    })
  } catch (error) {
    table.forget()
    throw error
  }
}

/** Finds what would be written. The leases of now are all alive. */
function plan(
  leases: readonly Lease[],
  request: LeaseRequest,
  now: number,
): Result<Taking, LeaseRefusal> {
  const { kind, holder, isShared } = request
  const shared = isShared ? { isShared } : {}
  for (const one of request.paths) {
    const held = leases.find((lease) => conflicts(lease, { ...one, kind, holder, ...shared }))
    if (held) return err({ reason: 'held', path: one.path, lease: held })
  }
  const wanted = new Map(request.paths.map((one) => [one.path, one.isDeep]))
  const until = endOf(request.seconds, now)
  const note = lineOf(request.note)
  // A lock is never renewed by another one: each client has its own token.
  const own =
    kind === 'lock'
      ? []
      : leases.filter((lease) => lease.kind === kind && lease.holder.key === holder.key)
  // What was a file may be a folder by now.
  const renewed = own.flatMap((lease) => {
    const isDeep = wanted.get(lease.path)
    if (isDeep === undefined) return []
    wanted.delete(lease.path)
    return [{ ...lease, isDeep, note, until }]
  })
  const added = Array.from(wanted, ([path, isDeep]) => {
    return { id: newId(), kind, path, isDeep, ...shared, holder, note, taken: now, until }
  })
  const dropped = makeRoom(leases, added)
  return dropped.ok ? ok({ renewed, added, dropped: dropped.value }) : dropped
}

const newId = () => crypto.randomUUID()

const endOf = (seconds: number, now: number) => now + Math.min(seconds, MAX_LEASE_SECONDS) * 1000

/** Brings a note into one line, in which hidden characters are visible. */
const lineOf = (note: string): string =>
  visible(note.replace(/\s+/g, ' ').trim()).slice(0, MAX_LEASE_NOTE_LENGTH).toWellFormed()

/** Finds the leases that make room for new ones of one principal, or the limit that refuses these. */
function makeRoom(
  leases: readonly Lease[],
  added: readonly Lease[],
): Result<readonly Lease[], LeaseRefusal> {
  const [first] = added
  if (!first) return ok([])
  const { budget } = first.holder
  const own = leases.filter(({ holder }) => holder.budget === budget).length
  if (own + added.length > MAX_LEASES)
    return err({ reason: 'full', limit: MAX_LEASES, of: 'principal' })
  let all = [...leases, ...added]
  const dropped: Lease[] = []
  while (all.length > MAX_WORKSPACE_LEASES) {
    const oldest = findOldestOfLoser(all, first)
    if (!oldest) return err({ reason: 'full', limit: MAX_WORKSPACE_LEASES, of: 'workspace' })
    dropped.push(oldest)
    all = all.filter((lease) => lease !== oldest)
  }
  return ok(dropped)
}

/** `all` has the new one already, which is counted again otherwise. */
function findOldestOfLoser(all: readonly Lease[], added: Lease): Lease | undefined {
  const others = all.filter((lease) => lease !== added)
  const loser = findLoser(
    countShares(others.map(({ holder }) => holder.budget)),
    added.holder.budget,
  )
  return others.find(({ holder }) => holder.budget === loser)
}

function renew(context: LeasesContext, id: string, seconds: number): Lease | null {
  const lease = find(context, id)
  if (!lease) return null
  const until = endOf(seconds, Date.now())
  context.table.renew({ ...lease, until })
  context.wakeAt(until)
  return { ...lease, until }
}

function release(context: LeasesContext, id: string): boolean {
  const isInForce = find(context, id) !== null
  context.table.remove(id)
  return isInForce
}
