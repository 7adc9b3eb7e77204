/**
 * Renews the subscription of a device after the browser has replaced or ended it, while no page is open. The server gets
 * the new one in place of the old one.
 *
 * Without a sign-in the server refuses; the page "Notifications" then shows that this device gets none.
 * `test/host/push-worker/renewal.test.ts` has the cases.
 *
 * @module
 */

import { OWNER_ACTS } from '#core/owner/acts.ts'
import { notificationSettings } from '#core/owner/answers/notifications.ts'
import { describeDevice } from '../console/notifications/device-label.ts'
import { CONSOLE_HEADER } from '../mcp/console-header.ts'

/** A subscription that the browser has made. */
export interface Subscription {
  readonly endpoint: string
  readonly options: { readonly applicationServerKey: ArrayBuffer | null }
  readonly toJSON: () => { readonly keys?: Record<string, string> }
}

/** What the browser says of a change: null for what it does not know. */
export interface SubscriptionChange {
  readonly oldSubscription: Subscription | null
  readonly newSubscription: Subscription | null
}

/** What the platform does. */
export interface RenewalScope {
  readonly userAgent: string
  readonly subscribe: (key: ArrayBuffer | string) => Promise<Subscription>
  readonly fetch: typeof fetch
}

/** Time (ms) after which a request is given up. */
const TIMEOUT_MS = 30_000

/** Subscribes again where the browser has not, and sends the subscription to the server. */
export async function renewSubscription(
  scope: RenewalScope,
  { oldSubscription: before, newSubscription: made }: SubscriptionChange,
): Promise<void> {
  const subscription = made ?? (await subscribeAgain(scope, before))
  if (subscription === null) return
  const { method, path } = OWNER_ACTS.add_device
  const body = {
    endpoint: subscription.endpoint,
    keys: subscription.toJSON().keys,
    label: describeDevice(scope.userAgent),
    ...(before && { replaces: before.endpoint }),
  }
  await scope.fetch(path, {
    method,
    headers: { ...CONSOLE_HEADER, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

async function subscribeAgain(
  scope: RenewalScope,
  before: Subscription | null,
): Promise<Subscription | null> {
  const key = before?.options.applicationServerKey ?? (await readKey(scope))
  return key === null ? null : scope.subscribe(key)
}

/** Reads the key of the server; null if it answers with anything else, such as a sign-in page. */
async function readKey({ fetch }: RenewalScope): Promise<string | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(OWNER_ACTS.read_notifications.path, { signal })
  const settings: unknown = answer.ok ? await answer.json().catch(() => null) : null
  return notificationSettings(settings)?.key ?? null
}
