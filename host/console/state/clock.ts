/**
 * The time of day as a signal, so that "3 minutes ago" and a countdown stay true on a page that is
 * left open. It ticks only while somebody looks.
 *
 * @module
 */

import { signal } from '@preact/signals'

export const now = signal(Date.now())

setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 1_000)

/** The same, told twice a minute, for what need not count seconds. */
export const slowly = signal(Date.now())

setInterval(() => {
  if (document.visibilityState === 'visible') slowly.value = Date.now()
}, 20_000)
