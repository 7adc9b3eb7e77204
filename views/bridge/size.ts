/**
 * Reports the height of the page, so that the host can size the frame.
 *
 * Only the height is reported: a page is as wide as its frame, so a host that adopted a reported
 * width would freeze it. The height is rounded up and reported only when it changes, so that a host
 * that adopts it does not cause another report. The page must not derive its height from the
 * frame's.
 *
 * @module
 */

/**
 * Calls back with the height of the page in CSS pixels whenever it changes.
 *
 * @param report Receives each new height.
 * @returns A function that stops observing.
 */
export function observeHeight(report: (height: number) => void): () => void {
  const root = document.documentElement
  let reported = 0
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height)
    // A page that is not displayed measures 0; its frame keeps the last height.
    if (height === 0 || height === reported) return
    reported = height
    report(height)
  })
  observer.observe(root)
  return () => observer.disconnect()
}
