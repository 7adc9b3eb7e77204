/**
 * The page "Waiting for you": the drafts of agents, and one draft with what it changes.
 * `test/pages/console/waiting.test.ts` decides on them by mouse and by keyboard.
 *
 * @module
 */

import { AppApprovals } from '../app-approvals/app-approvals.tsx'
import { basePath } from '../connect/workspace.ts'
import { PasskeyNotes } from '../passkeys/notes.tsx'
import { AccessRequests } from '../requests/access-requests.tsx'
import { linkTo, route } from '../shell/route.ts'
import { SkillApprovals } from '../skills/skill-approvals.tsx'
import { formatNumber } from '../ui/format.ts'
import { newRowCount, showNewRows, useHeld } from '../ui/held.ts'
import { Icon } from '../ui/icons.tsx'
import { useNames } from '../ui/same-name.tsx'
import { Empty, Fault, PageHead, Waiting } from '../ui/parts.tsx'
import { DecisionNote } from './decision-note.tsx'
import { DraftCard } from './draft-card.tsx'
import { DraftPage } from './draft.tsx'
import type { DraftSummary } from '#core/owner/answers/drafts.ts'
import { moveByKeys } from './keys.ts'
import { NotifiedChanges } from './notified-changes.tsx'
import { refreshWaiting, waitingError, waitingList } from './waiting-list.ts'

/** Shows one draft, or the list of all. */
export function WaitingForYou() {
  const [, id] = route.value.path
  return id === undefined ? <AllDrafts key={basePath.value} /> : <DraftPage key={id} id={id} />
}

function AllDrafts() {
  const list = waitingList.value
  const error = waitingError.value
  return (
    <>
      <PageHead
        title="Waiting for you"
        actions={
          <>
            <News />
            <a class="button" href={linkTo(['notifications'])}>
              <Icon name="bell" /> Notifications
            </a>
          </>
        }
      >
        Changes of agents that are applied only after you approve them, and calls that need more
        access than the agent has.
      </PageHead>
      <div class="stack">
        <DecisionNote />
        {error ? (
          <Fault what="Cannot read what waits" error={error} retry={refreshWaiting} />
        ) : null}
        {!list && !error && <Waiting />}
        <PasskeyNotes hasConfirm={false} />
        {list && <DraftList drafts={list.drafts} />}
        <AccessRequests base={basePath.value}>
          <AppApprovals base={basePath.value} />
          <SkillApprovals base={basePath.value} />
          {list?.waiting === 0 && !error && <NothingWaits />}
          <NotifiedChanges />
        </AccessRequests>
      </div>
    </>
  )
}

/** Its room is kept while there is nothing new, so that it moves no button when it appears. */
const News = () => (
  <span class={newRowCount.value === 0 ? 'keptroom' : ''} role="status">
    <button type="button" class="button" onClick={showNewRows}>
      <Icon name="down" /> Show {formatNumber(newRowCount.value)} new
    </button>
  </span>
)

const NothingWaits = () => (
  <Empty
    icon="waiting"
    title="Nothing waits"
    actions={
      <a class="button" href={linkTo(['rules'])}>
        Choose what has to wait
      </a>
    }
  >
    Where the rules ask for your approval, the changes of agents appear here before they are
    applied. A call beyond what an agent may use appears here as well.
  </Empty>
)

function DraftList({ drafts }: { readonly drafts: readonly DraftSummary[] }) {
  const held = useHeld(drafts, ({ id }) => id)
  useNames(
    'drafts',
    held.map(({ row }) => row),
  )
  if (held.length === 0) return null
  return (
    <>
      <ul class="drafts" aria-label="Drafts" onKeyDown={moveByKeys('.drafts a')}>
        {held.map(({ row: draft, isGone }) => (
          <li key={draft.id}>
            <DraftCard draft={draft} isGone={isGone} />
          </li>
        ))}
      </ul>
      <p class="keys">
        <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open
      </p>
    </>
  )
}
