/**
 * Size of the view: fills the frame if its height is fixed; otherwise the page reports its height,
 * up to a limit that keeps the surrounding conversation visible.
 *
 * @module
 */

import type { HostContext } from '../bridge.ts'

/** Largest height in CSS pixels of an inline review. */
const MOST_INLINE = 720

const SIDES = ['top', 'right', 'bottom', 'left']

/** Sets the size and the safe areas from the host context. */
export function applyRoom(context: HostContext): void {
  const { displayMode = 'inline', containerDimensions = {}, safeAreaInsets = {} } = context
  const { height, maxHeight = MOST_INLINE } = containerDimensions
  const { style, dataset } = document.documentElement
  dataset['room'] = displayMode !== 'inline' || height !== undefined ? 'fixed' : 'flexible'
  style.setProperty('--most-height', `${Math.min(maxHeight, MOST_INLINE)}px`)
  for (const side of SIDES) style.setProperty(`--safe-${side}`, `${safeAreaInsets[side] ?? 0}px`)
}
