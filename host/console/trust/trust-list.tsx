/**
 * Trust that is in force, each with the time left and a button that ends it: of one session, or of all.
 * `test/host/console/trust.test.tsx` tests it.
 *
 * @module
 */

import { joinWords } from '#core/join-words.ts'
import { describeKind, type GivenTrust } from '#core/owner/answers/trust.ts'
import { visible } from '#core/visible.ts'
import { revision } from '../connect/connection.ts'
import { basePath, ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { now } from '../ui/clock.ts'
import { endListed } from '../ui/end-listed.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatRemaining } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { TrustActor } from './trust-dialog.tsx'

/** Loads the trust that is in force; null where the server is another one. */
export function useTrust() {
  const base = ownBase.value
  return useLoad(
    async (signal) => (base === null ? null : sendAct(base, 'list_trust', { signal })),
    [base, revision.value],
  )
}

/** Shows all trust of the workspace, as a section of the rules. */
export function AllTrust() {
  const { value, error, reload } = useTrust()
  return (
    <section class="card" aria-labelledby="trust">
      <header>
        <h2 id="trust">Passes without your decision</h2>
      </header>
      {error ? <Fault what="Cannot read what passes" error={error} retry={reload} /> : null}
      {value && <TrustLines trusts={value.trusts} isNamed onEnded={reload} />}
      {value?.trusts.length === 0 && (
        <p class="faint">Nothing. What you let pass for a time while you review appears here.</p>
      )}
    </section>
  )
}

interface LinesProps {
  readonly trusts: readonly GivenTrust[]
  /** Whether each line names its session. */
  readonly isNamed?: boolean
  readonly onEnded: () => void
}

/** Shows one line for each; nothing without any. */
export function TrustLines({ trusts, isNamed = false, onEnded }: LinesProps) {
  if (trusts.length === 0) return null
  return (
    <ul class="lines" aria-label="Passes without your decision">
      {trusts.map((trust) => (
        <Line key={trust.id} trust={trust} isNamed={isNamed} onEnded={onEnded} />
      ))}
    </ul>
  )
}

interface LineProps extends Required<Omit<LinesProps, 'trusts'>> {
  readonly trust: GivenTrust
}

function Line({ trust, isNamed, onEnded }: LineProps) {
  const { id, folder, tools, kinds, until } = trust
  const end = async () => {
    await endListed({ attribute: 'data-end-trust', id }, () =>
      sendAct(basePath.value, 'end_trust', { segments: { trust: id } }),
    )
    onEnded()
  }
  return (
    <li class="row apart">
      <span>
        {isNamed && (
          <>
            <TrustActor trust={trust} />:{' '}
          </>
        )}
        {joinWords(tools)} in <Path text={folder} />
        {kinds.length > 0 && `, with ${joinWords(kinds.map(describeKind))}`}{' '}
        <Badge tone="warning">passes, {formatRemaining(until - now.value)} left</Badge>
      </span>
      <DecisionButton
        shown={id}
        look="small"
        named={{ 'data-end-trust': id }}
        onDecide={() => void end()}
      >
        End now<span class="unseen"> what passes in {visible(folder)}</span>
      </DecisionButton>
    </li>
  )
}
