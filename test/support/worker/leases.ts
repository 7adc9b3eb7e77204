/** Leases of one object without its routes: a service over its storage, and holders. @module */

import { parsePath, type StorePath } from '#core/path.ts'
import type { LeaseHolder, LeaseKind, LeaseRequest } from '#worker/access/lease.ts'
import { createLeases, type Leases } from '#worker/leases/leases.ts'
import { runInDurableObject } from 'cloudflare:test'
import { newStub } from './object-life.ts'

/** A holder with this key, which also names its session and its share. */
export const holder = (key: string, more: Partial<LeaseHolder> = {}): LeaseHolder => ({
  ...{ key, principal: 'owner', session: key, label: key, client: null, budget: key },
  ...more,
})

/** What a test leases: paths with all that is below them, for half an hour. */
export function wish(
  key: string,
  paths: readonly string[],
  more: Partial<LeaseRequest> & { readonly isDeep?: boolean } = {},
): LeaseRequest {
  const { isDeep = true, ...rest } = more
  return {
    ...{ kind: 'lease' as LeaseKind, holder: holder(key), note: '', seconds: 1_800 },
    paths: paths.map((path) => ({ path: parsePath(path), isDeep })),
    ...rest,
  }
}

/** A service of leases, the sessions that have ended, and when the alarm was asked for. */
export interface TestLeases {
  readonly leases: Leases
  readonly ended: Set<string>
  readonly woken: number[]
  /** Opens the service again, as after an eviction. */
  readonly reopen: () => Leases
  readonly sql: SqlStorage
}

/** Runs a test over the storage of a new object. */
export function withLeases<T>(work: (given: TestLeases) => T): Promise<T> {
  return runInDurableObject(newStub(), (_, { storage }) => {
    const ended = new Set<string>()
    const woken: number[] = []
    const sessions = { lastSeen: (id: string) => (ended.has(id) ? null : 0) }
    const reopen = () =>
      createLeases({ storage, sessions, wakeAt: (time) => void woken.push(time) })
    return work({ leases: reopen(), ended, woken, reopen, sql: storage.sql })
  })
}

/** The holders of the leases that cover a path. */
export const holdersAt = (
  leases: Leases,
  path: string,
  reach: 'entry' | 'member' | 'tree' = 'entry',
): string[] => leases.covering({ path: parsePath(path), reach }).map((one) => one.holder.key)

/** The paths of leases. */
export const pathsOf = (leases: readonly { readonly path: StorePath }[]) =>
  leases.map(({ path }) => path)
