/**
 * Keyboard shortcuts: the table, the dialog that shows it, and the steps from change to change.
 *
 * @module
 */

import { useEffect, useRef } from 'preact/hooks'
import { CHANGE_START } from '../diff/diff-table.ts'
import { runNext } from '../diff/lazy-render.ts'

/** A command of the keyboard. */
export type Command =
  | 'next'
  | 'previous'
  | 'nextFile'
  | 'previousFile'
  | 'layout'
  | 'fold'
  | 'copy'
  | 'help'

const SHORTCUTS: readonly { keys: readonly string[]; command: Command; label: string }[] = [
  { keys: ['n', 'j'], command: 'next', label: 'Next change' },
  { keys: ['p', 'k'], command: 'previous', label: 'Previous change' },
  { keys: [']'], command: 'nextFile', label: 'Next file' },
  { keys: ['['], command: 'previousFile', label: 'Previous file' },
  { keys: ['v'], command: 'layout', label: 'Side by side or unified' },
  { keys: ['f'], command: 'fold', label: 'Fold or unfold all files' },
  { keys: ['c'], command: 'copy', label: 'Copy the patch' },
  { keys: ['?'], command: 'help', label: 'Show keyboard shortcuts' },
]

/** Runs the command of each key press, while the component is rendered. */
export function useShortcuts(commands: Readonly<Record<Command, () => void>>): void {
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = findCommand(event)
      if (!command) return
      event.preventDefault()
      latest.current[command]()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Returns the command of a key press; null with modifiers, and in fields and dialogs. */
function findCommand(event: KeyboardEvent): Command | null {
  const { ctrlKey, metaKey, altKey, key, target } = event
  if (ctrlKey || metaKey || altKey) return null
  if (target instanceof Element && target.closest('input:not([type=radio]), textarea, dialog'))
    return null
  return SHORTCUTS.find(({ keys }) => keys.includes(key))?.command ?? null
}

/** Renders the dialog with the shortcuts, which Escape closes. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="keys" onClose={onClose}>
      <h2 id="keys">Keyboard shortcuts</h2>
      <dl>
        {SHORTCUTS.map(({ keys, label }) => (
          <div>
            <dt>
              {keys.map((key) => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <button onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  )
}

/** Moves the focus to the next or previous change. */
export function stepChange(step: 1 | -1): void {
  let target = findNeighbour(CHANGE_START, step)
  while (!target && step === 1 && runNext()) target = findNeighbour(CHANGE_START, step)
  focus(target)
}

/** Moves the focus to the next or previous file. */
export function stepFile(step: 1 | -1): void {
  focus(findNeighbour('.file-head :is(button, a)', step))
}

/** Returns the next match from the focus, or the first one if the focus is outside the files. */
function findNeighbour(selector: string, step: 1 | -1): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>(selector)]
  const focused = document.activeElement
  const isInside = focused?.closest('.files')
  if (!isInside) return step === 1 ? all[0] : undefined
  const relation = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING
  const beyond = all.filter(
    (each) => each !== focused && (focused?.compareDocumentPosition(each) ?? 0) & relation,
  )
  return step === 1 ? beyond[0] : beyond.at(-1)
}

function focus(element: HTMLElement | undefined): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center' })
}
