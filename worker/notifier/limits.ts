/**
 * Limits of the notifier, whose receivers may be slow, unreachable or gone.
 * `test/worker/notifier/limits.test.ts` tests each at its edge.
 *
 * @module
 */

/** Maximum number of devices of a deployment that get notifications. */
export const MAX_DEVICES = 20

/** Maximum characters of the name of a device. */
export const MAX_DEVICE_LABEL_LENGTH = 60

/** Maximum characters of the address at which a push service takes messages for a device. */
export const MAX_ENDPOINT_LENGTH = 2_048

/** Maximum number of workspaces whose counts are kept; beyond it, those with the oldest counts are dropped. */
export const MAX_COUNTED_WORKSPACES = 1_000

/** Delay between news of a workspace and its notification, so that a burst is one. */
export const NEWS_DELAY_MS = 3_000

/** Pause between two notifications of a workspace. */
export const NEWS_PAUSE_MS = 60_000

/** Maximum number of workspaces whose notifications become due at the same time; those of others follow. */
export const MAX_NEWS_BATCH = 50

/** Maximum number of attempts to notify a device or a channel, over about an hour; then the notification is dropped. */
export const MAX_DELIVERY_ATTEMPTS = 5

/** Pause after the first failed attempt to notify a device or a channel; each further pause is four times as long. */
export const DELIVERY_RETRY_MS = 45_000

/** Maximum pause before an attempt that a receiver can ask for with `Retry-After`. */
export const MAX_RETRY_AFTER_SECONDS = 60 * 60

/** Maximum number of attempts at the same time; a runtime opens no more connections for one object. */
export const MAX_DELIVERIES_AT_ONCE = 6

/** Maximum bytes of a push message before encryption; push services take 4,096 after it. */
export const MAX_PUSH_BYTES = 3_000

/** Seconds for which a push service keeps a message for a device that it does not reach. */
export const PUSH_TTL_SECONDS = 24 * 60 * 60

/** Pause between two tests of a device. */
export const DEVICE_TEST_PAUSE_MS = 5_000
