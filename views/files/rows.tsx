/**
 * Rows: a list of any length of which only what can be seen is in the page.
 *
 * All rows have one height. The active one is always drawn, wherever it is, because the focus is on
 * it or points at it.
 *
 * @module
 */

import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { visibleRows } from './heights.ts'

/** Pixels of a row, for a mouse and for a finger. */
export const ROW = matchMedia('(pointer: coarse)').matches ? 40 : 28

/** What can be seen of an element that scrolls, as it does. */
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

/** A row that comes into sight may take another place in the page, which would cost it the focus. */
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
  /** Draws a row; the style is its place. */
  readonly draw: (index: number, style: string) => ComponentChildren
  readonly attributes: HTMLAttributes<HTMLDivElement>
  /** Another value brings the active row into sight. */
  readonly follow: unknown
}

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
