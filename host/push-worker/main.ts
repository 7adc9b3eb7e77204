/**
 * The service worker of the console, `/push.js`: it shows push notifications, and does nothing else. It has no handler of
 * `fetch`, so every page and every answer comes from the server: no old page, and no copy of data on the device.
 *
 * `test/pages/console/push.slow.test.ts` runs it in a browser.
 *
 * @module
 */

import { openNotice, showNotice, type PushScope } from './notices.ts'
import { renewSubscription, type RenewalScope } from './renewal.ts'

declare const self: ServiceWorkerGlobalScope

const { registration, clients, navigator } = self

const scope: PushScope & RenewalScope = {
  userAgent: navigator.userAgent,
  show: (title, options) => registration.showNotification(title, options),
  setBadge: async (count) => navigator.setAppBadge(count),
  async listWindows() {
    const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
    return windows.map((one) => ({
      url: one.url,
      focused: one.focused,
      focus: () => one.focus(),
      postMessage: (message) => one.postMessage(message),
    }))
  },
  openWindow: (url) => clients.openWindow(url),
  subscribe: (applicationServerKey) =>
    registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }),
  fetch: (input, init) => fetch(input, init),
}

self.addEventListener('push', (event) => {
  event.waitUntil(showNotice(scope, event.data?.text() ?? ''))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotice(scope, event.notification.data))
})

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(scope, event))
})

// There is one version at a time, and it has no state that another could spoil.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
