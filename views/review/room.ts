/**
 * The room that a host gives: the frame is filled where its height is fixed, and otherwise the page
 * says how high it is, up to a height that leaves the conversation round it in sight.
 *
 * @module
 */

import type { HostContext } from '../bridge.ts'

/** Pixels that a review takes in the flow of a conversation. */
const MOST_INLINE = 720

const SIDES = ['top', 'right', 'bottom', 'left']

export function applyRoom(context: HostContext): void {
  const { displayMode = 'inline', containerDimensions = {}, safeAreaInsets = {} } = context
  const { height, maxHeight = MOST_INLINE } = containerDimensions
  const { style, dataset } = document.documentElement
  dataset['room'] = displayMode !== 'inline' || height !== undefined ? 'fixed' : 'flexible'
  style.setProperty('--most-height', `${Math.min(maxHeight, MOST_INLINE)}px`)
  for (const side of SIDES) style.setProperty(`--safe-${side}`, `${safeAreaInsets[side] ?? 0}px`)
}
