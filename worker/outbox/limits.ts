/**
 * Limits of the outbox, whose receivers may be slow, unreachable or gone.
 * `test/platform/outbox/outbox.test.ts` tests them.
 *
 * @module
 */

/** Maximum number of notices of a workspace that wait for delivery; beyond it, the principal with the most loses its oldest. */
export const MAX_NOTICES = 100

/** Maximum number of attempts to deliver a notice, over about a day; then it is dropped. */
export const MAX_NOTICE_ATTEMPTS = 8

/** Maximum number of notices that a workspace sends at the same time. */
export const MAX_NOTICE_BATCH = 5

/** Maximum duration of one attempt to deliver a notice. */
export const MAX_NOTICE_ATTEMPT_MS = 10_000

/** Delay between an event and the first attempt to deliver its notice, so that a burst is one notice. */
export const NOTICE_DELAY_MS = 1_000

/** Pause after the first failed attempt to deliver a notice; each further pause is four times as long. */
export const NOTICE_RETRY_MS = 15_000

/** Maximum number of patterns of paths of which the webhook is notified. */
export const MAX_WATCHED_PATTERNS = 20
