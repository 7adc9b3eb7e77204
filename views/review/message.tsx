/** Messages while there is no change: waiting, running, cancelled, or a result in text. @module */

import type { Answered, Shown, Stage } from './stage.ts'
import { Intent, Passage, Visible } from './words.tsx'

/** Renders a state without a change. */
export function Message({ stage }: { readonly stage: Exclude<Stage, Shown> }) {
  if (stage.kind === 'waiting') return <h1 class="quiet">Waiting for a change…</h1>
  const { badge, tone = '', says = '' } = wordsFor(stage)
  return (
    <header aria-busy={stage.kind === 'writing'}>
      <p class="state" role={tone === 'failed' ? 'alert' : 'status'}>
        <b class={`badge ${tone}`}>{badge}</b>
        {says !== '' && (
          <span>
            <Visible text={says} />
          </span>
        )}
      </p>
      <h1 class={stage.sentence.length > 0 ? '' : 'visually-hidden'}>
        <bdi>
          <Intent sentence={stage.sentence} />
        </bdi>
        {stage.sentence.length === 0 && 'A change of files'}
      </h1>
      {stage.kind === 'answer' && <Answer {...stage} />}
    </header>
  )
}

interface Words {
  readonly badge: string
  readonly tone?: string
  readonly says?: string
}

function wordsFor(stage: Exclude<Stage, Shown | { kind: 'waiting' }>): Words {
  if (stage.kind === 'cancelled') return { badge: 'Cancelled', says: stage.reason }
  if (stage.kind === 'writing') return { badge: stage.complete ? 'Running…' : 'Being written…' }
  return stage.failed ? { badge: 'Failed', tone: 'failed' } : { badge: 'Done', tone: 'applied' }
}

function Answer({ texts }: Answered) {
  if (texts.length === 0) return <p class="quiet">The tool answered without a word.</p>
  return texts.map((text) => (
    <pre class="answer">
      <Passage text={text} />
    </pre>
  ))
}
