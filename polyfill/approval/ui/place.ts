/**
 * Where the dialog is shown in a frame: in the top document where that has the same origin, else in
 * the part of the frame that is in view, else in a window of its own (`window.ts`).
 *
 * A frame can be smaller than the dialog, or so tall that its middle is scrolled away.
 * `test/pages/polyfill/approval-frames.slow.test.ts` covers it.
 *
 * @module
 */

import { type closedTree, el } from './dom.ts'
import { intrinsics } from './intrinsics.ts'

/** Milliseconds between two measurements of the part in view. */
const MEASURE_MS = 200

/**
 * Age in milliseconds above which a measurement does not count: a frame that is out of view gets no
 * more of them.
 */
const MAX_AGE_MS = 1_000

const COVERED = 'Something covers this question. It can be allowed when it is in full view.'
const UNFOCUSED = 'Click this question first.'
const AWAY = 'This question is scrolled out of view. It can be allowed when it is in full view.'

/** Returns the document that shows the dialog: the top one, if it is of this origin. */
export function findPlace(): Document {
  try {
    return window.top?.document ?? document
  } catch {
    return document // the top document is of another origin
  }
}

/** Follows whether the dialog is in view. */
export interface View {
  /** Functions of the window that shows the dialog, if it is this script's own, else of this one. */
  readonly platform: Pick<
    Window & typeof globalThis,
    'setInterval' | 'clearInterval' | 'IntersectionObserver'
  >
  /** Reports whether enough of the window is in view for the question. */
  isEnough(): boolean
  /** Returns why the question accepts no approval; empty while that is not known. */
  reason(since: number): string
  stop(): void
}

/**
 * Keeps the dialog in the part of its frame that is in view. A top document shows all of it.
 *
 * @param tree The tree of the dialog. It gets an invisible element to measure, and its style sheet
 *   the position, because a policy of the page may forbid style attributes.
 * @param fits Reports whether the question fits into an area.
 */
export function keepInView(
  { place, root, sheet }: ReturnType<typeof closedTree>,
  fits: (area: DOMRectInit) => boolean,
): View {
  const own = intrinsics.windowOf(place)
  if (own && own === own.top) return wholeWindow(place, own)
  const probe = el('div', { class: 'probe' })
  intrinsics.appendToRoot(root, probe)
  let isEnough = false
  let at = intrinsics.now()
  const isRecent = () => intrinsics.now() - at < MAX_AGE_MS
  const isInView = () => isEnough && isRecent()
  const observer = new intrinsics.IntersectionObserver((entries) => {
    const seen = intrinsics.seenOf(entries[entries.length - 1])
    if (!seen) return
    isEnough = fits(seen)
    at = intrinsics.now()
    if (isEnough) intrinsics.fillSheet(sheet, positionIn(seen))
  })
  const measure = () => {
    // A new observation reports at once; an old one only when the share in view changes.
    intrinsics.disconnect(observer)
    intrinsics.observe(observer, probe)
  }
  const timer = intrinsics.setInterval(measure, MEASURE_MS)
  measure()
  return {
    platform: intrinsics,
    isEnough: isInView,
    // A measurement from before may be about a place from which the frame has been scrolled away.
    reason: (since) =>
      isRecent() && at < since + MEASURE_MS ? '' : isInView() ? explain(place) : AWAY,
    stop() {
      intrinsics.clearInterval(timer)
      intrinsics.disconnect(observer)
    },
  }
}

/**
 * The view of a window that shows the dialog whole: the top document, or a window that was opened
 * for it. The functions of the latter are its own, because this window may be hidden, and slow then.
 */
const wholeWindow = (place: Document, own: Window & typeof globalThis): View => ({
  platform: own === window.top ? intrinsics : own,
  isEnough: () => true,
  reason: () => explain(place),
  stop() {},
})

const explain = (place: Document) => (intrinsics.hasFocus(place) ? COVERED : UNFOCUSED)

function positionIn({ x = 0, y = 0, width = 0, height = 0 }: DOMRectInit): string {
  return `dialog{inset:${y}px auto auto ${x}px;margin:12px;width:min(600px,${width}px - 24px);max-height:calc(${height}px - 24px)}`
}
