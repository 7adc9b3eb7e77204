/** Separator of the two panes: dragged, or moved with the arrow keys. @module */

import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact'

interface SplitterProps {
  /** List width, in per cent. */
  readonly share: number
  readonly onShare: (share: number) => void
}

const MIN_SHARE = 15
const MAX_SHARE = 75
const STEP = 3

/** Renders the separator. */
export function Splitter({ share, onShare }: SplitterProps) {
  const set = (to: number) => onShare(Math.max(MIN_SHARE, Math.min(MAX_SHARE, Math.round(to))))
  function press(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const steps: Record<string, number> = {
      ArrowLeft: -STEP,
      ArrowRight: STEP,
      Home: -MAX_SHARE,
      End: MAX_SHARE,
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
      aria-label="List width"
      aria-orientation="vertical"
      aria-valuemin={MIN_SHARE}
      aria-valuemax={MAX_SHARE}
      aria-valuenow={share}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  )
}
