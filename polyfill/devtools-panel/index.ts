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
import { modelContextOf, type ModelContext } from '../types.ts'
import { drawCalls } from './call-list.ts'
import { logCalls } from './calls.ts'
import { el } from './dom.ts'
import { CSS } from './style.ts'
import { drawTools } from './tool-list.ts'

/** Milliseconds between two looks for a model context. */
const LOOK_MS = 100

/** Looks until the panel gives up: a page that imports it may call `apply()` later. */
const MAX_LOOKS = 100

async function findContext(): Promise<ModelContext | null> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const found = modelContextOf(document)
    if (found) return found
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
  return null
}

/** Shows the panel, closed, in this page. */
async function showPanel(): Promise<void> {
  const context = await findContext()
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
    document.addEventListener('DOMContentLoaded', () => void showPanel(), { once: true })
  else void showPanel()
}
