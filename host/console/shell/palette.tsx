/**
 * The command palette: pages, tools and actions by name, from the keyboard.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { listCommands, type Command } from './commands.ts'
import { Icon } from '../ui/icons.tsx'
import { keepFocus } from '../ui/keep-focus.ts'
import { Visible } from '../ui/visible.tsx'

const isOpen = signal(false)

export const openPalette = () => void (isOpen.value = true)

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
  if (event.altKey || event.shiftKey || document.querySelector('dialog.modal[open]')) return
  event.preventDefault()
  isOpen.value = !isOpen.value
})

/** Shows the palette while it is open; Ctrl K or ⌘ K toggles it. */
export function Palette() {
  return isOpen.value ? <PaletteDialog /> : null
}

/** Most commands in the list. */
const MAX_RESULTS = 60

const LABEL = 'Page, tool or action'

const close = () => void (isOpen.value = false)

function PaletteDialog() {
  const dialog = useModal()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const all = useMemo(listCommands, [])
  const results = filterByTitle(all, text).slice(0, MAX_RESULTS)
  const chosen = Math.min(at, results.length - 1)
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + results.length) % Math.max(results.length, 1))
    else if (event.key === 'Enter') run(results[chosen])
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={() => {
        // The event arrives later, and must not close a palette that was opened since.
        if (dialog.current) close()
      }}
      onClick={({ target }) => {
        if (target === dialog.current) close()
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label={LABEL}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={results.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        placeholder={LABEL}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={handleKey}
      />
      <Results id={id} commands={results} chosen={chosen} onPoint={setAt} />
      {results.length === 0 && <p class="empty">No page, tool or action matches.</p>}
    </dialog>
  )
}

function run(command: Command | undefined): void {
  if (!command) return
  close()
  command.run()
}

/** Shows a dialog as modal while the component is mounted. */
function useModal() {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    const stop = dialog && keepFocus(dialog)
    return () => {
      stop?.()
      dialog?.close()
    }
  }, [])
  return ref
}

interface ResultsProps {
  readonly id: string
  readonly commands: readonly Command[]
  readonly chosen: number
  readonly onPoint: (index: number) => void
}

const Results = ({ id, commands, chosen, onPoint }: ResultsProps) => (
  <div id={`${id}-list`} role="listbox" aria-label="Results" tabIndex={-1}>
    {commands.map((command, index) => (
      <div
        key={command.id}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === chosen}
        onClick={() => run(command)}
        onPointerMove={() => onPoint(index)}
      >
        <Icon name={command.icon} />
        <span>
          <Visible text={command.title} />
        </span>
        <small>{command.about}</small>
      </div>
    ))}
  </div>
)

interface Titled {
  readonly title: string
}

/** Returns the items whose title contains the letters in order; consecutive matches come first. */
export function filterByTitle<T extends Titled>(all: readonly T[], text: string): T[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...all]
  return all
    .map((one) => ({ one, rank: rankTitle(one.title.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

function rankTitle(title: string, wanted: string): number {
  const at = title.indexOf(wanted)
  if (at === 0) return 0
  if (at > 0) return /[\s(_-]/.test(title[at - 1] ?? '') ? 1 : 2
  let place = -1
  for (const letter of wanted) {
    if (letter === ' ') continue
    place = title.indexOf(letter, place + 1)
    if (place < 0) return Infinity
  }
  return 3
}
