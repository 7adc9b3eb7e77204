/**
 * The entry point of the console: completes a sign-in if the visit is an OAuth redirect, and
 * renders the page.
 *
 * @module
 */

import '../mcp/no-eval.ts'
import { render } from 'preact'
import { finishSignIn } from '../mcp/oauth.ts'
import { App } from './app.tsx'
import { startConnection } from './connect/connection.ts'
import { findOwner } from './connect/owner.ts'
import { watchWaiting } from './drafts/waiting-list.ts'
import { watchNotices } from './notifications/opened.ts'
import { showToast } from './ui/toasts.tsx'

async function start(): Promise<void> {
  const place = document.getElementById('console')
  if (!place) throw new Error('The page has no #console element')
  const back = await finishSignIn()
  if (back && 'handedOver' in back) {
    place.textContent = 'You are signed in. You can close this window.'
    return
  }
  if (back && !back.ok) showToast(back.problem.message, { tone: 'danger' })
  startConnection()
  watchWaiting()
  watchNotices()
  void findOwner()
  render(<App />, place)
}

void start()
