/**
 * The notifications of this device: what the browser can do, whether they are on, and turning them on and off.
 *
 * The browser has the subscription and the server the list of devices, and either may lose its half without the other. So
 * they are on only where both agree. The service worker is there while they are on, and has nothing else to do.
 * `test/host/console/notifications.test.tsx` has the states; `test/pages/console/push.slow.test.ts` has a real worker.
 *
 * @module
 */

import { deviceId } from '#core/owner/device-id.ts'
import type { ShownDevice } from '#core/owner/answers/notifications.ts'
import { err, ok, type Result } from '#core/result.ts'
import { canNotify, notifiesPerson, stopNotifications } from '../drafts/notifications.ts'
import { sendAct } from '../owner/send-act.ts'
import { AnswerError } from '../ui/errors.ts'
import { describeDevice } from './device-label.ts'

/** The script of the service worker, which serves the whole console. */
const WORKER = '/push.js'
const SCOPE = '/'

/** Time (ms) within which the worker has to be active, and a push service has to answer. */
const WORKER_MS = 20_000
const SUBSCRIBE_MS = 30_000

/** Time (ms) for which a sign-out waits for the server to forget this device. */
const LEAVE_MS = 3_000

/** The notifications of this device. */
export type DeviceState =
  /** It has none: without https, as a page on an iPhone, or because the browser has none or blocks them. */
  | { readonly is: 'insecure' | 'home-screen' | 'none' | 'blocked' }
  /** `isForgotten`: they were on, and the server does not know the device any more. */
  | { readonly is: 'off'; readonly canPush: boolean; readonly isForgotten: boolean }
  /** Only while the console is open in a tab. */
  | { readonly is: 'tab'; readonly canPush: boolean }
  | { readonly is: 'on'; readonly id: string }

/** What the browser can do. */
type Support = 'push' | 'tab' | 'insecure' | 'home-screen' | 'none'

/** Finds out what the browser can do. */
export function readSupport(): Support {
  if (!window.isSecureContext) return 'insecure'
  if (canNotify() && 'serviceWorker' in navigator && 'PushManager' in window) return 'push'
  if (isPageOnPhoneOfApple()) return 'home-screen'
  return canNotify() ? 'tab' : 'none'
}

/** iPhones and iPads have notifications only for pages on the home screen. An iPad calls itself a Mac. */
function isPageOnPhoneOfApple(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  const isApple =
    /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return isApple && !matchMedia('(display-mode: standalone)').matches
}

/** Finds out whether this device is notified. `devices` are those that the server knows. */
export async function readDeviceState(devices: readonly ShownDevice[]): Promise<DeviceState> {
  const support = readSupport()
  if (support !== 'push' && support !== 'tab') return { is: support }
  if (Notification.permission === 'denied') return { is: 'blocked' }
  const canPush = support === 'push'
  const id = canPush ? await readOwnId() : null
  const isAllowed = Notification.permission === 'granted'
  if (id !== null && isAllowed && devices.some((one) => one.id === id)) return { is: 'on', id }
  if (notifiesPerson.peek()) return { is: 'tab', canPush }
  return { is: 'off', canPush, isForgotten: id !== null }
}

/** Returns the service worker's registration, or null. A browser that denies storage has none. */
export async function findRegistration(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null
  return (await navigator.serviceWorker.getRegistration(SCOPE).catch(() => null)) ?? null
}

/** Returns the id of this device, if its browser has a subscription. */
export async function readOwnId(): Promise<string | null> {
  const registration = await findRegistration()
  const subscription = (await registration?.pushManager.getSubscription()) ?? null
  return subscription && deviceId(subscription.endpoint)
}

/** Why notifications were not turned on. */
export type TurnOnProblem = 'dismissed' | 'blocked' | 'no-worker' | 'no-push'

/**
 * Asks the person for the permission, subscribes, and has the server notify this device. Call it while a press is handled,
 * because browsers ask only then.
 *
 * @param key The server's public key, base64url.
 * @throws What `sendAct` throws. Nothing is on then.
 */
export async function turnOn(base: string, key: string): Promise<Result<null, TurnOnProblem>> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return err(permission === 'denied' ? 'blocked' : 'dismissed')
  const registration = await startWorker()
  if (registration === null) return err('no-worker')
  const subscription = await subscribe(registration, key)
  if (subscription === null) {
    await registration.unregister()
    return err('no-push')
  }
  const { endpoint, keys } = subscription.toJSON()
  const body = { endpoint, keys, label: describeDevice(navigator.userAgent) }
  try {
    await sendAct(base, 'add_device', { body })
  } catch (error) {
    await endSubscription(registration)
    throw error
  }
  stopNotifications()
  return ok(null)
}

/** Registers the worker and waits until it is active, as a subscription needs; null if it does not start. */
async function startWorker(): Promise<ServiceWorkerRegistration | null> {
  const options = { scope: SCOPE, updateViaCache: 'none' } as const
  const registered = await within(navigator.serviceWorker.register(WORKER, options), WORKER_MS)
  return registered && within(navigator.serviceWorker.ready, WORKER_MS)
}

/** Subscribes; null if the browser has no push service, or does not reach it. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  applicationServerKey: string,
): Promise<PushSubscription | null> {
  // One that the server does not know may have ended, or be for another key.
  await (await pushManager.getSubscription())?.unsubscribe()
  return within(
    pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }),
    SUBSCRIBE_MS,
  )
}

/** Resolves to null if a promise rejects, or takes longer. */
function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))
  return Promise.race([work.catch(() => null), late])
}

/** Ends the notifications of this device. Returns whether the server has forgotten it as well. */
export async function turnOff(base: string): Promise<boolean> {
  stopNotifications()
  const registration = await findRegistration()
  const id = await readOwnId()
  if (registration) await endSubscription(registration)
  if (id === null) return true
  return sendAct(base, 'remove_device', { segments: { device: id } }).then(
    () => true,
    (error: unknown) => error instanceof AnswerError && error.status === 404,
  )
}

/** Ends what the browser has, whatever the server answers. */
async function endSubscription(registration: ServiceWorkerRegistration): Promise<void> {
  const subscription = await registration.pushManager.getSubscription()
  await subscription?.unsubscribe().catch(() => false)
  for (const notice of await registration.getNotifications()) notice.close()
  await setBadge(0)
  await registration.unregister()
}

/** Ends them before a sign-out, after which the server would take no request of this page. */
export const turnOffBeforeSignOut = (base: string): Promise<boolean | null> =>
  within(turnOff(base), LEAVE_MS)

/** Shows a number on the icon of the installed console; 0 shows none. Not every platform has them. */
export async function setBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(
    () => undefined,
  )
}
