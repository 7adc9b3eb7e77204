/**
 * The current time as signals, so that "3 minutes ago" and a countdown stay correct on an open
 * page. They stop while the page is hidden.
 *
 * @module
 */

import { signal } from '@preact/signals'

/** Milliseconds since 1970, updated every second. */
export const now = signal(Date.now())

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 1_000)

/** The same, updated every 20 seconds, for text that does not show seconds. */
export const coarseNow = signal(Date.now())

setInterval(() => {
  if (document.visibilityState === 'visible') coarseNow.value = Date.now()
}, 20_000)
