/**
 * A modal dialog: it keeps the focus, closes on Escape, and makes the page behind it inert.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { keepFocus } from './keep-focus.ts'

interface Props {
  readonly title: ComponentChildren
  readonly intro?: ComponentChildren
  readonly foot: ComponentChildren
  readonly onClose: () => void
  readonly role?: 'dialog' | 'alertdialog'
  readonly wide?: boolean
  readonly children?: ComponentChildren
}

/** Shows a dialog while it is mounted; the focus returns to where it was. */
export function Modal({ title, intro, foot, onClose, role = 'dialog', wide, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    const dialog = ref.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    const stop = dialog && keepFocus(dialog)
    return () => {
      stop?.()
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={`modal ${wide ? 'wide' : ''}`}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={intro ? `${id}-intro` : undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="modalhead">
        <h2 id={`${id}-title`}>{title}</h2>
        {intro && <p id={`${id}-intro`}>{intro}</p>}
      </div>
      <div class="modalbody">{children}</div>
      <div class="modalfoot">{foot}</div>
    </dialog>
  )
}
