/**
 * The entry point of the console: completes a sign-in if the visit is an OAuth redirect, and
 * renders the page.
 *
 * @module
 */

import { render } from 'preact'
import { finishSignIn } from '../connection/oauth.ts'
import { App } from './app.tsx'
import { startLink } from './state/link.ts'
import { findOwner } from './state/person.ts'
import { say } from './state/toast.ts'

async function start(): Promise<void> {
  const place = document.getElementById('console')
  if (!place) throw new Error('The page has no place for the console')
  const back = await finishSignIn()
  if (back && 'handedOver' in back) {
    place.textContent = 'You are signed in. This window can be closed.'
    return
  }
  if (back && !back.ok) say(back.problem.message, { tone: 'danger' })
  startLink()
  void findOwner()
  render(<App />, place)
}

void start()
