/**
 * Text view: numbered lines in blocks, of which only the visible ones are in the document.
 *
 * @module
 */

import { Component } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createHeights } from './heights.ts'
import type { Token } from './highlight/tokens.ts'
import { BLOCK, type Text } from './lines.ts'
import { useViewport } from './rows.tsx'

/** Height of a line in CSS pixels, as in the style sheet. */
const LINE = 20

interface TextProps {
  readonly text: Text
  readonly wraps: boolean
  /** The line to scroll to, from 1. */
  readonly aim: { readonly line: number }
}

/** Renders a text from the line in `aim`. */
export function TextView({ text, wraps, aim }: TextProps) {
  const { ref, scroll, height, width } = useViewport()
  const [, measured] = useState(0)
  const heights = useMemo(
    () => createHeights(text.blocks, (block) => text.linesOf(block) * LINE),
    [text, wraps, wraps && width],
  )
  const going = useRef(0)
  const aimed = useRef<TextProps['aim'] | null>(null)

  useLayoutEffect(() => {
    // A new text with the same aim is a newer version of the file: the scroll position is kept.
    if (aimed.current === aim) return
    aimed.current = aim
    const line = Math.min(aim.line, text.total) - 1
    going.current = line > 0 ? line + 1 : 0
    const top = heights.offsetOf(Math.floor(line / BLOCK)) + (line % BLOCK) * LINE
    if (ref.current) ref.current.scrollTop = top - ref.current.clientHeight / 3
  }, [aim, text])

  const { from, to } = heights.visible(Math.max(0, scroll - height), 3 * height)
  const blocks = Array.from({ length: to - from }, (_, index) => from + index)
  useEffect(() => {
    for (const block of blocks) void text.want(block)
  })
  useLayoutEffect(() => {
    const element = ref.current
    let news = false
    for (const each of element?.querySelectorAll<HTMLElement>('[data-block]') ?? [])
      if (heights.measure(Number(each.dataset['block']), each.offsetHeight)) news = true
    if (news) measured((count) => count + 1)
    const line = element?.querySelector(`[data-n="${going.current}"]`)
    if (!line) return
    // If lines wrap, the position of the line is known only after rendering.
    line.scrollIntoView({ block: 'center', inline: 'nearest' })
    going.current = 0
  })

  const space = (pixels: number) => <div style={`height:${pixels}px`} />
  return (
    <div
      class={wraps ? 'code wraps' : 'code'}
      ref={ref}
      tabIndex={0}
      role="region"
      aria-label="Content"
    >
      {space(heights.offsetOf(from))}
      {blocks.map((block) => (
        <Block
          key={block}
          block={block}
          lines={text.tokens(block)}
          height={text.linesOf(block) * LINE}
          at={aim.line}
        />
      ))}
      {space(heights.offsetOf(text.blocks) - heights.offsetOf(to))}
    </div>
  )
}

interface BlockProps {
  readonly block: number
  readonly lines: readonly (readonly Token[])[] | null
  /** Height in CSS pixels while the lines are loading. */
  readonly height: number
  /** The highlighted line. */
  readonly at: number
}

/** Re-renders only when its lines or the highlighted line change. */
class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ lines, at }: BlockProps): boolean {
    return lines !== this.props.lines || at !== this.props.at
  }

  override render({ block, lines, height, at }: BlockProps) {
    const first = block * BLOCK + 1
    if (!lines) return <div data-block={block} style={`height:${height}px`} />
    return (
      <div data-block={block}>
        {lines.map((tokens, index) => (
          <div class={first + index === at && at > 1 ? 'l here' : 'l'} data-n={first + index}>
            {tokens.map(([piece, kind]) => (kind ? <span class={kind}>{piece}</span> : piece))}
            {'\n'}
          </div>
        ))}
      </div>
    )
  }
}
