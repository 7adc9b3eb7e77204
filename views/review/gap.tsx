/** Collapsed unchanged lines: their number, and buttons that show them. @module */

import { useState } from 'preact/hooks'
import type { End, Gap } from './segments.ts'
import { counted } from './words.tsx'

/** Lines that one press shows. */
export const STEP = 100

/** Props of {@link GapRow}. */
export interface GapProps {
  readonly gap: Gap
  /** Reads a number of lines at one end; null if lines cannot be read. */
  readonly open: ((gap: Gap, end: End, count: number) => Promise<void>) | null
}

/** Renders a gap. */
export function GapRow({ gap, open }: GapProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const press = (end: End, lines: number) => async () => {
    if (!open || busy) return
    setBusy(true)
    setProblem(await open(gap, end, lines).then(() => '', wordsOf))
    setBusy(false)
  }
  const buttons = open ? buttonsOf(gap) : []
  const counts = gap.count !== null && buttons.length !== 1
  if (!counts && buttons.length === 0) return null
  return (
    <div class="gap" aria-busy={busy}>
      {counts && <span>{counted(gap.count, 'unchanged line')}</span>}
      {buttons.map(({ says, end, lines }) => (
        <button key={end} onClick={press(end, lines)}>
          {says}
        </button>
      ))}
      {problem !== '' && <span role="alert">{problem}</span>}
    </div>
  )
}

interface Opening {
  readonly says: string
  readonly end: End
  readonly lines: number
}

function buttonsOf({ count, above, below }: Gap): readonly Opening[] {
  if (count === null) return [{ says: 'Show more lines', end: 'top', lines: STEP }]
  const all = `Show ${counted(count, 'unchanged line')}`
  if (count <= STEP) return [{ says: all, end: 'top', lines: count }]
  const down: Opening = { says: `↓ Show ${STEP}`, end: 'top', lines: STEP }
  const up: Opening = { says: `↑ Show ${STEP}`, end: 'bottom', lines: STEP }
  return [...(above ? [down] : []), ...(below ? [up] : [])]
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
