/**
 * Watches the place and the focus of buttons that decide: a click that was aimed at something else must not press the
 * button that has come under the pointer. `test/host/console/decision-button.test.tsx` moves a button in every way.
 *
 * A place is the rectangle on the screen, and which of five points of it are covered. It is looked at several times
 * in the half second that a press needs, which is cheaper than in every frame, and again at the press: what moves
 * between two looks counts as moved at the later one.
 *
 * @module
 */

import { SETTLE_MS } from './settled.ts'

const LOOK_MS = 100

/** What is known of one button. Times are those of `performance.now()`, as those of events are. */
export interface Still {
  /** Whether a press would count now, by pointer or by key. */
  isReady: () => boolean
  /** Whether the press that caused this click counts. */
  counts: (click: MouseEvent) => boolean
  /** Begins again, because something else is shown at the same place. */
  restart: () => void
  stop: () => void
}

const looks = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Watches a button until `stop`, and reports whenever it becomes ready or ceases to be. */
export function watchStill(button: HTMLElement, report: (isReady: boolean) => void): Still {
  let place = describePlace(button)
  let placedAt = performance.now()
  let focusedAt = placedAt
  let pressedAt: number | null = null
  const look = () => {
    const next = describePlace(button)
    if (next !== place) placedAt = performance.now()
    place = next
    report(isReady())
  }
  const restart = () => void (placedAt = focusedAt = performance.now())
  const hasFocus = () => document.activeElement === button
  const isReady = () =>
    performance.now() - Math.min(placedAt, hasFocus() ? focusedAt : Infinity) >= SETTLE_MS
  const counts = ({ detail, timeStamp }: MouseEvent) => {
    look()
    // A click without a pointer comes from a key, or from assistive technology, which may leave the focus elsewhere.
    const since = detail === 0 && hasFocus() ? focusedAt : placedAt
    const time = detail === 0 ? timeStamp : (pressedAt ?? timeStamp)
    pressedAt = null
    return time - since >= SETTLE_MS
  }
  const controller = new AbortController()
  const on = <K extends 'focus' | 'pointerdown'>(
    type: K,
    handle: (event: HTMLElementEventMap[K]) => void,
  ) => button.addEventListener(type, handle, { signal: controller.signal })
  on('focus', () => void (focusedAt = performance.now()))
  on('pointerdown', ({ timeStamp }) => void (pressedAt = timeStamp))
  keepLooking(look)
  return {
    isReady,
    counts,
    restart,
    stop() {
      controller.abort()
      stopLooking(look)
    },
  }
}

function keepLooking(look: () => void): void {
  looks.add(look)
  timer ??= setInterval(() => looks.forEach((one) => one()), LOOK_MS)
}

function stopLooking(look: () => void): void {
  looks.delete(look)
  if (looks.size > 0) return
  clearInterval(timer)
  timer = undefined
}

/** The points of a button that are looked at, as parts of its width and height. */
const POINTS = [
  [0.5, 0.5],
  [0.1, 0.2],
  [0.9, 0.2],
  [0.1, 0.8],
  [0.9, 0.8],
] as const

/** Describes where on the screen a button is, and which of its points can be pressed; equal texts are equal places. */
function describePlace(button: HTMLElement): string {
  const { left, top, width, height } = button.getBoundingClientRect()
  const { offsetLeft = 0, offsetTop = 0, scale = 1 } = visualViewport ?? {}
  const isFree = ([x, y]: readonly [number, number]) => {
    const found = document.elementFromPoint(left + x * width, top + y * height)
    return found !== null && button.contains(found)
  }
  const window = [screenX, screenY, offsetLeft, offsetTop, scale * 100]
  const place = [left, top, width, height, ...window].map(Math.round)
  return `${place.join(' ')} ${POINTS.map((point) => Number(isFree(point))).join('')}`
}
