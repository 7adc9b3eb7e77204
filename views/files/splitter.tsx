/** Separator of the two panes: dragged, or moved with the arrow keys. @module */

import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact'

interface SplitterProps {
  /** Width of the list, in per cent. */
  readonly share: number
  readonly onShare: (share: number) => void
}

const LEAST = 15
const MOST = 75
const STEP = 3

/** Renders the separator. */
export function Splitter({ share, onShare }: SplitterProps) {
  const set = (to: number) => onShare(Math.max(LEAST, Math.min(MOST, Math.round(to))))
  function press(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const steps: Record<string, number> = {
      ArrowLeft: -STEP,
      ArrowRight: STEP,
      Home: -MOST,
      End: MOST,
    }
    set(share + (steps[event.key] ?? 0))
  }
  function drag({ currentTarget, pointerId, clientX }: TargetedPointerEvent<HTMLDivElement>): void {
    if (currentTarget.hasPointerCapture(pointerId)) set((clientX / innerWidth) * 100)
  }
  return (
    <div
      class="splitter"
      role="separator"
      aria-label="Width of the list"
      aria-orientation="vertical"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={share}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  )
}
