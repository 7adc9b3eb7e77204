/**
 * The overview: contents, recent changes, permissions and setup, so that a new user understands the
 * workspace within a minute.
 *
 * @module
 */

import { Icon } from '../ui/icons.tsx'
import { Note, PageHead } from '../ui/parts.tsx'
import { getOverviewTitle } from '../shell/offered-pages.ts'
import { go, linkTo, route } from '../shell/route.ts'
import { ownBase, usePolling } from '../connect/workspace.ts'
import { AgentSetup } from '../connect/agent-setup.tsx'
import { describeWaiting, onlyDraftOf } from '../drafts/describe-waiting.ts'
import { waitingList } from '../drafts/waiting-list.ts'
import { RecentChanges } from './recent-changes.tsx'
import { Contents } from './contents.tsx'
import { Import } from '../files/import.tsx'
import { Permissions } from './permissions.tsx'

/** Shows the overview, with the import dialog if the address asks for it. */
export function Overview() {
  usePolling()
  return (
    <>
      <Head />
      <WaitingNotice />
      <div class="overview">
        <section class="card contents" aria-labelledby="contents">
          <Contents />
        </section>
        <section class="card recent" aria-labelledby="recent-changes">
          <RecentChanges />
        </section>
        <section class="card access" aria-labelledby="permissions">
          <Permissions />
        </section>
        <section class="card setup" aria-labelledby="setup">
          <AgentSetup />
        </section>
      </div>
      {route.value.query['do'] === 'import' && <Import onClose={() => go([])} />}
    </>
  )
}

/** Shows what waits, with a link; nothing while nothing does. */
function WaitingNotice() {
  const list = waitingList.value
  if (list === null || list.waiting === 0) return null
  const draft = onlyDraftOf(list)
  const path = draft === null ? ['waiting'] : ['waiting', draft.id]
  return (
    <div class="health">
      <Note tone="info" title={`${describeWaiting(list)}.`}>
        {list.waiting === 1
          ? 'It happens only after you approve it. '
          : 'They happen only after you approve them. '}
        <a href={linkTo(path)}>Review and decide</a>
      </Note>
    </div>
  )
}

function Head() {
  return (
    <PageHead title={getOverviewTitle()} actions={<HeadActions />}>
      The files of this workspace, what agents changed, and what they may do.
    </PageHead>
  )
}

function HeadActions() {
  const base = ownBase.value
  if (base === null) return null
  return (
    <>
      <a class="button" href={linkTo([], { do: 'import' })}>
        <Icon name="upload" /> Import
      </a>
      <a class="button" href={`${base}/export?from=%2F`} download="">
        <Icon name="download" /> Export
      </a>
    </>
  )
}
