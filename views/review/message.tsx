/** Messages while there is no change: waiting, running, cancelled, or a result in text. @module */

import { SafeLine, SafeText } from '../safe-text.tsx'
import { Intent } from './intent.tsx'
import type { ReviewState, ShownChange, TextResult } from './store.ts'

/** Renders a state without a change. */
export function Message({ state }: { readonly state: Exclude<ReviewState, ShownChange> }) {
  if (state.kind === 'waiting') return <h1 class="quiet">Waiting for a change…</h1>
  const { badge, tone = '', hint = '' } = describe(state)
  return (
    <header aria-busy={state.kind === 'pending'}>
      <p class="state" role={tone === 'failed' ? 'alert' : 'status'}>
        <b class={`badge ${tone}`}>{badge}</b>
        {hint !== '' && (
          <span>
            <SafeLine text={hint} />
          </span>
        )}
      </p>
      <h1 class={state.sentence.length > 0 ? '' : 'visually-hidden'}>
        <bdi>
          <Intent sentence={state.sentence} />
        </bdi>
        {state.sentence.length === 0 && 'Change to files'}
      </h1>
      {state.kind === 'text' && <ResultText {...state} />}
    </header>
  )
}

interface Description {
  readonly badge: string
  readonly tone?: string
  readonly hint?: string
}

function describe(state: Exclude<ReviewState, ShownChange | { kind: 'waiting' }>): Description {
  if (state.kind === 'cancelled') return { badge: 'Cancelled', hint: state.reason }
  if (state.kind === 'pending') return { badge: state.complete ? 'Running…' : 'Being written…' }
  return state.failed ? { badge: 'Failed', tone: 'failed' } : { badge: 'Done', tone: 'applied' }
}

function ResultText({ texts }: TextResult) {
  if (texts.length === 0) return <p class="quiet">The result has no text.</p>
  return texts.map((text) => (
    <pre class="answer">
      <SafeText text={text} />
    </pre>
  ))
}
