/** The stored decisions of the user, with buttons to forget them. @module */

import { visible } from '#core/visible.ts'
import { useEffect, useState } from 'preact/hooks'
import type { Rule } from '../../consent/types.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { coarseNow } from '../ui/clock.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { formatRemaining } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Badge, When } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { rules } from '../tools/calls.ts'
import { askToConfirm } from '../questions/queue.ts'

/** Shows the stored decisions. */
export function StoredDecisions() {
  const list = useRules()
  const forgetAll = async () => {
    const yes = await askToConfirm({
      title: 'Forget all decisions?',
      text: 'The console asks you again about access that you allowed or denied.',
      yes: 'Forget all',
      danger: true,
    })
    if (yes) rules.forgetAll()
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
          {list.map((rule) => (
            <Entry key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
    </section>
  )
}

function useRules(): readonly Rule[] {
  const [list, setList] = useState(() => rules.list())
  useEffect(() => rules.onChange(() => setList(rules.list())), [])
  return list
}

function Entry({ rule }: { readonly rule: Rule }) {
  const { id, decision, scope, server, expiresAt, madeAt } = rule
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
          rules.forget(id)
        }}
      >
        <Icon name="trash" /> Forget
      </DecisionButton>
    </li>
  )
}
