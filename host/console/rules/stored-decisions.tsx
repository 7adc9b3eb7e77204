/** The stored decisions of the user, with buttons to forget them. @module */

import { visible } from '#core/visible.ts'
import { useEffect, useState } from 'preact/hooks'
import type { StoredDecision } from '../../consent/types.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { coarseNow } from '../ui/clock.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { formatRemaining } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Badge, When } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { decisions } from '../tools/calls.ts'
import { askToConfirm } from '../questions/queue.ts'

export function StoredDecisions() {
  const list = useDecisions()
  const forgetAll = async () => {
    const yes = await askToConfirm({
      title: 'Forget all decisions?',
      text: 'The console asks you again about access that you allowed or denied.',
      yes: 'Forget all',
      danger: true,
    })
    if (yes) decisions.forgetAll()
  }
  return (
    <section class="card" aria-labelledby="decisions">
      <header>
        <h2 id="decisions">Your decisions</h2>
        {list.length > 1 && (
          <DecisionButton shown={list.length} look="quiet small" onDecide={() => void forgetAll()}>
            Forget all
          </DecisionButton>
        )}
      </header>
      {list.length === 0 ? (
        <p class="faint">
          No stored decisions. Access that you allow or deny for longer than one call appears here.
        </p>
      ) : (
        <ul class="lines">
          {list.map((stored) => (
            <Entry key={stored.id} stored={stored} />
          ))}
        </ul>
      )}
    </section>
  )
}

function useDecisions(): readonly StoredDecision[] {
  const [list, setList] = useState(() => decisions.list())
  useEffect(() => decisions.onChange(() => setList(decisions.list())), [])
  return list
}

function Entry({ stored }: { readonly stored: StoredDecision }) {
  const { id, decision, scope, server, expiresAt, madeAt } = stored
  return (
    <li class="row apart">
      <span>
        <Badge tone={decision === 'allow' ? 'success' : 'danger'}>{decision}</Badge>{' '}
        <Path text={scope} />{' '}
        <small class="faint">
          {expiresAt === null
            ? 'until this page is reloaded'
            : `${formatRemaining(expiresAt - coarseNow.value)} left`}{' '}
          · {server} · <When at={madeAt} />
        </small>
      </span>
      <DecisionButton
        shown={id}
        look="small"
        named={{ 'aria-label': `Forget: ${decision} ${visible(scope)}`, 'data-forget': id }}
        onDecide={() => {
          focusBeside(`[data-forget="${CSS.escape(id)}"]`, '[data-forget]')
          decisions.forget(id)
        }}
      >
        <Icon name="trash" /> Forget
      </DecisionButton>
    </li>
  )
}
