/** The focus of what is about to go, handed to its neighbour: the next one, else the one before. @module */

/** Milliseconds in which what goes has to be gone. */
const GOING_MS = 5_000

/** `all` finds everything of the kind; where it was alone, the page's heading gets the focus. */
export function focusBeside(gone: string, all: string): void {
  const list = [...document.querySelectorAll<HTMLElement>(all)]
  const at = list.findIndex((one) => one.matches(gone))
  const neighbour = list[at + 1] ?? list[at - 1] ?? document.querySelector<HTMLElement>('main h1')
  if (!neighbour) return
  neighbour.focus()
  // A list that is drawn anew may move its entries, and what is moved loses the focus.
  const keep = new MutationObserver(() => {
    if (document.activeElement === document.body) neighbour.focus()
  })
  keep.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => keep.disconnect(), GOING_MS)
}
