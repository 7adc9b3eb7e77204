/**
 * The size of a view, so that a host can give it as much room as it needs.
 *
 * Only the height is told: a page is as wide as its frame, and a host that set the width to what it
 * was told would freeze it. It is rounded up and told only when it differs, so a host that does as it
 * is told is told nothing more. A page must not take its height from the frame's.
 *
 * @module
 */

export function watchHeight(tell: (height: number) => void): () => void {
  const root = document.documentElement
  let told = 0
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height)
    // A page that is not displayed has no height, and wants to keep the one it had.
    if (height === 0 || height === told) return
    told = height
    tell(height)
  })
  observer.observe(root)
  return () => observer.disconnect()
}
