/** Keeps the height of a card that was decided, because a second click may still be on its way. @module */

import { useRef } from 'preact/hooks'

/** Returns the attributes of a card that is at least as high as it was before it was over. */
export function useKeptHeight(isOver: boolean) {
  const ref = useRef<HTMLElement>(null)
  const height = useRef<number | null>(null)
  // The document still has the card as it was.
  if (!isOver) height.current = null
  else height.current ??= ref.current?.getBoundingClientRect().height ?? 0
  return { ref, style: { minHeight: `${height.current ?? 0}px` } }
}
