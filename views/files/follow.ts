/**
 * Following: what others change is noticed while somebody looks, because no host tells a view of an
 * edit.
 *
 * All that is asked for is the newest change below each root. It is asked for less and less often while
 * nothing happens, and never while the page is hidden. Where it fails it is not asked for again: a host
 * may ask its person about every call.
 *
 * @module
 */

/** Milliseconds until the next look; each one that finds nothing makes it longer. */
const FIRST_MS = 4_000
const LONGEST_MS = 60_000
const GROWTH = 1.5

/** `newest` answers what is another text after each change. */
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
