/** Recent changes, for the overview. @module */

import type { Connection } from '../../mcp/connection.ts'
import { Changes } from '../activity/change-list.tsx'
import { Empty, Fault, Waiting } from '../ui/parts.tsx'
import { listApplied, removeDuplicates, type ChangePage } from '../activity/changes.ts'
import { connectionStatus, openConnection, revision } from '../connect/connection.ts'
import { useLoad } from '../ui/load.ts'
import { linkTo } from '../shell/route.ts'

const MAX_SHOWN = 5

/** Changes that are read for these rows: one row can be an approval of many. */
const MAX_READ = 100

/** Shows the latest changes, or what to do first if there are none. */
export function RecentChanges() {
  const { value, error, isLoading, reload } = useLoad(
    (signal) => readLatestChanges(openConnection(), signal),
    [connectionStatus.value, revision.value],
  )
  return (
    <>
      <header>
        <h2 id="recent-changes">Recent changes</h2>
        {value && value.changes.length > 0 && <a href={linkTo(['activity'])}>All activity</a>}
      </header>
      {error ? <Fault what="Cannot read the changes" error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      {value?.changes.length === 0 && <NothingDone />}
      {value && value.changes.length > 0 && (
        <Changes changes={value.changes} most={MAX_SHOWN} hasOlder={value.next !== null} />
      )}
    </>
  )
}

async function readLatestChanges(connection: Connection, signal: AbortSignal): Promise<ChangePage> {
  const page = await listApplied(connection, { limit: MAX_READ }, signal)
  return { ...page, changes: removeDuplicates(page.changes) }
}

const NothingDone = () => (
  <Empty
    icon="activity"
    title="No changes yet"
    actions={
      <>
        <button type="button" class="button primary" onClick={showSetup}>
          Connect an agent
        </button>
        <a class="button" href={linkTo(['tools', 'write_file'], { args: FIRST })}>
          Write a first file
        </a>
      </>
    }
  >
    Changes appear here with their diffs, and can be undone. Connect an agent, or write a file
    yourself.
  </Empty>
)

/** Scrolls to the setup section of the same page. */
function showSetup(): void {
  const heading = document.getElementById('setup')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

const FIRST = JSON.stringify({
  path: 'hello.md',
  content: '# Hello\n\nWritten from the console.\n',
})
