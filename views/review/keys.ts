/**
 * Keyboard shortcuts, in the table that the help dialog shows.
 *
 * @module
 */

import { fillNext } from './filling.ts'
import { CHANGE_START } from './rows.ts'

/** A command of the keyboard. */
export type Command =
  'next' | 'previous' | 'nextFile' | 'previousFile' | 'layout' | 'fold' | 'copy' | 'help'

/** The keys of each command, with its description. */
export const KEYS: readonly { keys: readonly string[]; command: Command; says: string }[] = [
  { keys: ['n', 'j'], command: 'next', says: 'Next change' },
  { keys: ['p', 'k'], command: 'previous', says: 'Previous change' },
  { keys: [']'], command: 'nextFile', says: 'Next file' },
  { keys: ['['], command: 'previousFile', says: 'Previous file' },
  { keys: ['v'], command: 'layout', says: 'Side by side or unified' },
  { keys: ['f'], command: 'fold', says: 'Fold or open all files' },
  { keys: ['c'], command: 'copy', says: 'Copy the patch' },
  { keys: ['?'], command: 'help', says: 'Show these keys' },
]

/** Returns the command of a key press; null with modifiers, and in fields and dialogs. */
export function commandOf(event: KeyboardEvent): Command | null {
  const { ctrlKey, metaKey, altKey, key, target } = event
  if (ctrlKey || metaKey || altKey) return null
  if (target instanceof Element && target.closest('input:not([type=radio]), textarea, dialog'))
    return null
  return KEYS.find(({ keys }) => keys.includes(key))?.command ?? null
}

/** Moves the focus to the next or previous change. */
export function stepChange(step: 1 | -1): void {
  let target = neighbour(CHANGE_START, step)
  while (!target && step === 1 && fillNext()) target = neighbour(CHANGE_START, step)
  go(target)
}

/** Moves the focus to the next or previous file. */
export function stepFile(step: 1 | -1): void {
  go(neighbour('.file-head :is(button, a)', step))
}

/** Returns the next match from the focus, or the first one if the focus is outside the files. */
function neighbour(selector: string, step: 1 | -1): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(selector)]
  const focused = document.activeElement
  const inside = focused?.closest('.files')
  if (!inside) return step === 1 ? all[0] : undefined
  const relation = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING
  const beyond = all.filter(
    (each) => each !== focused && (focused?.compareDocumentPosition(each) ?? 0) & relation,
  )
  return step === 1 ? beyond[0] : beyond.at(-1)
}

function go(element: HTMLElement | undefined): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center' })
}
