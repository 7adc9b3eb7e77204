/** An open app, with a log of its events. @module */

import { visible } from '#core/visible.ts'
import { useState } from 'preact/hooks'
import type { McpView } from '../../view/element.ts'
import type { EmulatedHost } from '../emulation/hosts.ts'
import { linkTo } from '../shell/route.ts'
import { Icon } from '../ui/icons.tsx'
import { Badge } from '../ui/parts.tsx'
import { textIn } from '../ui/storage.ts'
import { AppTools } from './app-tools.tsx'
import { EventLog, useEventLog } from './event-log.tsx'
import { View } from './view.tsx'
import { Visible } from '../ui/visible.tsx'

/** The app that shows one change. */
const REVIEW_APP = 'ui://edgewise/review'

export interface OpenApp {
  readonly key: number
  readonly uri: string
  readonly title: string
}

/** Shows an app with its log and the buttons to reload and close it. */
export function AppWindow({
  app,
  as,
  onClose,
}: {
  readonly app: OpenApp
  readonly as: EmulatedHost | null
  readonly onClose: () => void
}) {
  const [view, setView] = useState<McpView | null>(null)
  const [state, setState] = useState('loading')
  const { events, record } = useEventLog()
  const handleEvent = (event: CustomEvent) => {
    if (event.type === 'mcp-state') return setState(textIn(event.detail, 'state') ?? 'unknown')
    record(event)
    if (event.type === 'mcp-teardown-request') onClose()
  }
  return (
    <section class="card window" aria-label={visible(app.title)} data-testid="app">
      <header>
        <h2>
          <Visible text={app.title} />
        </h2>
        <div class="row">
          <Badge tone={state === 'ready' ? 'success' : state === 'failed' ? 'danger' : 'plain'}>
            {state}
          </Badge>
          <button type="button" class="button quiet small" onClick={() => void view?.reload()}>
            <Icon name="refresh" /> Reload
          </button>
          <button type="button" class="button quiet small" onClick={onClose}>
            <Icon name="cross" /> Close
          </button>
        </div>
      </header>
      <View
        uri={app.uri}
        name={app.title}
        modes={['inline', 'fullscreen', 'pip']}
        as={as}
        onEvent={handleEvent}
        onElement={setView}
      />
      {app.uri === REVIEW_APP && (
        <p class="small">
          This app shows one change: open one in <a href={linkTo(['activity'])}>Activity</a>, or
          preview one under <a href={linkTo(['tools'])}>Tools</a>.
        </p>
      )}
      <AppTools view={view} app={app.title} />
      <EventLog events={events} />
    </section>
  )
}
