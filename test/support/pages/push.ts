/**
 * Push in a Chromium for tests, which has no window: it has no notifications, and makes a subscription only at the push service
 * of its maker. So these two have stand-ins in the shape that browsers give them, a list of notifications in the worker and a
 * subscription in the page. All else is real: the worker, the push events that the debugger delivers to it, and the page.
 *
 * @module
 */

import type { Page, Worker } from 'playwright'
import { expect } from 'vitest'
import type { Subscription } from '../e2e/push-service.ts'

/** A script for pages: the permission is given, and the notifications are those that the worker has. */
export const PERMITTED = `{
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = async () => 'granted'
  const send = (worker, message) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => resolve(data)
      // The worker has its list only once it is prepared.
      setTimeout(() => resolve([]), 1000)
      worker.postMessage(message, [port2])
    })
  ServiceWorkerRegistration.prototype.getNotifications = async function ({ tag } = {}) {
    const { active } = this
    const shown = await send(active, { list: true })
    return shown
      .filter((one) => tag === undefined || one.tag === tag)
      .map((one) => ({ ...one, close: () => void send(active, { close: one.tag }) }))
  }
}`

/** A script for pages whose push manager makes this subscription. */
export const subscribing = ({ endpoint, keys }: Subscription): string => `{
  const keys = ${JSON.stringify(keys)}
  const endpoint = ${JSON.stringify(endpoint)}
  const made = {
    endpoint,
    toJSON: () => ({ endpoint, expirationTime: null, keys }),
    async unsubscribe() { localStorage.removeItem('subscribed'); return true },
  }
  PushManager.prototype.subscribe = async function ({ userVisibleOnly, applicationServerKey }) {
    if (!userVisibleOnly) throw new DOMException('Only visible pushes', 'NotAllowedError')
    localStorage.setItem('subscribed', String(applicationServerKey))
    return made
  }
  PushManager.prototype.getSubscription = async function () {
    return localStorage.getItem('subscribed') === null ? null : made
  }
}`

/** A notification that is shown. */
export interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly url: string
}

/** Starts the service worker as the console does, for tests of the worker alone. */
export async function startWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push.js', { scope: '/', updateViaCache: 'none' })
    await navigator.serviceWorker.ready
  })
  await prepareWorker(page)
}

/** Returns the running worker. */
async function findWorker(page: Page): Promise<Worker> {
  const context = page.context()
  const [worker] = context.serviceWorkers()
  return worker ?? context.waitForEvent('serviceworker')
}

/** Gives the worker its list of notifications, of which one with the tag of another replaces it. */
export async function prepareWorker(page: Page): Promise<void> {
  const worker = await findWorker(page)
  await worker.evaluate(() => {
    const scope = Object(globalThis)
    const shown = new Map<string, object>()
    scope.shown = shown
    scope.badges = []
    scope.registration.showNotification = async (title: string, options: { tag: string }) => {
      shown.delete(options.tag)
      shown.set(options.tag, { title, ...options })
    }
    scope.navigator.setAppBadge = async (count: number) => void scope.badges.push(count)
    scope.addEventListener('message', ({ data, ports: [port] }: MessageEvent) => {
      if (data.close !== undefined) shown.delete(data.close)
      port?.postMessage([...shown.values()])
    })
  })
}

/** Returns the number that the worker last put on the icon; null if it has not. */
export const readBadge = async (page: Page): Promise<number | null> =>
  (await findWorker(page)).evaluate(() => Object(globalThis).badges.at(-1) ?? null)

/** Delivers a message to the worker, as a push service does. */
export async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  let registrationId = ''
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const own = registrations.find((one) => one.scopeURL === `${origin}/` && !one.isDeleted)
    registrationId = own?.registrationId ?? registrationId
  })
  await session.send('ServiceWorker.enable')
  await expect.poll(() => registrationId).not.toBe('')
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  await session.detach()
}

/** Lists what is shown, the newest last. */
export const listShown = async (page: Page): Promise<Shown[]> =>
  (await findWorker(page)).evaluate(() =>
    [...Object(globalThis).shown.values()].map(({ title, body, tag, data }) => ({
      ...{ title, body, tag },
      url: data.url,
    })),
  )

/**
 * Presses the notification with a tag. Returns the address of the window that the worker opens; null if it asks an open page.
 * The worker gets the event that a press causes, and only notes a new window.
 */
export async function pressNotice(page: Page, tag: string): Promise<string | null> {
  const worker = await findWorker(page)
  return worker.evaluate(async (name) => {
    const scope = Object(globalThis)
    const { data } = scope.shown.get(name)
    let opened: string | null = null
    scope.clients.openWindow = async (url: string) => void (opened = url)
    const works: Promise<unknown>[] = []
    const event = Object.assign(new scope.ExtendableEvent('notificationclick'), {
      notification: { data, close: () => scope.shown.delete(name) },
      waitUntil: (work: Promise<unknown>) => void works.push(work),
    })
    scope.dispatchEvent(event)
    await Promise.all(works)
    return opened
  }, tag)
}
