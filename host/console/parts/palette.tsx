/**
 * The command palette: pages, tools and actions by name, from the keyboard.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { commandsFor, type Command } from '../state/commands.ts'
import { found } from '../state/found.ts'
import { Icon } from './icons.tsx'
import { keepFocus } from './keep-focus.ts'

const isOpen = signal(false)

/** Opens the palette. */
export const openPalette = () => void (isOpen.value = true)

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
  if (event.altKey || event.shiftKey || document.querySelector('dialog.modal[open]')) return
  event.preventDefault()
  isOpen.value = !isOpen.value
})

/** Shows the palette while it is open; Ctrl K or ⌘ K toggles it. */
export function Palette() {
  return isOpen.value ? <Open /> : null
}

/** Most commands in the list. */
const MOST = 60

function Open() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const all = useMemo(commandsFor, [])
  const shown = found(all, text).slice(0, MOST)
  const chosen = Math.min(at, shown.length - 1)
  const close = () => (isOpen.value = false)
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    const stop = shown && keepFocus(shown)
    return () => {
      stop?.()
      shown?.close()
    }
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const run = (command: Command | undefined) => {
    if (!command) return
    close()
    command.run()
  }
  const typed = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + shown.length) % Math.max(shown.length, 1))
    else if (event.key === 'Enter') run(shown[chosen])
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
        aria-label="Page, tool or action"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        placeholder="A page, a tool, an action…"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={typed}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" tabIndex={-1}>
        {shown.map((command, index) => (
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={command.icon} />
            <span>{command.title}</span>
            <small>{command.about}</small>
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="empty">Nothing is called that.</p>}
    </dialog>
  )
}
