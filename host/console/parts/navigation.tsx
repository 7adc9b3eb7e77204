/** The navigation: the pages in groups, and the connected server. @module */

import { health, link } from '../state/link.ts'
import { pages, type PageEntry } from '../state/pages.ts'
import { isSignedOut } from '../state/person.ts'
import { linkTo, route } from '../state/route.ts'
import { target } from '../state/target.ts'
import { workspace } from '../state/workspace.ts'
import { Visible } from './visible.tsx'
import { Icon } from './icons.tsx'

/** Shows the connected server and the state of the connection. */
export function Place() {
  const { state } = link.value
  const alive = state === 'ready' && health.value.name === 'reconnecting' ? 'connecting' : state
  const isOut = isSignedOut.value
  const title =
    link.value.state === 'ready' ? link.value.connection.server.title : WORDS[link.value.state]
  return (
    <a class="place" href={linkTo(['connect'])} title="Look at another server">
      <span class={`dot ${isOut ? 'failed' : alive}`} />
      <strong>
        <Visible text={workspace.value === null ? title : `Workspace ${workspace.value}`} />
      </strong>
      <Icon name="arrow" />
      <small>
        {isOut ? 'Signed out' : state === 'ready' ? new URL(target.value.url).host : WORDS[state]}
      </small>
    </a>
  )
}

const WORDS = { ready: 'Connected', connecting: 'Connecting…', failed: 'No connection' } as const

/** Shows the pages as links, in groups. */
export function Navigation({
  label,
  onGo,
}: {
  readonly label: string
  readonly onGo?: () => void
}) {
  const [current = ''] = route.value.path
  const groups = Map.groupBy(pages.value, ({ group }) => group)
  return (
    <nav class="nav" aria-label={label} onClick={onGo}>
      {[...groups.values()].map((group, index) => (
        <ul key={index}>
          {group.map((page) => (
            <li key={page.name}>
              <PageLink page={page} current={current} />
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}

/** Shows the link to one page. */
export function PageLink({
  page,
  current,
}: {
  readonly page: PageEntry
  readonly current: string
}) {
  const { name, title, icon } = page
  return (
    <a
      href={linkTo(name === '' ? [] : [name])}
      aria-current={name === current ? 'page' : undefined}
    >
      <Icon name={icon} />
      {title}
    </a>
  )
}
