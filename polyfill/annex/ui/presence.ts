/**
 * Presence: whether the dialog has really been in front of the person, for long enough.
 *
 * A yes counts only after the dialog stood still, in front and uncovered for half a second, so that
 * a click that was meant for something else allows nothing. What lies over it is found where the
 * pointer would meet it, and, in browsers that can tell, where it is only painted.
 *
 * @module
 */

import { native } from './native.ts'

/** A yes is taken this long after the dialog was last disturbed. */
export const STEADY_MS = 500

const LOOK_MS = 100

/** Looked at longer ago than this, nobody knows what was there meanwhile. */
const STALE_MS = 400

// What is smaller was made so by the page, with `zoom`, which reaches into every tree.
const LEAST_WIDTH = 180
const LEAST_HEIGHT = 40

export interface Presence {
  /** Whether a yes counts now. */
  isSteady(): boolean
  stop(): void
}

export interface Watched {
  readonly host: Element
  readonly dialog: HTMLElement
  /** What must be seen: what is asked. */
  readonly head: HTMLElement
  /** And the answers. */
  readonly foot: HTMLElement
}

// Version 2 of the observer, which the types do not know yet.
const PAINTED = { trackVisibility: true, delay: LOOK_MS, threshold: [0, 0.5, 1] }

/** Watches a dialog; `looked` is told what every look finds, and `gone` when it is no longer open. */
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

  /** Whether a part can be read, and the pointer meets it at its corners and in its middle. */
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

/** Near the one edge, in the middle, near the other. */
const inset = (size: number, at: number) => (at < 1 ? 4 : at < 2 ? size / 2 : size - 4)

/** Whether nothing is painted over an element, as far as the browser tells. */
function painted(element: HTMLElement) {
  let clear = true
  const observer = new native.Observer((entries) => {
    const latest = entries[entries.length - 1]
    clear = latest !== undefined && native.isVisible(latest) !== false
  }, native.bare(PAINTED))
  native.observe(observer, element)
  return { isClear: () => clear, stop: () => native.unobserve(observer) }
}
