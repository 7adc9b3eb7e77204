/**
 * The place of a difference below the head of its file. It is filled once it comes near the window, and has about the
 * height that its lines will have until they are there (`review.css`), so that what is below does not jump.
 * `test/pages/console/review-story.slow.test.ts` scrolls through such places.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { FIRST_LINES } from '#views/diff/cut-hunks.ts'

/** Height of a line in CSS pixels, and unchanged lines around a change. */
const LINE_HEIGHT = 20
const AROUND = 6

/** What is known of the lines of a difference before they are read. */
interface Counts {
  readonly added?: number | undefined
  readonly removed?: number | undefined
}

/** The style of a file in a list: while it is far from the window, it has about the height that it will have. */
export function keptHeight({ added = 0, removed = 0 }: Counts, isOpen: boolean) {
  const lines = isOpen ? Math.min(FIRST_LINES, added + removed + AROUND) : 0
  return { '--kept': `${lines * LINE_HEIGHT}px` }
}

/** Distance from the window, in CSS pixels, from which the place is filled. */
const NEAR = 800

/** Renders its children once it comes near the window, in a place that has their height until then. */
export function Near({ children }: { readonly children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useLayoutEffect(() => {
    if (isNearWindow(place.current)) setNear(true)
  }, [])
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: `${NEAR}px 0px` },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="opened" ref={place}>
      {isNear && children}
    </div>
  )
}

function isNearWindow(place: HTMLElement | null): boolean {
  const { top = Infinity, bottom = 0 } = place?.getBoundingClientRect() ?? {}
  return top < innerHeight + NEAR && bottom > -NEAR
}
