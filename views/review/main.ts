/**
 * Entry of the review view: shows the change that a tool call made or would make, with its actions.
 *
 * The change is the result of the call that the host shows; actions are calls over the same
 * connection. `test/views/review.test.ts` runs the page in a host.
 *
 * @module
 */

import { h, render } from 'preact'
import { connectHost, type Bridge, type HostContext } from '../bridge.ts'
import { applyHostStyles } from '../theme.ts'
import { App } from './app.tsx'
import { applyRoom } from './room.ts'
import { createSession } from './session.ts'

const APP = {
  name: 'Edgewise review',
  version: '1.0.0',
  displayModes: ['inline', 'fullscreen'],
} as const

function start(bridge: Bridge, page: HTMLElement): void {
  const apply = (context: HostContext) => {
    applyHostStyles(context)
    applyRoom(context)
  }
  apply(bridge.context)
  bridge.on('context', apply)
  render(h(App, { session: createSession(bridge), bridge }), page)
  bridge.reportSize()
}

const page = document.querySelector<HTMLElement>('#view')
if (page) {
  connectHost(APP).then(
    (bridge) => start(bridge, page),
    () => (page.textContent = 'This page shows changes of files inside an MCP host.'),
  )
}
