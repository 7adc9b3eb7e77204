/**
 * What the service worker does with a push message and with a press on its notification.
 *
 * Every push shows a notification, also one that cannot be read: browsers take the permission from pages that stay silent.
 * A press opens the page that decides, in a console that is open already or in a new one.
 * `test/host/push-worker/notices.test.ts` has the cases; `test/pages/console/push.slow.test.ts` has the real worker.
 *
 * @module
 */

import {
  isConsoleUrl,
  readPushMessage,
  type OpenRequest,
  type PushMessage,
} from '#core/owner/push-message.ts'
import { own, recordOf } from '#core/json.ts'

/** A notification as it is shown. The type of the platform lacks `renotify`, which some browsers have. */
export interface ShownNotice extends Readonly<NotificationOptions> {
  readonly renotify: boolean
}

/** A window of this origin. */
export interface OpenWindow {
  readonly url: string
  readonly focused: boolean
  /** Shows it in front; rejects where the browser does not permit it. */
  readonly focus: () => Promise<unknown>
  readonly postMessage: (message: OpenRequest) => void
}

/** What the platform does for the service worker. */
export interface PushScope {
  readonly show: (title: string, options: ShownNotice) => Promise<void>
  /** Sets the number on the icon; rejects where there is none. */
  readonly setBadge: (count: number) => Promise<void>
  readonly listWindows: () => Promise<readonly OpenWindow[]>
  readonly openWindow: (url: string) => Promise<unknown>
}

/** The page that a press opens when its notification names none. */
const START = '/'

/** What a message says that cannot be read. */
const UNREADABLE: Omit<PushMessage, 'badge' | 'waiting'> = {
  tag: 'unreadable',
  title: 'Something waits for you',
  body: 'Open the console to see it.',
  url: START,
}

/** Shows the notification of a push message, and how much waits on the icon. */
export async function showNotice(scope: PushScope, json: string): Promise<void> {
  const message = readPushMessage(json)
  const { tag, title, body, url } = message ?? UNREADABLE
  await scope.show(title, {
    body,
    tag,
    // A notification that replaces one of the same tag is noticed as well.
    renotify: true,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    data: { url, waiting: message?.waiting ?? null },
  })
  // Not every platform has numbers on icons.
  if (message) await scope.setBadge(message.badge).catch(() => undefined)
}

/** Opens what a pressed notification is about. `data` is what {@link showNotice} gave it. */
export async function openNotice(scope: PushScope, data: unknown): Promise<void> {
  const named = own(recordOf(data), 'url')
  const url = typeof named === 'string' && isConsoleUrl(named) ? named : START
  const open = chooseWindow(await scope.listWindows(), url)
  if (open === undefined) return void (await scope.openWindow(url))
  // The page gets the request also where the browser does not bring it to the front.
  await open.focus().catch(() => undefined)
  open.postMessage({ type: 'edgewise-open', url })
}

/** Returns the console that shows the workspace of a page, else the one that was used last; undefined without any. */
function chooseWindow(windows: readonly OpenWindow[], url: string): OpenWindow | undefined {
  const consoles = windows.filter((one) => new URL(one.url).pathname === '/')
  const searchOf = (address: string) => new URL(address, 'https://any').searchParams.get('at')
  return (
    consoles.find((one) => searchOf(one.url) === searchOf(url)) ??
    consoles.find(({ focused }) => focused) ??
    consoles[0]
  )
}
