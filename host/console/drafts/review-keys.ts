/**
 * Keys of the review page, as reviewers know them. Letters move the focus or mark; none decides.
 * `test/pages/console/review.test.ts` presses them.
 *
 * @module
 */

import { isTyped } from './keys.ts'

/** What each key clicks in the file that has the focus, or that is at the top of the window. */
const CLICKS: Readonly<Record<string, string>> = {
  ...{ v: '.viewedbox input', x: '.selectbox', e: '[data-edit]' },
}

/** The elements among which each pair of keys moves, with the direction. */
const MOVES: Readonly<Record<string, readonly [string, 1 | -1]>> = {
  j: ['.filehead .path', 1],
  k: ['.filehead .path', -1],
  n: ['.draftfiles tr[data-change]', 1],
  p: ['.draftfiles tr[data-change]', -1],
}

/** The buttons that keys move the focus to. */
const TARGETS: Readonly<Record<string, string>> = { a: '[data-approve]', t: '[data-turn-down]' }

/** Handles a key. */
export function handleReviewKeys(event: KeyboardEvent): void {
  if (isTyped(event) || event.shiftKey) return
  const key = ARROWS[event.key] && isInHead(event.target) ? ARROWS[event.key] : event.key
  const [move, click, target] = [MOVES[key ?? ''], CLICKS[key ?? ''], TARGETS[key ?? '']]
  if (key !== 'l' && !move && !click && !target) return
  event.preventDefault()
  if (move) moveAmong(...move)
  if (click) currentFile()?.querySelector<HTMLElement>(click)?.click()
  if (key === 'l') leaveOutCurrent()
  if (target) document.querySelector<HTMLElement>(target)?.focus()
}

/** Leaves out the change that has the focus; without one, moves to the next one, so that it is looked at first. */
function leaveOutCurrent(): void {
  const button = document.activeElement?.closest('.diffhunk')?.querySelector<HTMLElement>(LEAVE_OUT)
  if (button) button.click()
  else moveAmong('.draftfiles tr[data-change]', 1)
}

const LEAVE_OUT = '[data-leave-out]'

const ARROWS: Readonly<Record<string, string>> = { ArrowDown: 'j', ArrowUp: 'k' }

const isInHead = (target: EventTarget | null) =>
  target instanceof Element && target.closest('.filehead') !== null

/** The file with the focus, or the first that reaches below the top of the window. */
function currentFile(): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>('.draftfiles > li')
  if (focused) return focused
  const all = [...document.querySelectorAll<HTMLElement>('.draftfiles > li')]
  return all.find((one) => one.getBoundingClientRect().bottom > 0) ?? null
}

/** Moves the focus to the next element after the one that has it, in the order of the page. */
function moveAmong(selector: string, step: 1 | -1): void {
  const from = document.activeElement
  // Among boxes, if it is in one.
  const isBox = from?.matches('.selectbox') === true && selector.startsWith('.filehead')
  const all = [...document.querySelectorAll<HTMLElement>(isBox ? '.selectbox' : selector)]
  const isInList = from?.closest('.draftfiles') !== null
  const isBeyond = (one: Element) => {
    if (!from || !isInList) return step > 0
    const place = from.compareDocumentPosition(one)
    return (
      (place & (step > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING)) > 0
    )
  }
  const next = step > 0 ? all.find(isBeyond) : all.findLast(isBeyond)
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: next.matches('tr') ? 'center' : 'start' })
}
