/** What was done last, in sentences. @module */

import type { Connection } from '../../connection/types.ts'
import { Changes } from '../parts/changes.tsx'
import { Empty, Fault, Waiting } from '../parts/parts.tsx'
import { listChanges, type Change } from '../state/changes.ts'
import { link, openConnection, touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'

const SHOWN = 7

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
      {error ? <Fault error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      {value?.length === 0 && <NothingDone />}
      {value && value.length > 0 && <Changes changes={value.slice(0, SHOWN)} among={value} />}
    </>
  )
}

async function latest(connection: Connection, signal: AbortSignal): Promise<readonly Change[]> {
  const { changes } = await listChanges(connection, { limit: 50 }, signal)
  // An import is written in batches that share an id, and is one deed to a person.
  const seen = new Set<string>()
  return changes.filter(({ id }) => !seen.has(id) && seen.add(id))
}

const NothingDone = () => (
  <Empty
    icon="activity"
    title="Nothing yet"
    actions={
      <>
        <a class="button" href={linkTo(['tools', 'write_file'], { args: FIRST })}>
          Write a first file
        </a>
        <a class="button" href={linkTo([], { do: 'import' })}>
          Import a folder
        </a>
      </>
    }
  >
    Every change appears here as a sentence, with its diff and a way back. Connect an agent, or make
    one yourself.
  </Empty>
)

const FIRST = JSON.stringify({
  path: 'hello.md',
  content: '# Hello\n\nWritten from the console.\n',
})
