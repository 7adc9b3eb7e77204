/**
 * Entry of the files view: a file browser for this server's workspace, in any MCP Apps host.
 *
 * It starts after the handshake, shows what the tool result refers to, and keeps its state for the
 * lifetime of the frame. `test/pages/files-view.test.ts` operates it as a user would.
 *
 * @module
 */

import { h, render } from 'preact'
import { connectHost, type Bridge } from '../bridge.ts'
import { applyHostStyles } from '../theme.ts'
import { App } from './app.tsx'
import { arrive } from './arrival.ts'
import { createFiles } from './files.ts'
import { follow } from './follow.ts'
import { keepPlace, placeBefore } from './place.ts'
import { wordsOf } from './server.ts'

const VERSION = '0.1.0'

/** Milliseconds during which several notifications cause one refresh. */
const TIDINGS_MS = 300

/** Milliseconds in the background after which the page is refreshed when it becomes visible. */
const AWAY_MS = 10_000

const page = document.querySelector('#view') ?? document.body

async function start(): Promise<void> {
  const bridge = await connectHost({
    name: 'edgewise-files',
    version: VERSION,
    displayModes: ['inline', 'fullscreen'],
  })
  if (!bridge.host.capabilities.serverTools)
    return say('This host lets no view call tools, so there are no files to show here.')
  const draw = soon(() => {
    render(h(App, { files, bridge }), page)
    keepPlace(files)
  })
  const files = createFiles(bridge, draw)
  bridge.on('context', (context) => {
    applyHostStyles(context)
    draw()
  })
  applyHostStyles(bridge.context)
  draw()
  bridge.reportSize()
  await files.start()
  await Promise.all(placeBefore().map((path) => files.tree.reveal(path)))
  bridge.on('result', (result) => {
    if (!result.isError) void arrive(files, result.structuredContent)
  })
  const catchUp = () => void files.catchUp()
  keepFresh(bridge, catchUp)
  follow(files.newest, catchUp)
}

/** Coalesces calls into one microtask, because callers may be in the middle of rendering. */
function soon(work: () => void): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    queueMicrotask(() => {
      waiting = false
      work()
    })
  }
}

/** Refreshes on notifications of the host, and when the user returns to the page. */
function keepFresh(bridge: Bridge, refresh: () => void): void {
  let timer = 0
  let left = Date.now()
  bridge.on('changed', ({ what }) => {
    if (what !== 'resources') return
    clearTimeout(timer)
    timer = setTimeout(refresh, TIDINGS_MS)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) left = Date.now()
    else if (Date.now() - left > AWAY_MS) refresh()
  })
}

function say(text: string): void {
  render(h('p', { class: 'empty' }, text), page)
}

start().catch((error: unknown) => say(wordsOf(error)))
