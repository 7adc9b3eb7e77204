/** Lines of one file: blocks of rows, and collapsed gaps between them. @module */

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FileDiff } from '#core/diff/unified.ts'
import { renderLater } from './lazy-render.ts'
import { GapRow } from './gap.tsx'
import type { LineReader } from './gap.tsx'
import { renderTable, type WritePart } from './diff-table.ts'
import {
  openLines,
  splitSegments,
  type Block,
  type End,
  type Gap,
  type Layout,
  type OpenedGaps,
  type Segment,
} from './segments.ts'

export interface FileLinesProps {
  readonly file: FileDiff
  readonly layout: Layout
  /** Reads unchanged lines; null if the host cannot call tools. */
  readonly read: LineReader | null
  /** Hides the `\r` of line endings, because all lines end with `\r\n` and the header says so. */
  readonly hidesReturns: boolean
  /** Appends a part of a line, for syntax highlighting. */
  readonly write?: WritePart | undefined
  /** Returns what is drawn around the lines of a hunk; null draws them alone. */
  readonly frame?: ((hunk: number) => HunkFrame | null) | undefined
}

/** What is drawn around the lines of a hunk. */
export interface HunkFrame {
  readonly label: string
  readonly look: string
  /** Shown before the lines. */
  readonly head: ComponentChildren
}

/** Renders the lines of a file. */
export function FileLines(props: FileLinesProps) {
  const { file, layout: preferred, read, hidesReturns, write, frame } = props
  // One column would be empty for a new or deleted file.
  const layout = file.from === null || file.to === null ? 'unified' : preferred
  const [opened, setOpened] = useState<OpenedGaps>(new Map())
  const segments = useMemo(() => splitSegments(file, layout, opened), [file, layout, opened])
  const digits = `${lastLineNumber(file)}`.length

  async function open(gap: Gap, end: End, count: number): Promise<void> {
    if (!read) return
    const from = end === 'top' ? 0 : (gap.count ?? 0) - count
    const lines = await read(file, gap, from, count)
    const isShort = lines.texts.length < Math.min(count, lines.rest)
    // Missing lines would leave a hole between these lines and the ones they lead to.
    if (isShort && (end === 'bottom' || lines.texts.length === 0))
      throw new Error('Cannot show these lines: they are too long')
    setOpened((before) => openLines(before, gap, end, lines))
  }

  const draw = (segment: Segment) =>
    segment.kind === 'gap' ? (
      <GapRow key={`g${segment.index}`} gap={segment} open={read ? open : null} />
    ) : (
      <BlockOfRows key={segment.key} block={segment} {...{ file, layout, hidesReturns, write }} />
    )

  return (
    <div
      class={layout === 'split' ? 'difflines twosides' : 'difflines'}
      style={{ '--digits': `${Math.max(2, digits)}ch` }}
      onPointerDown={selectOneSide}
    >
      {groupByHunk(segments).flatMap(({ hunk, parts }) => {
        const framed = hunk === null ? null : frame?.(hunk)
        return framed
          ? [<Framed key={`f${hunk}`} {...framed} lines={parts.map(draw)} />]
          : parts.map(draw)
      })}
    </div>
  )
}

interface BlockProps extends Omit<FileLinesProps, 'read' | 'frame'> {
  readonly block: Block
}

/** Expected height of a row in CSS pixels, before it is rendered. */
const ROW_HEIGHT = 20

function BlockOfRows({ block, layout, file, hidesReturns, write }: BlockProps) {
  const { rows, within } = block
  const container = useRef<HTMLDivElement>(null)
  const height = rows.length * ROW_HEIGHT
  useLayoutEffect(
    () =>
      renderLater(() => {
        const name = file.to ?? file.from ?? ''
        const first = rows[0]?.right?.newNumber ?? rows[0]?.left?.oldNumber ?? 0
        const label = `${name}, from line ${first}`
        const options = { layout, label, within, hidesReturns, write }
        container.current?.replaceChildren(renderTable(rows, options))
        container.current?.style.removeProperty('min-height')
      }),
    [rows, layout, write],
  )
  const style = { minHeight: `${height}px`, containIntrinsicSize: `auto ${height}px` }
  return <div class="diffblock" ref={container} style={style} />
}

const Framed = ({
  label,
  look,
  head,
  lines,
}: HunkFrame & { readonly lines: ComponentChildren }) => (
  <div class={`diffhunk ${look}`} role="group" aria-label={label}>
    {head}
    {lines}
  </div>
)

/** Puts the blocks of each hunk together. */
function groupByHunk(segments: readonly Segment[]) {
  const groups: { readonly hunk: number | null; readonly parts: Segment[] }[] = []
  for (const segment of segments) {
    const hunk = segment.kind === 'gap' ? null : segment.hunk
    const last = groups.at(-1)
    if (last && hunk !== null && last.hunk === hunk) last.parts.push(segment)
    else groups.push({ hunk, parts: [segment] })
  }
  return groups
}

function lastLineNumber({ hunks }: FileDiff): number {
  const last = hunks.at(-1)
  return last ? Math.max(last.oldStart + last.oldLines, last.newStart + last.newLines) : 0
}

/** Restricts a text selection to the column where it began. */
function selectOneSide({ target, currentTarget }: PointerEvent): void {
  if (!(target instanceof Element) || !(currentTarget instanceof HTMLElement)) return
  const cell = target.closest('td')
  if (cell) currentTarget.dataset['side'] = cell.classList.contains('r') ? 'r' : 'l'
}
