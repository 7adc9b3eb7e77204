/** What an open app may read, as the person answered, with a button to ask again for each answer. @module */

import { visible } from '#core/visible.ts'
import { useRef } from 'preact/hooks'
import type { AppReads, KeptRead } from '../questions/app-reads.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { focusBeside } from '../ui/focus-beside.ts'
import { Badge } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'

/** Shows the answers, and the switch *ask each time*; nothing before the first one. */
export function KeptReads({ reads }: { readonly reads: AppReads }) {
  const kept = reads.kept.value
  const eachTime = reads.eachTime.value
  const isShown = useRef(false)
  isShown.current ||= kept.length > 0 || eachTime
  if (!isShown.current) return null
  return (
    <details class="eventlog" open={eachTime} data-testid="kept-reads">
      <summary>What this app may read ({kept.length})</summary>
      <div class="stack">
        <p class="faint small">Your answers hold until the app is closed.</p>
        <ul class="lines small">
          {kept.map((read) => (
            <Entry key={`${read.claim} ${read.tool}`} read={read} onForget={reads.forget} />
          ))}
        </ul>
        <Checkbox checked={eachTime} onChange={reads.setEachTime}>
          Ask each time this app reads
        </Checkbox>
      </div>
    </details>
  )
}

interface EntryProps {
  readonly read: KeptRead
  readonly onForget: AppReads['forget']
}

function Entry({ read, onForget }: EntryProps) {
  const { isAllowed, title, tool, claim } = read
  const name = visible(title)
  return (
    <li class="row apart">
      <span>
        <Badge tone={isAllowed ? 'success' : 'danger'}>{isAllowed ? 'allowed' : 'denied'}</Badge>{' '}
        <Visible text={title} />{' '}
        <code>
          <Visible text={tool} />
        </code>
        {claim === 'previews' && ' (previews)'}
      </span>
      <DecisionButton
        shown={read}
        look="small"
        named={{ 'aria-label': `Ask again about ${name}`, 'data-ask-again': tool }}
        onDecide={() => {
          focusBeside(`[data-ask-again="${CSS.escape(tool)}"]`, '[data-ask-again]')
          onForget(read)
        }}
      >
        Ask again
      </DecisionButton>
    </li>
  )
}
