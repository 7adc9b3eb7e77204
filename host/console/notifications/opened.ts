/**
 * What the console does about notifications while it is open: it closes those of the workspace that it shows, keeps the
 * number on the icon current, and opens the page of a notification that was pressed.
 *
 * Only a device that is notified has a number on its icon. `test/host/console/opened-notifications.test.ts` has the cases.
 *
 * @module
 */

import { effect, signal } from '@preact/signals'
import { deviceId } from '#core/owner/device-id.ts'
import { openRequest } from '#core/owner/push-message.ts'
import { isSignedOut } from '../connect/http.ts'
import { basePath, workspace } from '../connect/workspace.ts'
import { waitingCount, waitingList } from '../drafts/waiting-list.ts'
import { sendAct } from '../owner/send-act.ts'
import { findRegistration, setBadge } from './device.ts'

/** What waits in other workspaces; null where this device is not notified, or it is not known. */
const elsewhere = signal<number | null>(null)

/** Counts how often the window came to the front, after which the number on the icon is another one. */
const arrivals = signal(0)

/** Follows notifications from now on. Call it once. */
export function watchNotices(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }) => openPage(data))
  const arrive = () => {
    if (document.visibilityState === 'visible') arrivals.value++
  }
  document.addEventListener('visibilitychange', arrive)
  addEventListener('focus', arrive)
  effect(() => {
    void arrivals.value
    const name = workspace.value
    const base = basePath.value
    if (name !== null && !isSignedOut.value) void settle(name, base)
  })
  effect(showCount)
  effect(closeWhileLooking)
}

/** Opens a page that the service worker asks for. Its own router shows it, unless it is of another workspace. */
function openPage(data: unknown): void {
  const request = openRequest(data)
  if (!request) return
  const { search, hash } = new URL(request.url, location.origin)
  if (readTarget(search) === readTarget(location.search)) location.hash = hash
  else location.assign(request.url)
}

const readTarget = (search: string) => new URLSearchParams(search).get('at')

/** Closes the notifications of a workspace, and reads what waits in the others. */
async function settle(name: string, base: string): Promise<void> {
  const registration = await findRegistration()
  const subscription = (await registration?.pushManager.getSubscription()) ?? null
  if (!registration || !subscription) return void (elsewhere.value = null)
  await closeNotices(registration, name)
  const settings = await sendAct(base, 'read_notifications', {}).catch(() => null)
  const id = await deviceId(subscription.endpoint)
  const isOn = settings?.devices.some((device) => device.id === id) === true
  elsewhere.value = isOn ? settings.elsewhere : null
  showCount()
}

async function closeNotices(registration: ServiceWorkerRegistration, tag: string): Promise<void> {
  for (const notice of await registration.getNotifications({ tag })) notice.close()
}

/** Shows what waits, here and elsewhere, on the icon. */
function showCount(): void {
  const count = waitingCount.value
  if (elsewhere.value === null || waitingList.value === null) return
  void setBadge(count + elsewhere.value)
}

/** Closes a notification about what the person is looking at. */
function closeWhileLooking(): void {
  void waitingList.value
  const name = workspace.value
  if (name === null || !document.hasFocus()) return
  void findRegistration().then((found) => found && closeNotices(found, name))
}
