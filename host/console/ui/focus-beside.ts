/** Moves the focus to a neighbour of an item that is about to be removed. @module */

/** Time (ms) within which the item is removed. */
const REMOVAL_MS = 5_000

/**
 * Focuses the next item, else the previous one, else the page's heading.
 *
 * @param gone Selector of the item.
 * @param all Selector of all items of its kind.
 */
export function focusBeside(gone: string, all: string): void {
  const list = [...document.querySelectorAll<HTMLElement>(all)]
  const at = list.findIndex((one) => one.matches(gone))
  const neighbour = list[at + 1] ?? list[at - 1] ?? document.querySelector<HTMLElement>('main h1')
  if (!neighbour) return
  neighbour.focus()
  // A rerender may move the neighbour in the document, which takes its focus away.
  const keep = new MutationObserver(() => {
    if (document.activeElement === document.body) neighbour.focus()
  })
  keep.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => keep.disconnect(), REMOVAL_MS)
}
