/**
 * Entry of the files view: a file browser for this server's workspace, in any MCP Apps host.
 *
 * It starts after the handshake, shows what the tool result refers to, and keeps its state for the
 * lifetime of the frame. `test/pages/files-view/files-view.slow.test.ts` operates it as a user would.
 *
 * @module
 */

import { VERSION } from '#core/version.ts'
import { h, render } from 'preact'
import { connectHost, type Bridge } from '../bridge.ts'
import { applyHostStyles } from '../theme.ts'
import { App } from './app.tsx'
import { errorMessage } from './client.ts'
import { Files } from './files.ts'
import { showInitialResult } from './initial-result.ts'
import { restoreOpenFolders, storeOpenFolders } from './open-folders.ts'
import { pollChanges } from '../poll-changes.ts'

/** Milliseconds in which several notifications cause one refresh. */
const COALESCE_MS = 300

/** Milliseconds in the background after which the page is refreshed when it becomes visible. */
const AWAY_MS = 10_000

const page = document.querySelector('#view') ?? document.body

async function start(): Promise<void> {
  const bridge = await connectHost({
    name: 'edgewise-files',
    title: 'Files',
    version: VERSION,
    displayModes: ['inline', 'fullscreen'],
  })
  if (!bridge.host.capabilities.serverTools)
    return showMessage('Cannot show files: this host does not let views call tools.')
  const draw = coalesce(() => {
    render(h(App, { files, bridge }), page)
    storeOpenFolders(files.tree)
  })
  const files = new Files(bridge, draw)
  bridge.on('context', (context) => {
    applyHostStyles(context)
    draw()
  })
  applyHostStyles(bridge.context)
  draw()
  bridge.reportSize()
  await files.start()
  await Promise.all(restoreOpenFolders().map((path) => files.tree.reveal(path)))
  bridge.on('result', (result) => {
    if (!result.isError) void showInitialResult(files, result.structuredContent)
  })
  const catchUp = () => void files.catchUp()
  refreshOnChange(bridge, catchUp)
  pollChanges(() => files.newestChanges(), catchUp)
}

/** Coalesces calls into one microtask, because callers may be in the middle of rendering. */
function coalesce(work: () => void): () => void {
  let isQueued = false
  return () => {
    if (isQueued) return
    isQueued = true
    queueMicrotask(() => {
      isQueued = false
      work()
    })
  }
}

/** Refreshes on notifications of the host, and when the user returns to the page. */
function refreshOnChange(bridge: Bridge, refresh: () => void): void {
  let timer = 0
  let hiddenAt = Date.now()
  bridge.on('changed', ({ what }) => {
    if (what !== 'resources') return
    clearTimeout(timer)
    timer = setTimeout(refresh, COALESCE_MS)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAt = Date.now()
    else if (Date.now() - hiddenAt > AWAY_MS) refresh()
  })
}

function showMessage(text: string): void {
  render(h('p', { class: 'empty' }, text), page)
}

start().catch((error: unknown) => showMessage(errorMessage(error)))
