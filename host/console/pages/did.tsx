/** Recent changes, for the overview. @module */

import type { Connection } from '../../connection/types.ts'
import { Changes } from '../parts/changes.tsx'
import { Empty, Fault, Waiting } from '../parts/parts.tsx'
import { listChanges, once, type Change } from '../state/changes.ts'
import { link, openConnection, touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'

const SHOWN = 5

/** Shows the latest changes, or what to do first if there are none. */
export function Did() {
  const { value, error, isLoading, reload } = useLoad(
    (signal) => latest(openConnection(), signal),
    [link.value, touched.value],
  )
  return (
    <>
      <header>
        <h2 id="did">What was done</h2>
        {value && value.length > 0 && <a href={linkTo(['activity'])}>All activity</a>}
      </header>
      {error ? <Fault what="The changes could not be read." error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      {value?.length === 0 && <NothingDone />}
      {value && value.length > 0 && <Changes changes={value.slice(0, SHOWN)} among={value} />}
    </>
  )
}

async function latest(connection: Connection, signal: AbortSignal): Promise<readonly Change[]> {
  const { changes } = await listChanges(connection, { limit: 50 }, signal)
  return once(changes)
}

const NothingDone = () => (
  <Empty
    icon="activity"
    title="Nothing yet"
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
    Every change appears here as a sentence, with its diff and a way back. Connect an agent, or make
    one yourself.
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
