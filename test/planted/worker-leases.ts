/**
 * Faults of `worker/leases/` and of the view of leases: who works alone at a path.
 *
 * @module
 */

import type { Fault } from './fault.ts'

const LEASES = ['test/worker/leases/leases.test.ts']
const ACCESS = ['test/worker/leases/access.test.ts']
const RESULTS = ['test/worker/leases/results.test.ts']
const BINDING = ['test/worker/leases/binding.test.ts']
const LIMITS = ['test/worker/leases/limits.test.ts']

const KEPT_HIDDEN = 'A lease is named only by an existing path that the caller may read'

export const LEASE_FAULTS: readonly Fault[] = [
  {
    name: 'leases: one goes on at the moment at which it ends',
    promise: 'A lease ends at its time',
    file: 'worker/access/lease.ts',
    before: 'now >= until || now < taken',
    after: 'now > until || now < taken',
    tests: LEASES,
  },
  {
    name: 'leases: one outlives its session',
    promise: 'A lease ends with its session',
    file: 'worker/leases/leases.ts',
    before: 'sessions.lastSeen(lease.holder.session) !== null)',
    after: "lease.holder.session !== '')",
    tests: LEASES,
  },
  {
    name: 'leases: a clock that is set back prolongs one',
    promise: 'A clock that is set back before the beginning of a lease ends it',
    file: 'worker/access/lease.ts',
    before: 'now >= until || now < taken',
    after: 'now >= until || taken < 0',
    tests: LEASES,
  },
  {
    name: 'leases: what is below a wanted folder is not in the way',
    promise: 'No two leases of different holders overlap',
    file: 'worker/access/lease.ts',
    before: '(isDeep && isWithin(lease.path, path))',
    after: '(isDeep && lease.path === path)',
    tests: LEASES,
  },
  {
    name: 'leases: two locks of one link are in force at once',
    promise: 'A lock excludes every other lock',
    file: 'worker/access/lease.ts',
    before: '=== wanted.holder.key && !areLocks)',
    after: "=== wanted.holder.key || (areLocks && lease.id === ''))",
    tests: LEASES,
  },
  {
    name: 'leases: a renewed one covers what was there before',
    promise: 'A lease that is taken again covers what is wanted now',
    file: 'worker/leases/leases.ts',
    before: 'return [{ ...lease, isDeep, note, until }]',
    after: 'return [{ ...lease, note, until }]',
    tests: LEASES,
  },
  {
    name: 'leases: a part of the paths is leased',
    promise: 'All paths of a call are leased, or none',
    file: 'worker/leases/leases.ts',
    before: "if (held) return err({ reason: 'held', path: one.path, lease: held })",
    after:
      "if (held === leases[0] && held) return err({ reason: 'held', path: one.path, lease: held })",
    tests: ['test/worker/leases/model.laws.test.ts'],
  },
  {
    name: 'leases: a principal has as many as its sessions take',
    promise: 'A principal has 20 leases at most',
    file: 'worker/leases/leases.ts',
    before: 'holder.budget === budget).length',
    after: 'holder.key === first.holder.key).length',
    tests: LIMITS,
  },
  {
    name: 'leases: another one is named by a path that is not there',
    promise: KEPT_HIDDEN,
    file: 'worker/access/lease-view.ts',
    before: 'access.canRead(path) && store.stat(path) !== null',
    after: 'access.canRead(path)',
    tests: [...ACCESS, ...RESULTS],
  },
  {
    name: 'leases: another one is named to a caller that may only write',
    promise: KEPT_HIDDEN,
    file: 'worker/access/lease-view.ts',
    before: 'access.canRead(path) && store.stat(path) !== null',
    after: 'access.canWrite(path) && store.stat(path) !== null',
    tests: ACCESS,
  },
  {
    name: 'leases: a refusal names the holder of a hidden path',
    promise: 'A refusal names a holder only where the path may be read',
    file: 'worker/access/lease-view.ts',
    before: 'if (!context.access.canRead(path))',
    after: 'if (path.length === 0)',
    tests: ACCESS,
  },
  {
    name: 'leases: one covers what is kept from its holder',
    promise: 'A lease covers nothing that is kept from its holder alone',
    file: 'worker/access/access.ts',
    before: 'own.every((layer) => isOpen(layer, path))',
    after: 'own.some((layer) => isOpen(layer, path)) || own.length >= 0',
    tests: ACCESS,
  },
  {
    name: 'leases: a denial of the call is not looked at',
    promise: 'A lease covers nothing that is kept from its holder alone',
    file: 'worker/access/access.ts',
    before:
      'if (this.#area.denied.write.some((denied) => isWithin(denied, path))) return false\n    const',
    after: 'const',
    tests: ACCESS,
  },
  {
    name: 'leases: a binding one stops nothing',
    promise: 'Where leases are binding, a change of another agent is refused',
    file: 'worker/access/workspace.ts',
    before: '??\n    views.leases.refusalOf(steps)',
    after: '?? (steps.length < 0 ? views.leases.refusalOf(steps) : null)',
    tests: BINDING,
  },
  {
    name: 'leases: each of them is binding',
    promise: 'A lease is advice unless the owner makes it binding',
    file: 'worker/access/lease-view.ts',
    before: 'root.binding_leases && isWithin(path, root.path)',
    after: 'root.path.length > 0 && isWithin(path, root.path)',
    tests: BINDING,
  },
  {
    name: 'leases: previews do not name them',
    promise: 'A preview names what its call would name',
    file: 'worker/call/change.ts',
    before: 'appendUses(ran.value.outcome, uses)',
    after: 'appendUses(ran.value.outcome, metadata.preview ? [] : uses)',
    tests: RESULTS,
  },
]
