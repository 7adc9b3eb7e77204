/**
 * Entry of the templates: reads the app of the page, connects to the host, and shows the template.
 *
 * `test/views/templates/page.test.ts` runs the page in a host.
 *
 * @module
 */

import { VERSION } from '#core/version.ts'
import { h, render } from 'preact'
import { connectHost, type Bridge, type HostContext } from '../bridge.ts'
import { pollChanges } from '../poll-changes.ts'
import { applyHostStyles } from '../theme.ts'
import { parseApp, type App } from './app.ts'
import { Dashboard, messageOf } from './dashboard.ts'
import { Message, Problems, TemplatePage } from './page.tsx'

/** Milliseconds in which several notifications cause one refresh. */
const COALESCE_MS = 300

/** Milliseconds after which a host that has sent no result is taken to show the page without a call. */
const NO_RESULT_MS = 1_000

const view = document.querySelector('#view') ?? document.body

async function start(): Promise<void> {
  const app = parseApp(document.querySelector('#app')?.textContent ?? '')
  const bridge = await connectHost({
    // Hosts name the frame by these.
    ...('name' in app ? { name: app.name, title: app.title } : { name: 'edgewise-app' }),
    version: VERSION,
    displayModes: ['inline', 'fullscreen'],
  })
  applyContext(bridge.context)
  bridge.on('context', applyContext)
  bridge.reportSize()
  if ('name' in app) show(app, bridge)
  else render(h(Problems, { problems: app }), view)
}

/** Applies the styles of the host, and whether the height of the frame is fixed. */
function applyContext(context: HostContext): void {
  applyHostStyles(context)
  const { displayMode = 'inline', containerDimensions = {} } = context
  const isFixed = displayMode !== 'inline' || containerDimensions['height'] !== undefined
  document.documentElement.dataset['size'] = isFixed ? 'fixed' : 'flexible'
}

function show(app: App, bridge: Bridge): void {
  document.title = app.title
  let isQueued = false
  // Callers may be in the middle of rendering.
  const draw = () => {
    if (isQueued) return
    isQueued = true
    queueMicrotask(() => {
      isQueued = false
      render(h(TemplatePage, { dashboard }), view)
    })
  }
  const dashboard = new Dashboard(app, bridge, draw)
  bridge.on('context', draw)
  draw()
  // A host may show the page as an application, and then there is no call whose result it could send.
  setTimeout(() => {
    if (dashboard.state.phase === 'loading') void dashboard.refresh()
  }, NO_RESULT_MS)
  followChanges(dashboard)
}

/** Refreshes on notifications of the host, and when polling finds a change. */
function followChanges(dashboard: Dashboard): void {
  const { bridge } = dashboard
  let timer = 0
  bridge.on('changed', ({ what }) => {
    if (what !== 'resources') return
    clearTimeout(timer)
    timer = setTimeout(() => void dashboard.refresh(), COALESCE_MS)
  })
  if (dashboard.canCall)
    pollChanges(
      () => dashboard.newestChanges(),
      () => void dashboard.refresh(),
      // The first poll finds a change in any case, so none between the result and that poll is missed.
      '',
    )
}

start().catch((error: unknown) => render(h(Message, { text: messageOf(error) }), view))
