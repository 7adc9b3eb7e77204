/** A modal dialog: the browser keeps the focus in it, and Escape closes it. @module */

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly label: string
  readonly children: ComponentChildren
  readonly onClose: () => void
  /** The label of the button that closes. */
  readonly close?: string
}

/** Renders an open dialog. */
export function Dialog({ label, children, onClose, close = 'Close' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label={label} onClose={onClose}>
      {children}
      <p class="actions">
        <button onClick={onClose}>{close}</button>
      </p>
    </dialog>
  )
}
