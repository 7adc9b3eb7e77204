/**
 * Leases as one caller takes them and learns of them: of another's only where it covers an existing path that the caller
 * may read, and never by a path that is hidden. The same holds for a draft of another caller that waits on a path.
 *
 * `test/worker/leases/access.test.ts` has the table.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { isWithin, parentOf, ROOT, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import { MAX_DRAFT_PLACES } from '../limits.ts'
import type { Step, Store } from '../store/store.ts'
import type { Access } from './access.ts'
import { claimedNameOf } from './draft-owner.ts'
import type { Draft, DraftOwner } from './draft.ts'
import {
  nameHolder,
  type Lease,
  type LeaseHolder,
  type LeaseKind,
  type LeasePlace,
  type LeaseRefusal,
  type OpenLeases,
} from './lease.ts'

/** Something of another caller at a path: a lease, or a draft with a change of it. Times are in milliseconds since 1970. */
export interface OtherUse {
  readonly path: StorePath
  readonly kind: LeaseKind | 'draft'
  /** The name of the other caller, quoted. */
  readonly by: string
  readonly since: number
  /** Null for a draft, which waits for the owner. */
  readonly until: number | null
  readonly note: string
}

/** What a caller wants to lease. */
export interface WantedLeases extends Pick<Lease, 'kind' | 'note' | 'isShared'> {
  readonly paths: readonly StorePath[]
  readonly seconds: number
  /** Whether a folder is leased with what is below it; by default it is. */
  readonly isDeep?: boolean
}

/** The leases of one caller. */
export interface LeaseView {
  /** Leases all paths, or none. What the caller has leased already is renewed. */
  readonly take: (wanted: WantedLeases) => Result<readonly Lease[], Problem>
  /** Ends the caller's leases on exactly these paths. Returns the paths that it had leased. */
  readonly release: (paths: readonly StorePath[]) => readonly StorePath[]
  /** Lists the others' leases and waiting drafts at some places, as far as the caller may know of them. */
  readonly othersAt: (places: readonly LeasePlace[]) => readonly OtherUse[]
  /** Returns why steps may not be taken, where the owner makes leases binding; null otherwise. */
  readonly refusalOf: (steps: readonly Step[]) => Problem | null
  /**
   * Lists all leases that cover a place, the caller's and those of others, for protocols in which a lock is enforced. Their
   * paths and notes may be hidden from the caller.
   */
  readonly covering: (place: LeasePlace) => readonly Lease[]
  /** Has a lease of the caller end in some seconds. Null if it is not in force, or of another caller. */
  readonly renew: (id: string, seconds: number) => Lease | null
  /** Ends a lease of the caller. Returns false if it is not in force, or of another caller. */
  readonly end: (id: string) => boolean
}

/** The view of the owner in person, who leases nothing and is never stopped. */
export const NO_LEASES: LeaseView = {
  take: () => ok([]),
  release: () => [],
  othersAt: () => [],
  refusalOf: () => null,
  covering: () => [],
  renew: () => null,
  end: () => false,
}

/** The drafts of others, as far as leases need them. */
interface OtherDrafts {
  /** Lists the drafts of other owners in which a change of a path waits; none without a query if there is no other. */
  readonly othersAt: (owner: string, path: StorePath) => readonly Draft[]
}

/** What a view is made of. `store` has the files as the caller sees them, without its access applied. */
interface LeaseViewParts {
  readonly leases?: OpenLeases | undefined
  readonly drafts: OtherDrafts
  readonly store: Pick<Store, 'stat'>
}

interface ViewContext extends LeaseViewParts {
  readonly leases: OpenLeases
  readonly holder: LeaseHolder
  readonly access: Access
}

/** Returns who holds the leases of a caller: whose draft it has, with the name that its client claims. */
export const holderOf = (
  { connection: _connection, ...owner }: DraftOwner,
  client: string | null,
): LeaseHolder => ({ ...owner, client: client ?? claimedNameOf(owner.key) })

/** Builds the view of a caller. */
export function viewLeases(
  { leases, drafts, store }: LeaseViewParts,
  holder: LeaseHolder | null,
  access: Access,
): LeaseView {
  if (!leases || holder === null) return NO_LEASES
  const context: ViewContext = { leases, drafts, store, holder, access }
  const isOwn = (id: string) => leases.find(id)?.holder.key === holder.key
  return {
    take: (wanted) => take(context, wanted),
    release: (paths) => release(context, paths),
    othersAt: (places) => othersAt(context, places),
    refusalOf: (steps) => refusalOf(context, steps),
    covering: leases.covering,
    renew: (id, seconds) => (isOwn(id) ? leases.renew(id, seconds) : null),
    end: (id) => isOwn(id) && leases.release(id),
  }
}

function take(context: ViewContext, wanted: WantedLeases): Result<readonly Lease[], Problem> {
  const { leases, holder, access, store } = context
  const { kind, note, seconds, isDeep = true, isShared } = wanted
  const paths = wanted.paths.map((path) => {
    const type = access.canRead(path) ? store.stat(path)?.type : undefined
    // What does not exist, or is hidden, may be a file or a folder.
    return { path, isDeep: isDeep && (type === 'folder' || (!type && access.mayLease(path, true))) }
  })
  const kept = paths.find((one) => !access.mayLease(one.path, one.isDeep))
  if (kept) return err({ reason: 'lease_too_wide', path: kept.path })
  const taken = leases.take({ kind, holder, paths, note, seconds, ...(isShared && { isShared }) })
  return taken.ok ? taken : err(toProblem(context, taken.error))
}

