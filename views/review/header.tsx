/** Header of a change: state, intent, number of changed lines, actions. @module */

import type { ComponentChildren } from 'preact'
import { SafeSentence } from '../safe-path.tsx'
import { pluralize, SafeLine, SafeText, ShortText } from '../safe-text.tsx'
import { ActionButtons } from './action-buttons.tsx'
import { LineCounts } from '../diff/line-counts.tsx'
import type { Session } from './session.ts'
import type { ShownChange, Status } from './store.ts'

const STATUS: Readonly<Record<Status, { badge: string; hint: string }>> = {
  previewed: { badge: 'Preview', hint: 'Nothing has been changed yet' },
  applied: { badge: 'Applied', hint: '' },
  undone: { badge: 'Undone', hint: 'The files are as they were before' },
  failed: { badge: 'Failed', hint: 'Nothing has been changed' },
  stale: {
    badge: 'Out of date',
    hint: 'The files were changed after this preview, so it was not applied',
  },
  held: { badge: 'Waits for approval', hint: 'Nothing has been changed yet' },
  refused: { badge: 'Turned down', hint: 'Nothing has been changed' },
  expired: { badge: 'Expired', hint: 'This preview is no longer kept. Preview again to apply it' },
}

export interface HeaderProps {
  readonly shown: ShownChange
  readonly session: Session
  readonly children?: ComponentChildren
}

/** Renders the header of a change. */
export function Header({ shown, session, children }: HeaderProps) {
  const { change, status, error } = shown
  return (
    <header>
      {!change.isListed && <Title {...shown} />}
      {error !== null && (
        <p class="problem" role="alert">
          <SafeText text={error} />
        </p>
      )}
      <div class="bar">
        <p class="sum">
          {!change.isListed && pluralize(change.stats.files, 'file')}{' '}
          <LineCounts {...change.stats} />
        </p>
        {children}
        {status === 'held' && change.draft?.url && (
          <button onClick={() => void session.openDraft()}>Open to decide</button>
        )}
        <ActionButtons shown={shown} session={session} />
      </div>
    </header>
  )
}

/** State and sentence; a host that lists the files itself shows its own. */
function Title({ change, status }: ShownChange) {
  const { badge, hint } = STATUS[status]
  return (
    <>
      <p class="state" role="status">
        <b class={`badge ${status}`}>{badge}</b>
        <code>
          <SafeLine text={change.tool} />
        </code>
        {hint !== '' && <span>{hint}</span>}
      </p>
      <h1>
        <bdi>
          <ShortText text={change.intent} as={SafeSentence} />
        </bdi>
      </h1>
    </>
  )
}
