/**
 * Entry of the review view: shows the change that a tool call made or would make, with its actions.
 *
 * The change is the result of the call that the host shows; actions are calls over the same
 * connection. `test/views/review/review.test.ts` runs the page in a host.
 *
 * @module
 */

import { h, render } from 'preact'
import { connectHost, type Bridge, type HostContext } from '../bridge.ts'
import { applyHostStyles } from '../theme.ts'
import { App } from './review.tsx'
import { Session } from './session.ts'

const APP = {
  name: 'Edgewise review',
  version: '1.0.0',
  displayModes: ['inline', 'fullscreen'],
} as const

/** Largest height in CSS pixels of an inline review; the conversation around it stays visible. */
const MAX_INLINE_HEIGHT = 720

const SIDES = ['top', 'right', 'bottom', 'left']

function start(bridge: Bridge, page: HTMLElement): void {
  const apply = (context: HostContext) => {
    applyHostStyles(context)
    applyHostSize(context)
  }
  apply(bridge.context)
  bridge.on('context', apply)
  render(h(App, { session: new Session(bridge), bridge }), page)
  bridge.reportSize()
}

/**
 * Sets the size and the safe areas from the host context. The view fills a frame of fixed height;
 * otherwise the page reports its height, up to a limit.
 */
function applyHostSize(context: HostContext): void {
  const { displayMode = 'inline', containerDimensions = {}, safeAreaInsets = {} } = context
  const { height, maxHeight = MAX_INLINE_HEIGHT } = containerDimensions
  const { style, dataset } = document.documentElement
  dataset['size'] = displayMode !== 'inline' || height !== undefined ? 'fixed' : 'flexible'
  style.setProperty('--max-height', `${Math.min(maxHeight, MAX_INLINE_HEIGHT)}px`)
  for (const side of SIDES) style.setProperty(`--safe-${side}`, `${safeAreaInsets[side] ?? 0}px`)
}

const page = document.querySelector<HTMLElement>('#view')
if (page) {
  connectHost(APP).then(
    (bridge) => start(bridge, page),
    () => (page.textContent = 'This page shows changes to files inside an MCP host.'),
  )
}
