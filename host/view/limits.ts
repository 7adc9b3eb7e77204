/**
 * What a view may cost the page around it, as named numbers. Times are in milliseconds.
 *
 * @module
 */

/** Until an app has said `ui/notifications/initialized`. */
export const INIT_TIMEOUT = 30_000

/** For a call or a read that an app asks for. */
export const CALL_TIMEOUT = 120_000

/** For an app to answer that it may be taken away. */
export const TEARDOWN_TIMEOUT = 1_000

/** For a person, or the page around, to answer what an app asks for. */
export const ANSWER_TIMEOUT = 300_000

/** Before a frame that went away is made again: this long, twice as long each time, at most this. */
export const FIRST_RETRY = 1_000
export const LAST_RETRY = 30_000
export const MAX_RETRIES = 6

/** Messages kept for an app that is not ready. The oldest go. */
export const MAX_QUEUED = 50

/** UTF-16 code units of an app's HTML. */
export const MAX_HTML = 10_000_000

/** Messages that an app may send at once, and per second afterwards, before it is taken away. */
export const MAX_BURST = 1_000
export const RATE = 200

/** Requests of an app that are worked on at once. */
export const MAX_REQUESTS = 100

/** Tools that an app may offer, and the time that a call of one may take. */
export const MAX_APP_TOOLS = 50
export const APP_CALL_TIMEOUT = 30_000

/** Between two words about changed tools of an app. */
export const TOOLS_PAUSE = 1_000

/** UTF-16 code units of an address that a file is named after. */
export const MAX_URI = 2_000

/** Files in one download. */
export const MAX_DOWNLOADS = 20

/** Pages of `resources/list` that are looked through for a resource's own entry. */
export const MAX_LIST_PAGES = 5

/** Height in CSS pixels: at first, at least and, without `max-height`, at most. */
export const FIRST_HEIGHT = 240
export const MIN_HEIGHT = 24
export const MAX_HEIGHT = 4_000
