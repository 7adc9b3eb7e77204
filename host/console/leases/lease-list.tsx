/**
 * What agents and WebDAV clients have leased, each with the time left and a button that ends it.
 * `test/host/console/leases.test.tsx` tests it.
 *
 * @module
 */

import type { ShownLease } from '#core/owner/answers/leases.ts'
import { visible } from '#core/visible.ts'
import { revision } from '../connect/connection.ts'
import { basePath, ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { ClaimedName, ClaimedText } from '../ui/claimed-name.tsx'
import { now } from '../ui/clock.ts'
import { endListed } from '../ui/end-listed.ts'
import { formatRemaining } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'

/** Loads the leases that are in force; null where the server is another one. */
function useLeases() {
  const base = ownBase.value
  return useLoad(
    async (signal) => (base === null ? null : sendAct(base, 'list_leases', { signal })),
    [base, revision.value],
  )
}

/** Shows all leases of the workspace; nothing without any. */
export function AllLeases() {
  const { value, error, reload } = useLeases()
  if (error) return <Fault what="Cannot read the leases" error={error} retry={reload} />
  if (!value || value.leases.length === 0) return null
  return (
    <section class="card leases" aria-labelledby="leases">
      <header>
        <h2 id="leases">Leases</h2>
      </header>
      <p class="faint">
        Files and folders on which one agent works alone. Other agents learn of them in their
        results. Your own changes are never stopped.
      </p>
      <ul class="lines" aria-label="Leases">
        {value.leases.map((lease) => (
          <Line key={lease.id} lease={lease} onEnded={reload} />
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  readonly lease: ShownLease
  readonly onEnded: () => void
}

function Line({ lease, onEnded }: LineProps) {
  const { id, kind, path, until, note } = lease
  const end = async () => {
    await endListed({ attribute: 'data-end-lease', id }, () =>
      sendAct(basePath.value, 'end_lease', { segments: { lease: id } }),
    )
    onEnded()
  }
  return (
    <li class="row apart">
      <span>
        <Path text={path} /> by <Holder lease={lease} />
        {note !== '' && (
          <>
            : <ClaimedText text={note} />
          </>
        )}{' '}
        <Badge>
          {kind === 'lock' ? 'WebDAV lock' : 'lease'}, {formatRemaining(until - now.value)} left
        </Badge>
      </span>
      <button type="button" class="button small" data-end-lease={id} onClick={() => void end()}>
        End now<span class="unseen"> the lease of {visible(path)}</span>
      </button>
    </li>
  )
}

/** Names the holder, which is a claim; one without a name by its principal. */
function Holder({ lease: { label, client, principal } }: { readonly lease: ShownLease }) {
  return (
    <>
      <ClaimedName name={label ?? client ?? principal} />
      {label !== null && client !== null && (
        <>
          {' '}
          (client <ClaimedName name={client} />)
        </>
      )}
    </>
  )
}
