/**
 * `webmcp-devtools.mjs`: a panel in the page for its developer, loaded with `data-devtools` only.
 *
 * It lists the tools that this page may call, runs them by hand, and logs calls. It is an open tree of the page
 * and decides nothing: a call by hand takes the same approval as one of an agent.
 * `test/pages/playground.test.ts` covers it.
 *
 * @module
 */

import { watch } from '../consumer.ts'
import { modelContextOf } from '../types.ts'
import { drawCalls } from './call-list.ts'
import { logCalls } from './calls.ts'
import { el } from './dom.ts'
import { CSS } from './style.ts'
import { drawTools } from './tool-list.ts'

/** Shows the panel, closed, in this page. */
function showPanel(): void {
  const context = modelContextOf(document)
  if (!context) return console.warn('WebMCP: the panel finds no model context in this page')
  const host = document.createElement('webmcp-devtools')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  root.adoptedStyleSheets = [sheet]

  const count = el('span', {}, ['WebMCP'])
  const tools = el('div')
  const calls = el('div')
  const panel = el('details', {}, [
    el('summary', {}, [count]),
    el('section', { 'aria-label': 'WebMCP of this page' }, [
      el('h2', {}, ['Tools']),
      tools,
      el('h2', {}, ['Calls']),
      calls,
    ]),
  ])
  root.append(panel)
  drawCalls(calls, [])
  logCalls(context, (all) => drawCalls(calls, all))
  watch(
    (list) => {
      count.textContent = `WebMCP · ${list.length} ${list.length === 1 ? 'tool' : 'tools'}`
      drawTools(tools, list)
    },
    { debugging: true },
  )
  document.documentElement.append(host)
}

// A page without a body yet shows the panel once it is there.
if (typeof document === 'object') {
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', showPanel, { once: true })
  else showPanel()
}
