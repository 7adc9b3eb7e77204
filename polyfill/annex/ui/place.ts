/**
 * Where the dialog is shown in a frame: in the top document where that has the same origin, else in
 * the part of the frame that is in view.
 *
 * A frame can be smaller than the dialog, or so tall that its middle is scrolled away.
 * `test/pages/polyfill/annex-frames.slow.test.ts` covers it.
 *
 * @module
 */

import { el } from './dom.ts'
import { intrinsics } from './intrinsics.ts'

/** Smallest area, in CSS pixels, in which the question can be read. */
const MIN_WIDTH = 220
const MIN_HEIGHT = 200

/** Milliseconds between two measurements of the part in view. */
const MEASURE_MS = 200

/**
 * Age in milliseconds above which a measurement does not count: a frame that is out of view gets no
 * more of them.
 */
const MAX_AGE_MS = 1_000

/** Returns the document that shows the dialog; null if its window is too small or it has no body. */
export function findPlace(): Document | null {
  const place = topDocument() ?? document
  const view = place.defaultView
  if (!view || !place.body || !document.defaultView) return null
  return isReadable({ width: view.innerWidth, height: view.innerHeight }) ? place : null
}

function topDocument(): Document | null {
  try {
    return window.top?.document ?? null
  } catch {
    return null // another origin
  }
}

const isReadable = ({ width = 0, height = 0 }: DOMRectInit): boolean =>
  width >= MIN_WIDTH && height >= MIN_HEIGHT

/** Follows the part of a frame that is in view. */
export interface View {
  /** Reports whether enough of the frame is in view for the question. */
  isEnough(): boolean
  /** Reports whether it is not, as opposed to not yet measured. */
  isAway(): boolean
  stop(): void
}

const WHOLE: View = { isEnough: () => true, isAway: () => false, stop: () => {} }

/**
 * Keeps the dialog in the part of its frame that is in view; a dialog in the top document needs
 * nothing.
 *
 * @param root The shadow tree of the dialog, which gets an invisible element to measure.
 * @param sheet Receives the position, because a policy of the page may forbid style attributes.
 */
export function keepInView(place: Document, root: ShadowRoot, sheet: CSSStyleSheet): View {
  if (place.defaultView === window.top) return WHOLE
  const probe = el('div', { class: 'probe' })
  intrinsics.appendToRoot(root, probe)
  let isEnough = false
  let at = intrinsics.now()
  const isRecent = () => intrinsics.now() - at < MAX_AGE_MS
  let measured = false
  const observer = new intrinsics.Observer((entries) => {
    const seen = intrinsics.seenOf(entries[entries.length - 1])
    isEnough = seen !== null && isReadable(seen)
    measured = true
    at = intrinsics.now()
    if (seen && isEnough) intrinsics.fillSheet(sheet, positionIn(seen))
  })
  const measure = () => {
    // A new observation reports at once; an old one only when the share in view changes.
    intrinsics.unobserve(observer)
    intrinsics.observe(observer, probe)
  }
  const timer = intrinsics.every(measure, MEASURE_MS)
  measure()
  return {
    isEnough: () => isEnough && isRecent(),
    isAway: () => !isRecent() || (measured && !isEnough),
    stop() {
      intrinsics.never(timer)
      intrinsics.unobserve(observer)
    },
  }
}

function positionIn({ x = 0, y = 0, width = 0, height = 0 }: DOMRectInit): string {
  return `dialog{inset:${y}px auto auto ${x}px;margin:12px;width:min(600px,${width}px - 24px);max-height:calc(${height}px - 24px)}`
}
