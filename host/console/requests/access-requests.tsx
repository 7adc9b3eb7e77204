/**
 * Access requests that wait for the owner, and allowed calls that were not made yet. Only a real click decides.
 * `test/host/console/access-requests.test.tsx` covers it, `test/pages/console/requests.test.ts` the page.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { waitingList } from '../drafts/waiting-list.ts'
import { coarseNow } from '../ui/clock.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatRemaining } from '../ui/format.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'
import { useNames } from '../ui/same-name.tsx'
import type { AllowedCall } from '#core/owner/answers/requests.ts'
import { CallerName, RequestCard } from './request-card.tsx'
import { useRequests } from './use-requests.ts'

interface Props {
  /** The URL of the workspace, without a slash at its end. */
  readonly base: string
  /** What comes between the requests and the allowed calls, which come and go as agents call. */
  readonly children?: ComponentChildren
}

/** Lists the access requests. */
export function AccessRequests({ base, children }: Props) {
  const shown = useRequests(base)
  useNames(
    'requests',
    shown.requests.map(({ row }) => row),
  )
  const { requests, allowed, isRead, error, loadError, reload, isBusy, decide, takeBack } = shown
  return (
    <>
      {!isRead && !loadError && waitingList.value?.requests ? <Waiting /> : null}
      {(requests.length > 0 || loadError || error) && (
        <section class="requests" aria-labelledby="access-requests">
          <h2 id="access-requests">Access requests</h2>
          {error ? <Fault what="Cannot decide" error={error} /> : null}
          {loadError ? (
            <Fault what="Cannot read the access requests" error={loadError} retry={reload} />
          ) : null}
          <ul>
            {requests.map(({ row, outcome }) => (
              <li key={row.id}>
                <RequestCard
                  row={row}
                  outcome={outcome}
                  isBusy={isBusy}
                  decide={(verdict) => void decide(row.id, verdict)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
      {allowed.length > 0 && (
        <AllowedCalls rows={allowed} isBusy={isBusy} takeBack={(id) => void takeBack(id)} />
      )}
    </>
  )
}

interface AllowedProps {
  readonly rows: readonly AllowedCall[]
  readonly isBusy: boolean
  readonly takeBack: (id: string) => void
}

function AllowedCalls({ rows, isBusy, takeBack }: AllowedProps) {
  return (
    <section class="requests" aria-labelledby="allowed-calls">
      <h2 id="allowed-calls">Allowed, and not used yet</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.id} class="card row apart">
            <span>
              <Sentence text={row.intent || row.tool} />{' '}
              <small class="faint">
                <CallerName call={row} />, for {formatRemaining(row.until - coarseNow.value)}
              </small>
            </span>
            <DecisionButton
              shown={row.id}
              look="small"
              named={{ 'data-allowed': row.id }}
              isOff={isBusy}
              onDecide={() => takeBack(row.id)}
            >
              Take back
            </DecisionButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
