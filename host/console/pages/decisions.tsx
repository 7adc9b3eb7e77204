/** The stored decisions of the user, with buttons to forget them. @module */

import { useEffect, useState } from 'preact/hooks'
import type { Rule } from '../../consent/types.ts'
import { byHand } from '../parts/by-hand.ts'
import { focusBeside } from '../parts/focus-beside.ts'
import { Icon } from '../parts/icons.tsx'
import { Badge, When } from '../parts/parts.tsx'
import { Visible } from '../parts/visible.tsx'
import { rules } from '../state/calls.ts'
import { confirmed } from '../state/questions.ts'

/** Shows the stored decisions. */
export function Decisions() {
  const list = useRules()
  const forgetAll = async () => {
    const yes = await confirmed({
      title: 'Forget all decisions?',
      text: 'You will be asked again, whatever you said before.',
      yes: 'Forget them',
      danger: true,
    })
    if (yes) rules.forgetAll()
  }
  return (
    <section class="card" aria-labelledby="decisions">
      <header>
        <h2 id="decisions">What you decided</h2>
        {list.length > 1 && (
          <button type="button" class="button quiet small" onClick={byHand(() => void forgetAll())}>
            Forget all
          </button>
        )}
      </header>
      {list.length === 0 ? (
        <p class="faint">
          Nothing is remembered. When a call asks for more and you answer for longer than this call,
          it stands here, and you can take it back.
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
  const { id, decision, scope, server, duration, madeAt } = rule
  return (
    <li class="row apart">
      <span>
        <Badge tone={decision === 'allow' ? 'success' : 'danger'}>{decision}</Badge>{' '}
        <code>
          <Visible text={scope} />
        </code>{' '}
        <small class="faint">
          {duration === 'always' ? 'always' : 'until this tab is closed'} · {server} ·{' '}
          <When at={madeAt} />
        </small>
      </span>
      <button
        type="button"
        class="button small"
        aria-label={`Forget: ${decision} ${scope}`}
        data-forget={id}
        onClick={byHand(() => {
          focusBeside(`[data-forget="${CSS.escape(id)}"]`, '[data-forget]')
          rules.forget(id)
        })}
      >
        <Icon name="trash" /> Forget
      </button>
    </li>
  )
}
