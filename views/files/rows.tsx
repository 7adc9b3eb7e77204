/**
 * Virtual list: only visible rows are in the document.
 *
 * All rows have the same height. The active row is always rendered, because it has the focus or is
 * referenced as active descendant.
 *
 * @module
 */

import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleRows } from './heights.ts'

/** Height of a row in CSS pixels, larger for touch input. */
export const ROW = matchMedia('(pointer: coarse)').matches ? 40 : 28

/** Tracks the scroll position and size of an element. */
export function useViewport() {
  const ref = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ scroll: 0, height: 0, width: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const look = () =>
      setView({
        scroll: element.scrollTop,
        height: element.clientHeight,
        width: element.clientWidth,
      })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.onscroll = look
    return () => observer.disconnect()
  }, [])
  return { ref, ...view }
}

/** Restores the focus when a row that becomes visible changes its place in the document. */
function useKeptFocus(list: HTMLElement | null): void {
  const held = document.activeElement
  useLayoutEffect(() => {
    if (!(held instanceof HTMLElement) || !list?.contains(held)) return
    if (document.activeElement === document.body) held.focus({ preventScroll: true })
  })
}

interface RowsProps {
  readonly count: number
  readonly active: number
  /** Renders a row; the style positions it. */
  readonly draw: (index: number, style: string) => ComponentChildren
  readonly attributes: HTMLAttributes<HTMLDivElement>
  /** A new value scrolls the active row into view. */
  readonly follow: unknown
}

/** Renders the visible rows of a list. */
export function Rows({ count, active, draw, attributes, follow }: RowsProps) {
  const { ref, scroll, height } = useViewport()
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || active < 0) return
    const top = active * ROW
    const least = top + ROW - element.clientHeight
    element.scrollTop = Math.max(least, Math.min(top, element.scrollTop))
  }, [follow])

  const { from, to } = visibleRows(scroll, height, ROW, count)
  const seen = Array.from({ length: to - from }, (_, index) => from + index)
  const isDrawn = active >= 0 && active < count
  if (isDrawn && active < from) seen.unshift(active)
  if (isDrawn && active >= to) seen.push(active)
  useKeptFocus(ref.current)
  return (
    <div class="rows" ref={ref} {...attributes}>
      <div style={`height:${count * ROW}px`}>
        {seen.map((index) => draw(index, `top:${index * ROW}px;height:${ROW}px;`))}
      </div>
    </div>
  )
}
