/** The navigation: the pages in groups, and the connected server. @module */

import { health, connectionStatus } from '../connect/connection.ts'
import { waitingCount } from '../drafts/waiting-list.ts'
import { formatNumber } from '../ui/format.ts'
import { offeredPages } from './offered-pages.ts'
import type { PageInfo } from './pages.ts'
import { isSignedOut } from '../connect/http.ts'
import { linkTo, route } from './route.ts'
import { target } from '../connect/target.ts'
import { workspace } from '../connect/workspace.ts'
import { Visible } from '../ui/visible.tsx'
import { Icon } from '../ui/icons.tsx'

/** Shows the connected server and the state of the connection. */
export function ServerLink() {
  const { state } = connectionStatus.value
  const alive = state === 'ready' && health.value.name === 'reconnecting' ? 'connecting' : state
  const isOut = isSignedOut.value
  const title =
    connectionStatus.value.state === 'ready'
      ? connectionStatus.value.connection.server.title
      : STATE_LABELS[connectionStatus.value.state]
  return (
    <a class="place" href={linkTo(['connect'])} title="Connect to another server">
      <span class={`dot ${isOut ? 'failed' : alive}`} />
      <strong>
        <Visible text={workspace.value === null ? title : `Workspace ${workspace.value}`} />
      </strong>
      <Icon name="arrow" />
      <small>
        {isOut
          ? 'Signed out'
          : state === 'ready'
            ? new URL(target.value.url).host
            : STATE_LABELS[state]}
      </small>
    </a>
  )
}

const STATE_LABELS = {
  ready: 'Connected',
  connecting: 'Connecting…',
  failed: 'No connection',
} as const

/** Shows the pages as links, in groups. */
export function Navigation({
  label,
  onGo,
}: {
  readonly label: string
  readonly onGo?: () => void
}) {
  const [current = ''] = route.value.path
  const groups = Map.groupBy(offeredPages.value, ({ group }) => group)
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

export function PageLink({ page, current }: { readonly page: PageInfo; readonly current: string }) {
  const { name, title, icon } = page
  return (
    <a
      href={linkTo(name === '' ? [] : [name])}
      aria-current={name === current ? 'page' : undefined}
    >
      <Icon name={icon} />
      <span>{title}</span>
      {name === 'waiting' && <WaitingBadge />}
    </a>
  )
}

const MAX_SHOWN = 999

/** Shows how many changes wait, while some do. */
function WaitingBadge() {
  const count = waitingCount.value
  if (count === 0) return null
  const text = count > MAX_SHOWN ? `${formatNumber(MAX_SHOWN)}+` : formatNumber(count)
  return <span class="many live">{text}</span>
}
