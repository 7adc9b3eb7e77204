/**
 * Polling for changes by others, because no host notifies a view of an edit.
 *
 * Each poll requests only the newest change below each root. The interval grows while nothing
 * changes, and nothing is requested while the page is hidden. After a failure polling stops: a host
 * may ask the user about every call. `test/pages/files-view-follow.test.ts` covers it.
 *
 * @module
 */

/** First and longest interval in milliseconds, and its growth after a poll without changes. */
const FIRST_MS = 4_000
const LONGEST_MS = 60_000
const GROWTH = 1.5

/**
 * Starts polling.
 *
 * @param newest Returns a text that differs after each change.
 * @param news Called when the text has changed.
 */
export function follow(newest: () => Promise<string>, news: () => void): void {
  let wait = FIRST_MS
  let timer = 0
  let seen: string | null = null
  let isOver = false

  async function look(): Promise<void> {
    if (document.hidden) return
    const found = await newest()
    const isNew = seen !== null && found !== seen
    seen = found
    wait = isNew ? FIRST_MS : Math.min(wait * GROWTH, LONGEST_MS)
    if (isNew) news()
    later()
  }

  function later(): void {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(() => void look().catch(() => (isOver = true)), wait)
  }

  document.addEventListener('visibilitychange', () => {
    wait = FIRST_MS
    later()
  })
  later()
}