function toProblem(context: ViewContext, refusal: LeaseRefusal): Problem {
  if (refusal.reason === 'full')
    return { reason: 'leases_full', limit: refusal.limit, of: refusal.of }
  const { path, lease } = refusal
  return leasedProblem(context, 'lease', { path, reach: 'tree' }, lease)
}

/** Names the lease that is in the way as far as the caller may know of it. */
function leasedProblem(
  context: ViewContext,
  action: 'lease' | 'change',
  place: LeasePlace,
  lease: Lease,
): Problem {
  // That it is refused tells already that there is one, so the path need not exist.
  const path = isWithin(place.path, lease.path) ? place.path : lease.path
  if (!context.access.canRead(path))
    return { reason: 'leased', action, path: place.path, by: null, until: null }
  return { reason: 'leased', action, path, by: nameHolder(lease.holder), until: lease.until }
}

function release({ leases, holder }: ViewContext, paths: readonly StorePath[]): StorePath[] {
  const own = leases.of(holder.key).filter(({ kind }) => kind === 'lease')
  return paths.filter((path) => own.some((one) => one.path === path && leases.release(one.id)))
}

function othersAt(context: ViewContext, places: readonly LeasePlace[]): readonly OtherUse[] {
  return [...leasesAt(context, places), ...draftsAt(context, places.slice(0, MAX_DRAFT_PLACES))]
}

function leasesAt(context: ViewContext, places: readonly LeasePlace[]): OtherUse[] {
  if (context.leases.isEmpty()) return []
  const seen = new Map<string, OtherUse>()
  for (const place of places)
    for (const lease of othersLeases(context, place)) {
      const path = seen.has(lease.id) ? null : findSeen(context, place, lease)
      if (path !== null) seen.set(lease.id, useOf(lease, path))
    }
  return [...seen.values()]
}

const othersLeases = ({ leases, holder }: ViewContext, place: LeasePlace): readonly Lease[] =>
  leases.covering(place).filter((lease) => lease.holder.key !== holder.key)

const useOf = ({ kind, holder, note, taken, until }: Lease, path: StorePath): OtherUse => ({
  ...{ path, kind, by: nameHolder(holder), since: taken, until, note },
})

function draftsAt(context: ViewContext, places: readonly LeasePlace[]): OtherUse[] {
  const { drafts, holder } = context
  return places
    .filter(({ path }, index) => places.findIndex((one) => one.path === path) === index)
    .flatMap(({ path }) => {
      const others = drafts.othersAt(holder.key, path)
      return others.length > 0 && isSeen(context, path)
        ? others.map((one) => draftUse(one, path))
        : []
    })
}

const draftUse = ({ owner, opened }: Draft, path: StorePath): OtherUse => ({
  ...{ path, kind: 'draft', by: nameHolder(holderOf(owner, null)) },
  ...{ since: opened, until: null, note: '' },
})

/** Whether the caller may learn of an existing path. */
const isSeen = ({ store, access }: ViewContext, path: StorePath): boolean =>
  access.canRead(path) && store.stat(path) !== null

/**
 * Returns the path by which the caller may learn of a lease that covers a place: the place, or the nearest existing folder
 * above it that is leased too, or what is leased below it. Null if each is hidden.
 */
function findSeen(context: ViewContext, place: LeasePlace, { path }: Lease): StorePath | null {
  const [from, top] = isWithin(place.path, path) ? [place.path, path] : [path, place.path]
  for (let at = from; context.access.canRead(at); at = parentOf(at)) {
    if (isSeen(context, at)) return at
    if (at === top || at === ROOT) return null
  }
  return null
}

function refusalOf(context: ViewContext, steps: readonly Step[]): Problem | null {
  const { leases, access } = context
  if (leases.isEmpty() || !hasBinding(access.owner)) return null
  for (const place of steps.flatMap(leasePlacesOf))
    for (const lease of othersLeases(context, place)) {
      const concerned = isWithin(place.path, lease.path) ? place.path : lease.path
      if (isBinding(access.owner, concerned)) return leasedProblem(context, 'change', place, lease)
    }
  return null
}

const foldersOf = ({ roots, flags }: Config) => [...roots, ...(flags?.roots ?? [])]

const hasBinding = (owner: Config): boolean =>
  foldersOf(owner).some(({ binding_leases: binding }) => binding)

/** Whether the owner makes leases binding for a path. */
const isBinding = (owner: Config, path: StorePath): boolean =>
  foldersOf(owner).some((root) => root.binding_leases && isWithin(path, root.path))

/** Returns the places at which a step does something. */
export function leasePlacesOf(step: Step): readonly LeasePlace[] {
  switch (step.type) {
    case 'put':
    case 'folder':
    case 'prune':
      return [{ path: step.path, reach: 'entry' }]
    case 'remove':
      return [{ path: step.path, reach: 'tree' }]
    case 'move':
      return [
        { path: step.from, reach: 'tree' },
        { path: step.to, reach: 'tree' },
      ]
  }
}
