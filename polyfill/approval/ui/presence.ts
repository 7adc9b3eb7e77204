/**
 * Checks that the dialog has been visible and unobstructed for long enough.
 *
 * An approval counts only after the dialog was in front, uncovered and at the same place for half a
 * second, in a document with the focus: a click meant for something else approves nothing, not even
 * the second one of a double click whose first one closed another window. Obstructions are found by
 * hit tests and, where the browser supports it, by visibility tracking of IntersectionObserver.
 * `test/pages/polyfill/approval-dialog.slow.test.ts` covers it.
 *
 * @module
 */

import { toSequence } from './dom.ts'
import { intrinsics } from './intrinsics.ts'
import type { View } from './place.ts'

/** Milliseconds without disturbance after which an approval counts. */
export const STEADY_MS = 500

const LOOK_MS = 100

/** Maximum gap in milliseconds between two checks; after a longer one the time starts again. */
const MAX_GAP_MS = 400

// The page can shrink the dialog with `zoom`, which affects closed trees too.
const MIN_WIDTH = 180
const MIN_HEIGHT = 40

/** A running check. */
export interface Presence {
  /** Checks now and reports whether an approval counts. */
  isSteady(): boolean
  /** Ends this check and that of the view. */
  stop(): void
}

/** The parts that have to be visible. */
export interface Watched {
  /** The document that shows the dialog. */
  readonly place: Document
  /** The part of its frame that is in view. */
  readonly view: View
  readonly host: Element
  readonly dialog: HTMLElement
  /** The question. */
  readonly head: HTMLElement
  /** The buttons. */
  readonly foot: HTMLElement
}

/**
 * Matches the host while nothing of its document is in the top layer that hit tests may not find: a
 * modal dialog makes it inert. Its order in the top layer is not known, so all of it counts as a
 * cover in a browser without visibility tracking.
 */
const UNCOVERED = ':root:not(:is(:active-view-transition,:has(:popover-open),:has(:fullscreen))) *'

// Version 2 of IntersectionObserver, which the TypeScript types lack.
const trackVisibility = () =>
  intrinsics.bare({
    trackVisibility: true,
    delay: LOOK_MS,
    threshold: toSequence([0, 0.5, 1]),
  })

/**
 * Watches a dialog.
 *
 * @param report Receives the result of every check.
 * @param closed Called when the dialog is no longer open.
 */
export function watch(
  { place, view, host, dialog, head, foot }: Watched,
  report: (isClear: boolean, isSteady: boolean) => void,
  closed: () => void,
): Presence {
  let since = Infinity
  let last = intrinsics.now()
  let before = ''
  const paintedHead = trackPaint(head, host, view)
  const paintedFoot = trackPaint(foot, host, view)

  function look(): boolean {
    const now = intrinsics.now()
    const top = intrinsics.boxOf(head)
    const bottom = intrinsics.boxOf(foot)
    const places = `${top.x} ${top.y} ${bottom.y} ${bottom.width} ${bottom.height}`
    const isPainted = paintedHead.isClear() && paintedFoot.isClear()
    const clear =
      view.isEnough() && isPainted && isSeen(place, dialog) && isInFront(top) && isInFront(bottom)
    if (!clear) since = Infinity
    else if (since === Infinity || places !== before || now - last > MAX_GAP_MS) since = now
    before = places
    last = now
    const steady = now - since >= STEADY_MS
    report(clear, steady)
    return steady
  }

  /**
   * Reports whether a part is large enough, and hit tests at its corners, edges and centre reach
   * the dialog.
   */
  function isInFront({ x = 0, y = 0, width = 0, height = 0 }: DOMRectInit): boolean {
    if (width < MIN_WIDTH || height < MIN_HEIGHT) return false
    for (let i = 0; i < 9; i++)
      if (
        intrinsics.elementFromPoint(place, x + inset(width, i % 3), y + inset(height, i / 3)) !==
        host
      )
        return false
    return true
  }

  const timer = view.platform.setInterval(() => {
    if (intrinsics.isConnected(host) && intrinsics.matches(dialog, '[open]')) look()
    else closed()
  }, LOOK_MS)
  look()
  return {
    isSteady: look,
    stop() {
      view.stop()
      view.platform.clearInterval(timer)
      paintedHead.stop()
      paintedFoot.stop()
    },
  }
}

const isSeen = (place: Document, dialog: HTMLElement) =>
  intrinsics.visibility(place) === 'visible' &&
  intrinsics.hasFocus(place) &&
  intrinsics.matches(dialog, ':modal')

/** Returns a test position: near the start, in the middle or near the end. */
const inset = (size: number, at: number) => (at < 1 ? 4 : at < 2 ? size / 2 : size - 4)

/** Tracks whether something is painted over an element, as far as the browser reports it. */
function trackPaint(element: HTMLElement, host: Element, { platform }: View) {
  let isVisible: boolean | undefined = true
  const observer = new platform.IntersectionObserver((entries) => {
    const latest = entries[entries.length - 1]
    isVisible = latest !== undefined && intrinsics.isVisible(latest)
  }, trackVisibility())
  intrinsics.observe(observer, element)
  return {
    isClear: () => isVisible ?? intrinsics.matches(host, UNCOVERED),
    stop: () => intrinsics.disconnect(observer),
  }
}
