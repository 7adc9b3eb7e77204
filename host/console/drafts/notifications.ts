/**
 * Notifications of an open tab about what waits, for browsers without push: the page itself shows them. They say how much
 * waits, and nothing that an agent wrote.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { linkTo } from '../shell/route.ts'
import { readStored, writeStored } from '../ui/storage.ts'
import { describeWaiting } from './describe-waiting.ts'
import type { WaitingList } from '#core/owner/answers/drafts.ts'

const STORED = 'notify'

/** Whether this browser has notifications. */
export const canNotify = () => 'Notification' in window

/** Whether the person wants notifications of open tabs, and the browser shows them. */
export const notifiesPerson = signal(isAllowed() && readStored(STORED) === true)

/** Asks the browser for the permission. Resolves to whether the person gave it. */
export async function allowNotifications(): Promise<boolean> {
  if (canNotify()) await Notification.requestPermission().catch(() => 'denied')
  notifiesPerson.value = isAllowed()
  writeStored(STORED, notifiesPerson.value || undefined)
  return notifiesPerson.value
}

/** Ends the notifications; the permission of the browser stays. */
export function stopNotifications(): void {
  notifiesPerson.value = false
  writeStored(STORED, undefined)
}

/** Notifies the person of what waits, unless the window has the focus. */
export function notifyOf(list: WaitingList): void {
  if (!notifiesPerson.peek() || document.hasFocus()) return
  try {
    const shown = new Notification(describeWaiting(list), {
      body: location.host,
      tag: 'edgewise-waiting',
    })
    shown.onclick = () => {
      window.focus()
      location.hash = linkTo(['waiting'])
      shown.close()
    }
  } catch {
    // Some browsers allow notifications from a service worker only.
  }
}

function isAllowed(): boolean {
  return canNotify() && Notification.permission === 'granted'
}
