/** Collapsed unchanged lines: their number, and buttons that show them. @module */

import { useState } from 'preact/hooks'
import type { FileDiff } from '#core/diff/unified.ts'
import type { End, Gap, ReadLines } from './segments.ts'
import { pluralize } from '../safe-text.tsx'

/** Reads `count` lines of a gap, from an index in the gap. */
export type LineReader = (
  file: FileDiff,
  gap: Gap,
  from: number,
  count: number,
) => Promise<ReadLines>

/** Lines that one press shows. */
export const STEP = 100

/** Props of {@link GapRow}. */
export interface GapProps {
  readonly gap: Gap
  /** Reads a number of lines at one end; null if lines cannot be read. */
  readonly open: ((gap: Gap, end: End, count: number) => Promise<void>) | null
}

export function GapRow({ gap, open }: GapProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const press = (end: End, lines: number) => async () => {
    if (!open || busy) return
    setBusy(true)
    setError(await open(gap, end, lines).then(() => '', messageOf))
    setBusy(false)
  }
  const buttons = open ? chooseButtons(gap) : []
  const showsCount = gap.count !== null && buttons.length !== 1
  if (!showsCount && buttons.length === 0) return null
  return (
    <div class="diffgap" aria-busy={busy}>
      {showsCount && <span>{pluralize(gap.count, 'unchanged line')}</span>}
      {buttons.map(({ label, end, lines }) => (
        <button key={end} onClick={press(end, lines)}>
          {label}
        </button>
      ))}
      {error !== '' && <span role="alert">{error}</span>}
    </div>
  )
}

interface GapButton {
  readonly label: string
  readonly end: End
  readonly lines: number
}

function chooseButtons({ count, above, below }: Gap): readonly GapButton[] {
  if (count === null) return [{ label: 'Show more lines', end: 'top', lines: STEP }]
  const all = `Show ${pluralize(count, 'unchanged line')}`
  if (count <= STEP) return [{ label: all, end: 'top', lines: count }]
  const down: GapButton = { label: `↓ Show ${STEP}`, end: 'top', lines: STEP }
  const up: GapButton = { label: `↑ Show ${STEP}`, end: 'bottom', lines: STEP }
  return [...(above ? [down] : []), ...(below ? [up] : [])]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
