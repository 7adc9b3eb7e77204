/** `/leases`: the leases that are in force, and their end. `test/worker/leases/owner.test.ts` has the cases. @module */

import { quoteValue } from '#core/quote.ts'
import { nameHolder, type Lease } from '../access/lease.ts'
import { refuse } from '../errors/respond.ts'
import { defineOwnerAct, type Asked, type OwnerAct, type OwnerServices } from './act.ts'

/** What is leased, and the end of a lease. */
export const LEASE_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_leases', ({ answer }, { leases }) =>
    answer({ leases: leases.list().map(toJson) }),
  ),
  defineOwnerAct('end_lease', endLease),
]

const toJson = ({ id, kind, path, isDeep, holder, note, taken, until }: Lease) => {
  const { principal, session, label, client } = holder
  return { id, kind, path, deep: isDeep, principal, session, label, client, note, taken, until }
}

function endLease(
  { segment, note, answer }: Asked<'end_lease'>,
  { leases }: OwnerServices,
): Response {
  const id = segment('lease')
  const lease = leases.find(id)
  if (!lease)
    return refuse(404, 'NOT_FOUND', 'Cannot end the lease: it does not exist, or has ended.')
  leases.release(id)
  const { path, holder } = lease
  const intent = `End the lease of ${nameHolder(holder)} on ${quoteValue(path)}`
  note({ tool: 'end_lease', intent, request: id, paths: [path] })
  return answer(null)
}
