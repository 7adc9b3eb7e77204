/**
 * A browser with push for tests of the console's pages: no push service answers on a test machine, so the subscription is made
 * here, in the shape that browsers give it. The real service worker is in `test/pages/console/push.slow.test.ts`.
 *
 * @module
 */

import { vi } from 'vitest'

/** How the browser behaves. */
export interface FakePush {
  permission: NotificationPermission
  /** What the person answers to the question for the permission. */
  answer: NotificationPermission
  /** Whether the browser reaches its push service. */
  hasService: boolean
  /** The endpoint that is subscribed, or null. */
  endpoint: string | null
  /** Tags of the notifications that are shown. */
  shown: string[]
  /** The number on the icon. */
  badge: number
  /** What was called, in its order. */
  readonly calls: string[]
  /** Sends a message of the service worker to the page. */
  readonly post: (data: unknown) => void
}

/** The endpoint of every new subscription. */
export const ENDPOINT = 'https://push.example/send/abc'

/** The id of the device with {@link ENDPOINT}. */
export const OWN_ID = '7043c920dcbf8e8f4168e8500e97b64e'

/** Replaces what the browser has until {@link endFakePush}. */
export function fakePush(given: Partial<FakePush> = {}): FakePush {
  const messages = new EventTarget()
  const push: FakePush = {
    ...{ permission: 'default', answer: 'granted', hasService: true, endpoint: null },
    ...{ shown: [], badge: 0, calls: [] },
    post: (data) => messages.dispatchEvent(new MessageEvent('message', { data })),
    ...given,
  }
  vi.stubGlobal('Notification', {
    get permission() {
      return push.permission
    },
    async requestPermission() {
      push.calls.push('ask')
      return (push.permission = push.answer)
    },
  })
  replace('serviceWorker', containerOf(push, messages))
  replace('setAppBadge', async (count: number) => void (push.badge = count))
  replace('clearAppBadge', async () => void (push.badge = 0))
  return push
}

const replaced = ['serviceWorker', 'setAppBadge', 'clearAppBadge'] as const

function replace(name: (typeof replaced)[number], value: unknown): void {
  Object.defineProperty(navigator, name, { configurable: true, value })
}

/** Gives the page back what its browser has. */
export function endFakePush(): void {
  for (const name of replaced) Reflect.deleteProperty(navigator, name)
  vi.unstubAllGlobals()
}

function containerOf(push: FakePush, messages: EventTarget) {
  const registration = registrationOf(push)
  let isRegistered = push.endpoint !== null
  return {
    addEventListener: messages.addEventListener.bind(messages),
    async register(script: string, options: RegistrationOptions) {
      push.calls.push(`register ${script} ${options.scope} ${options.updateViaCache}`)
      isRegistered = true
      return registration
    },
    get ready() {
      return Promise.resolve(registration)
    },
    getRegistration: async () => (isRegistered ? registration : undefined),
  }
}

function registrationOf(push: FakePush) {
  return {
    pushManager: {
      getSubscription: async () => (push.endpoint === null ? null : subscriptionOf(push)),
      async subscribe({ applicationServerKey: key }: PushSubscriptionOptionsInit) {
        push.calls.push(`subscribe ${typeof key === 'string' ? key : 'bytes'}`)
        if (!push.hasService)
          throw new DOMException('Registration failed - push service error', 'AbortError')
        push.endpoint = ENDPOINT
        return subscriptionOf(push)
      },
    },
    async getNotifications({ tag }: GetNotificationOptions = {}) {
      const found = push.shown.filter((one) => tag === undefined || one === tag)
      return found.map((one) => ({
        close: () => (push.shown = push.shown.filter((other) => other !== one)),
      }))
    },
    async unregister() {
      push.calls.push('unregister')
      return true
    },
  }
}

function subscriptionOf(push: FakePush) {
  const endpoint = push.endpoint ?? ''
  return {
    endpoint,
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'BA', auth: 'AA' } }),
    async unsubscribe() {
      push.calls.push('unsubscribe')
      push.endpoint = null
      return true
    },
  }
}
