/**
 * Checks that the dialog has been visible and unobstructed for long enough.
 *
 * An approval counts only after the dialog was in front, uncovered and at the same place for half a
 * second, so that a click meant for something else approves nothing. Obstructions are found by hit
 * tests and, where the browser supports it, by visibility tracking of IntersectionObserver.
 * `test/pages/polyfill-annex-dialog.test.ts` covers it.
 *
 * @module
 */

import { native } from './native.ts'

/** Milliseconds without disturbance after which an approval counts. */
export const STEADY_MS = 500

const LOOK_MS = 100

/** Longest gap in milliseconds between two checks; after a longer one the time starts again. */
const STALE_MS = 400

// The page can shrink the dialog with `zoom`, which affects closed trees too.
const LEAST_WIDTH = 180
const LEAST_HEIGHT = 40

/** A running check. */
export interface Presence {
  /** Checks now and reports whether an approval counts. */
  isSteady(): boolean
  stop(): void
}

/** The parts that have to be visible. */
export interface Watched {
  readonly host: Element
  readonly dialog: HTMLElement
  /** The question. */
  readonly head: HTMLElement
  /** The buttons. */
  readonly foot: HTMLElement
}

// Version 2 of IntersectionObserver, which the TypeScript types lack.
const PAINTED = { trackVisibility: true, delay: LOOK_MS, threshold: [0, 0.5, 1] }

/**
 * Watches a dialog.
 *
 * @param looked Receives the result of every check.
 * @param gone Called when the dialog is no longer open.
 */
export function watch(
  { host, dialog, head, foot }: Watched,
  looked: (state: 'covered' | 'waiting' | 'steady') => void,
  gone: () => void,
): Presence {
  let since = Infinity
  let last = native.now()
  let before = ''
  const paintedHead = painted(head)
  const paintedFoot = painted(foot)

  function look(): boolean {
    const now = native.now()
    const top = native.boxOf(head)
    const bottom = native.boxOf(foot)
    const places = `${top.x} ${top.y} ${bottom.y} ${bottom.width} ${bottom.height}`
    const isPainted = paintedHead.isClear() && paintedFoot.isClear()
    const clear = isPainted && isSeen() && isInFront(top) && isInFront(bottom)
    if (!clear || places !== before || now - last > STALE_MS) since = clear ? now : Infinity
    before = places
    last = now
    const steady = now - since >= STEADY_MS
    looked(clear ? (steady ? 'steady' : 'waiting') : 'covered')
    return steady
  }

  const isSeen = () => native.visibility(document) === 'visible' && native.matches(dialog, ':modal')

  /**
   * Reports whether a part is large enough, and hit tests at its corners, edges and centre reach
   * the dialog.
   */
  function isInFront({ x = 0, y = 0, width = 0, height = 0 }: DOMRectInit): boolean {
    if (width < LEAST_WIDTH || height < LEAST_HEIGHT) return false
    for (let i = 0; i < 9; i++)
      if (native.at(document, x + inset(width, i % 3), y + inset(height, i / 3)) !== host)
        return false
    return true
  }

  const timer = native.every(() => {
    if (native.isConnected(host) && native.matches(dialog, '[open]')) look()
    else gone()
  }, LOOK_MS)
  look()
  return {
    isSteady: look,
    stop() {
      native.never(timer)
      paintedHead.stop()
      paintedFoot.stop()
    },
  }
}

/** Returns a test position: near the start, in the middle or near the end. */
const inset = (size: number, at: number) => (at < 1 ? 4 : at < 2 ? size / 2 : size - 4)

/** Tracks whether something is painted over an element, as far as the browser reports it. */
function painted(element: HTMLElement) {
  let clear = true
  const observer = new native.Observer((entries) => {
    const latest = entries[entries.length - 1]
    clear = latest !== undefined && native.isVisible(latest) !== false
  }, native.bare(PAINTED))
  native.observe(observer, element)
  return { isClear: () => clear, stop: () => native.unobserve(observer) }
}
