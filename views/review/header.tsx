/** Header of a review: intent, status and actions. @module */

import type { ComponentChildren } from 'preact'
import { Actions } from './actions.tsx'
import type { Session } from './session.ts'
import type { Shown, Status } from './stage.ts'
import { counted, Counts, Passage, Shortened, Visible } from './words.tsx'

const STATUS: Readonly<Record<Status, { badge: string; says: string }>> = {
  previewed: { badge: 'Preview', says: 'Nothing has been changed yet' },
  applied: { badge: 'Applied', says: '' },
  undone: { badge: 'Undone', says: 'The files are as they were before' },
  failed: { badge: 'Failed', says: 'Nothing has been changed' },
  stale: {
    badge: 'Out of date',
    says: 'The files were changed after this preview, so it was not applied',
  },
  expired: { badge: 'Expired', says: 'This preview was kept for a while, which is over' },
}

/** Props of {@link Header}. */
export interface HeaderProps {
  readonly shown: Shown
  readonly session: Session
  readonly children?: ComponentChildren
}

/** Renders the header of a change. */
export function Header({ shown, session, children }: HeaderProps) {
  const { change, status, problem } = shown
  const { badge, says } = STATUS[status]
  return (
    <header>
      <p class="state" role="status">
        <b class={`badge ${status}`}>{badge}</b>
        <code>
          <Visible text={change.tool} />
        </code>
        {says !== '' && <span>{says}</span>}
      </p>
      <h1>
        <bdi>
          <Shortened text={change.intent} />
        </bdi>
      </h1>
      {problem !== null && (
        <p class="problem" role="alert">
          <Passage text={problem} />
        </p>
      )}
      <div class="bar">
        <p class="sum">
          {counted(change.stats.files, 'file')} <Counts {...change.stats} />
        </p>
        {children}
        <Actions shown={shown} session={session} />
      </div>
    </header>
  )
}
