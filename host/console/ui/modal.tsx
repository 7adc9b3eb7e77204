/**
 * A modal dialog: it keeps the focus, closes on Escape, and makes the page behind it inert. Escape asks before it
 * discards what was entered; a button that closes the dialog does not, because it says what it does.
 *
 * `test/pages/console/unsaved.slow.test.ts` presses Escape.
 *
 * @module
 */

import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { DecisionButton } from './decision-button.tsx'
import { keepFocus } from './keep-focus.ts'

interface Props {
  readonly title: ComponentChildren
  readonly intro?: ComponentChildren
  readonly foot: ComponentChildren
  /** Whether Escape asks before it discards what was entered: always, or once a field was edited. */
  readonly asksToDiscard?: 'always' | 'if-edited' | undefined
  readonly onClose: () => void
  readonly role?: 'dialog' | 'alertdialog'
  readonly wide?: boolean
  readonly children?: ComponentChildren
}

/** Shows a dialog while it is mounted; the focus returns to where it was. */
export function Modal(props: Props) {
  const { title, intro, foot, onClose, role = 'dialog', wide, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { isAsking, keep, ...handlers } = useLeaving(props)
  useOpenDialog(ref)
  return (
    <dialog
      ref={ref}
      class={`modal ${wide ? 'wide' : ''}`}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={intro ? `${id}-intro` : undefined}
      {...handlers}
    >
      <div class="modalhead">
        <h2 id={`${id}-title`}>{title}</h2>
        {intro && <p id={`${id}-intro`}>{intro}</p>}
      </div>
      <div class="modalbody">{children}</div>
      <div class="modalfoot" hidden={isAsking}>
        {foot}
      </div>
      {isAsking && <DiscardQuestion onKeep={keep} onDiscard={onClose} />}
    </dialog>
  )
}

function useOpenDialog(ref: RefObject<HTMLDialogElement | null>): void {
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
}

/** Decides what Escape does, and handles the events of the dialog element. */
function useLeaving({ asksToDiscard, onClose }: Props) {
  const [isAsking, setAsking] = useState(false)
  const isEdited = useRef(false)
  const leave = (event: Event) => {
    event.preventDefault()
    const asks = asksToDiscard === 'always' || (asksToDiscard === 'if-edited' && isEdited.current)
    if (asks) setAsking(!isAsking)
    else onClose()
  }
  return {
    isAsking,
    keep: () => setAsking(false),
    onInput: () => void (isEdited.current = true),
    // Handled before the browser does it, which closes the dialog at the second Escape whatever the page wants.
    onKeyDown: (event: KeyboardEvent) => {
      const isEscape = event.key === 'Escape' && !event.isComposing
      if (isEscape && !event.defaultPrevented) leave(event)
    },
    // A file picker that is left without a choice tells the elements around its field as well.
    onCancel: (event: Event) => {
      if (event.target === event.currentTarget) leave(event)
    },
    // A gesture can still close it; while it is mounted, it has to be shown.
    onClose: ({ currentTarget }: { readonly currentTarget: HTMLDialogElement }) => {
      if (currentTarget.isConnected) currentTarget.showModal()
    },
  }
}

interface DiscardProps {
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** Takes the place of the buttons, so that what would be lost stays visible; the focus returns to it. */
function DiscardQuestion({ onKeep, onDiscard }: DiscardProps) {
  const keep = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    keep.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <div class="modalfoot">
      <p role="alert">Discard what you entered?</p>
      <button ref={keep} type="button" class="button" onClick={onKeep}>
        Keep editing
      </button>
      <DecisionButton shown={null} look="danger" onDecide={onDiscard}>
        Discard
      </DecisionButton>
    </div>
  )
}
