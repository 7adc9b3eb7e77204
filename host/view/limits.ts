/**
 * Limits on what a view may cost the page. Times are in milliseconds.
 *
 * @module
 */

/** Largest number that an attribute has an effect with: an hour. A longer timer would end at once. */
export const MAX_NUMBER = 3_600_000

/** Time for an app to send `ui/notifications/initialized`. */
export const INIT_TIMEOUT = 30_000

/** Time for a call or a read that an app requests. */
export const CALL_TIMEOUT = 120_000

/** Time for an app to respond to `ui/resource-teardown`. */
export const TEARDOWN_TIMEOUT = 1_000

/** Time for the user, or the page, to answer a request of the app. */
export const ANSWER_TIMEOUT = 300_000

/** Delay before a lost frame is opened again; it doubles with each attempt. */
export const RETRY_DELAY = 1_000
/** Longest delay before a lost frame is opened again. */
export const MAX_RETRY_DELAY = 30_000
/** Attempts to open a lost frame before the view fails. */
export const MAX_RETRIES = 6

/** Largest HTML of an app, in UTF-16 code units. */
export const MAX_HTML = 10_000_000

/** Rate limit of an app's messages: size of the bucket. Beyond the limit the app is closed. */
export const MAX_BURST = 1_000
/** Rate limit of an app's messages: messages per second that the bucket gains. */
export const MAX_RATE = 200

/** Message of an error that an app receives, in UTF-16 code units. */
export const MAX_ERROR_MESSAGE = 1_000

/** Requests of an app handled at the same time. */
export const MAX_REQUESTS = 100

/** Tools that an app may offer; further ones are left out. */
export const MAX_APP_TOOLS = 50
/** Time for an app to list its tools or to finish a call of one. */
export const APP_CALL_TIMEOUT = 30_000

/** Minimum time between two `mcp-app-tools` events. */
export const TOOLS_INTERVAL = 1_000

/** Reports of a height in a row, each larger than the one before by the same amount or factor, that are followed. */
export const MAX_ECHOES = 5
/** Time without another report after which a height that was held back is tried. */
export const ECHO_TIME = 500

/** Part of a URI used to name a file, in UTF-16 code units. */
export const MAX_URI = 2_000

/** Files in one download. */
export const MAX_DOWNLOADS = 20

/** Pages of `resources/list` searched for a resource's entry. */
export const MAX_LIST_PAGES = 5

/** Initial height of the frame in CSS pixels. */
export const INITIAL_HEIGHT = 240
/** Minimum height of the frame in CSS pixels, unless the page sets `height`. */
export const MIN_HEIGHT = 24
/** Maximum height of the frame in CSS pixels, unless the page sets `max-height` or `height`. */
export const MAX_HEIGHT = 4_000
