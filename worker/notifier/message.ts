/**
 * What a device is sent: how much waits, from whom, and where to decide, never content.
 * `test/worker/notifier/push.test.ts` tests it.
 *
 * @module
 */

import { isConsoleUrl, type PushMessage } from '#core/owner/push-message.ts'
import { MAX_PUSH_BYTES } from './limits.ts'
import { describeSummary } from './sentence.ts'
import type { Summary } from './summary.ts'

/** Where a notification leads whose summary names no page of the console. */
const START = '/'

/** Builds the message about a workspace. `badge` is how much waits in all workspaces. */
export function messageOf(summary: Summary, badge: number): PushMessage {
  const { workspace, changes, requests, apps, skills } = summary
  return {
    tag: workspace === '' ? 'default' : workspace,
    ...describeSummary(summary),
    url: consolePath(summary.url),
    waiting: changes + requests + apps + skills,
    badge,
  }
}

/** Builds the message of a test. */
export const testMessage = (url: string, badge: number): PushMessage => ({
  tag: 'test',
  title: 'Edgewise',
  body: 'Notifications work on this device.',
  url: consolePath(url),
  waiting: 0,
  badge,
})

/** Returns the address of a page without its origin: the service worker opens it on its own. */
function consolePath(address: string): string {
  const url = URL.parse(address, 'https://console.invalid')
  const path = url ? `${url.pathname}${url.search}${url.hash}` : START
  return isConsoleUrl(path) ? path : START
}

/** Writes a message as JSON; without its sentence if it would be too large. */
export function writeMessage(message: PushMessage): string {
  const whole = JSON.stringify(message)
  return new TextEncoder().encode(whole).length <= MAX_PUSH_BYTES
    ? whole
    : JSON.stringify({ ...message, body: '', url: START })
}
