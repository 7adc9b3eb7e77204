/**
 * Polling for changes by others, because no host notifies a view of an edit.
 *
 * Each poll requests only the newest change below each root. The interval grows while nothing
 * changes, and nothing is requested while the page is hidden. After a failure polling stops: a host
 * may ask the user about every call. `test/pages/files-view/poll-changes.slow.test.ts` covers it.
 *
 * @module
 */

/** Interval in milliseconds, and its growth after a poll without changes. */
const MIN_INTERVAL_MS = 4_000
const MAX_INTERVAL_MS = 60_000
const GROWTH = 1.5

/**
 * Starts polling.
 *
 * @param read Returns a text that differs after each change.
 * @param onChange Called when the text has changed.
 * @param before The text that the first poll is compared with; without it, that poll only reads the text.
 */
export function pollChanges(
  read: () => Promise<string>,
  onChange: () => void,
  before: string | null = null,
): void {
  let interval = MIN_INTERVAL_MS
  let timer = 0
  let last = before
  let hasFailed = false

  async function poll(): Promise<void> {
    if (document.hidden) return
    const current = await read()
    const hasChanged = last !== null && current !== last
    last = current
    interval = hasChanged ? MIN_INTERVAL_MS : Math.min(interval * GROWTH, MAX_INTERVAL_MS)
    if (hasChanged) onChange()
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    if (!hasFailed) timer = setTimeout(() => void poll().catch(() => (hasFailed = true)), interval)
  }

  document.addEventListener('visibilitychange', () => {
    interval = MIN_INTERVAL_MS
    schedule()
  })
  schedule()
}
