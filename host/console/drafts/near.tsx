/**
 * The place of a difference below the head of its file. It is filled once it comes near the window, and has about the
 * height that its lines will have until they are there (`review.css`), so that what is below does not jump.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Height of a line in CSS pixels, unchanged lines around a change, and lines of a long difference that are shown first. */
const LINE_HEIGHT = 20
const AROUND = 6
const MOST = 400

/** Distance from the window, in CSS pixels, from which the place is filled. */
const NEAR = 800

interface Props {
  /** Lines of the difference, as far as they are known. */
  readonly added?: number | undefined
  readonly removed?: number | undefined
  readonly children: ComponentChildren
}

/** Renders its children once it comes near the window, and keeps a place for them until then. */
export function Near({ added = 0, removed = 0, children }: Props) {
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
  const height = Math.min(MOST, added + removed + AROUND) * LINE_HEIGHT
  return (
    <div class="opened" ref={place} style={{ '--kept': `${height}px` }}>
      {isNear && children}
    </div>
  )
}

function isNearWindow(place: HTMLElement | null): boolean {
  const { top = Infinity, bottom = 0 } = place?.getBoundingClientRect() ?? {}
  return top < innerHeight + NEAR && bottom > -NEAR
}
