/**
 * The overview: contents, recent changes, permissions and setup, so that a new user understands the
 * workspace within a minute.
 *
 * @module
 */

import { Icon } from '../parts/icons.tsx'
import { PageHead } from '../parts/parts.tsx'
import { overviewTitle } from '../state/pages.ts'
import { go, linkTo, route } from '../state/route.ts'
import { useWatch } from '../state/watch.ts'
import { api } from '../state/workspace.ts'
import { AgentSetup } from './agent-setup.tsx'
import { Did } from './did.tsx'
import { Holds } from './holds.tsx'
import { Import } from './import.tsx'
import { May } from './may.tsx'

/** Shows the overview, with the import dialog if the address asks for it. */
export function Overview() {
  useWatch()
  return (
    <>
      <Head />
      <div class="overview">
        <section class="card holds" aria-labelledby="holds">
          <Holds />
        </section>
        <section class="card did" aria-labelledby="did">
          <Did />
        </section>
        <section class="card may" aria-labelledby="may">
          <May />
        </section>
        <section class="card setup" aria-labelledby="setup">
          <AgentSetup />
        </section>
      </div>
      {route.value.query['do'] === 'import' && <Import onClose={() => go([])} />}
    </>
  )
}

function Head() {
  return (
    <PageHead title={overviewTitle()} actions={<HeadActions />}>
      Files that agents work on while you watch: what they did, what they may do, and a way back.
    </PageHead>
  )
}

function HeadActions() {
  const from = api.value
  if (from === null) return null
  return (
    <>
      <a class="button" href={linkTo([], { do: 'import' })}>
        <Icon name="upload" /> Import
      </a>
      <a class="button" href={from.exportUrl()} download="">
        <Icon name="download" /> Export
      </a>
    </>
  )
}
