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
export const ROW_HEIGHT = matchMedia('(pointer: coarse)').matches ? 40 : 28

/** Tracks the scroll position and size of an element. */
export function useViewport() {
  const ref = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ scroll: 0, height: 0, width: 0 })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const update = () =>
      setView({
        scroll: element.scrollTop,
        height: element.clientHeight,
        width: element.clientWidth,
      })
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.onscroll = update
    return () => observer.disconnect()
  }, [])
  return { ref, ...view }
}

/** Restores the focus when a row that becomes visible changes its place in the document. */
function useKeptFocus(list: HTMLElement | null): void {
  const focused = document.activeElement
  useLayoutEffect(() => {
    if (!(focused instanceof HTMLElement) || !list?.contains(focused)) return
    if (document.activeElement === document.body) focused.focus({ preventScroll: true })
  })
}

interface VirtualListProps {
  readonly count: number
  readonly active: number
  /** Renders a row; the style positions it. */
  readonly render: (index: number, style: string) => ComponentChildren
  readonly attributes: HTMLAttributes<HTMLDivElement>
  /** A new value scrolls the active row into view. */
  readonly scrollKey: unknown
}

/** Renders the visible rows of a list. */
export function VirtualList({ count, active, render, attributes, scrollKey }: VirtualListProps) {
  const { ref, scroll, height } = useViewport()
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || active < 0) return
    const top = active * ROW_HEIGHT
    const min = top + ROW_HEIGHT - element.clientHeight
    element.scrollTop = Math.max(min, Math.min(top, element.scrollTop))
  }, [scrollKey])

  const { from, to } = visibleRows(scroll, height, ROW_HEIGHT, count)
  const rendered = Array.from({ length: to - from }, (_, index) => from + index)
  const isActiveRow = active >= 0 && active < count
  if (isActiveRow && active < from) rendered.unshift(active)
  if (isActiveRow && active >= to) rendered.push(active)
  useKeptFocus(ref.current)
  return (
    <div class="rows" ref={ref} {...attributes}>
      <div style={`height:${count * ROW_HEIGHT}px`}>
        {rendered.map((index) =>
          render(index, `top:${index * ROW_HEIGHT}px;height:${ROW_HEIGHT}px;`),
        )}
      </div>
    </div>
  )
}
