/**
 * Text view: numbered lines in blocks, of which only the visible ones are in the document.
 *
 * @module
 */

import { Component } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { BlockHeights } from '../heights.ts'
import type { Token } from '#core/highlight/tokens.ts'
import { BLOCK, type TextBlocks } from './text-blocks.ts'
import { useViewport } from '../virtual-list.tsx'

/** Height of a line in CSS pixels, as in the style sheet. */
const LINE_HEIGHT = 20

interface TextProps {
  readonly text: TextBlocks
  readonly wraps: boolean
  /** The line to scroll to, from 1. */
  readonly target: { readonly line: number }
}

/** Renders a text from the target line. */
export function TextView({ text, wraps, target }: TextProps) {
  const viewport = useViewport()
  const { ref, scroll, height, width } = viewport
  const heights = useMemo(
    () => new BlockHeights(text.count, (block) => text.lineCount(block) * LINE_HEIGHT),
    [text, wraps, wraps && width],
  )
  const { from, to } = heights.visible(Math.max(0, scroll - height), 3 * height)
  const blocks = Array.from({ length: to - from }, (_, index) => from + index)
  useScrollTarget(ref, heights, text, target)
  useEffect(() => {
    for (const block of blocks) void text.load(block)
  })
  const spacer = (pixels: number) => <div style={`height:${pixels}px`} />
  return (
    <div
      class={wraps ? 'code wraps' : 'code'}
      ref={ref}
      style={`--digits:${String(text.total).length}`}
      tabIndex={0}
      role="region"
      aria-label="Content"
    >
      {spacer(heights.offsetOf(from))}
      {blocks.map((block) => (
        <Block
          key={block}
          block={block}
          lines={text.tokens(block)}
          height={text.lineCount(block) * LINE_HEIGHT}
          current={target.line}
        />
      ))}
      {spacer(heights.offsetOf(text.count) - heights.offsetOf(to))}
    </div>
  )
}

/** Scrolls to each new target, and measures the rendered blocks. */
function useScrollTarget(
  ref: { readonly current: HTMLElement | null },
  heights: BlockHeights,
  text: TextBlocks,
  target: TextProps['target'],
): void {
  const [, redraw] = useState(0)
  const pendingLine = useRef(0)
  const reached = useRef<TextProps['target'] | null>(null)

  useLayoutEffect(() => {
    // A new text with the same target is a newer version of the file: the scroll position is kept.
    if (reached.current === target) return
    reached.current = target
    const line = Math.min(target.line, text.total) - 1
    pendingLine.current = line > 0 ? line + 1 : 0
    const top = heights.offsetOf(Math.floor(line / BLOCK)) + (line % BLOCK) * LINE_HEIGHT
    if (ref.current) ref.current.scrollTop = top - ref.current.clientHeight / 3
  }, [target, text])

  useLayoutEffect(() => {
    if (measureBlocks(ref.current, heights)) redraw((count) => count + 1)
    const line = ref.current?.querySelector(`[data-n="${pendingLine.current}"]`)
    if (!line) return
    // If lines wrap, the position of the line is known only after rendering.
    line.scrollIntoView({ block: 'center', inline: 'nearest' })
    pendingLine.current = 0
  })
}

/** Stores the heights of rendered blocks; true if one has changed. */
function measureBlocks(element: HTMLElement | null, heights: BlockHeights): boolean {
  let hasChanged = false
  for (const each of element?.querySelectorAll<HTMLElement>('[data-block]') ?? [])
    if (heights.measure(Number(each.dataset['block']), each.offsetHeight)) hasChanged = true
  return hasChanged
}

interface BlockProps {
  readonly block: number
  readonly lines: readonly (readonly Token[])[] | null
  /** Height in CSS pixels while the lines are loading. */
  readonly height: number
  /** The highlighted line. */
  readonly current: number
}

/** Re-renders only when its lines or the highlighted line change. */
class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ lines, current }: BlockProps): boolean {
    return lines !== this.props.lines || current !== this.props.current
  }

  override render({ block, lines, height, current }: BlockProps) {
    const first = block * BLOCK + 1
    if (!lines) return <div data-block={block} style={`height:${height}px`} />
    return (
      <div data-block={block}>
        {lines.map((tokens, index) => (
          <div
            class={first + index === current && current > 1 ? 'l here' : 'l'}
            data-n={first + index}
          >
            {tokens.map(([piece, kind]) => (kind ? <span class={kind}>{piece}</span> : piece))}
            {'\n'}
          </div>
        ))}
      </div>
    )
  }
}
