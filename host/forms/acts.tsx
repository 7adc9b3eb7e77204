/** Small buttons beside fields. @module */

import type { JSX } from 'preact'
import { useDesk } from './desk.ts'
import type { Field } from './types.ts'

interface ActProps {
  readonly label: string
  /** Accessible name, if the label alone does not say what it acts on. */
  readonly name?: string
  readonly id?: string
  readonly disabled?: boolean
  /** Shown as a full button, for the main action. */
  readonly strong?: boolean
  readonly onClick: () => void
}

/** A small button beside a field. */
export function Act({ label, name, id, disabled, strong, onClick }: ActProps): JSX.Element {
  const desk = useDesk()
  return (
    <button
      type="button"
      class={`button small sf-act${strong ? '' : ' quiet'}`}
      disabled={desk.readOnly || disabled === true}
      onClick={onClick}
      {...(id !== undefined && { id })}
      {...(name !== undefined && { 'aria-label': name })}
    >
      {label}
    </button>
  )
}

/** Removes an optional field. */
export function Drop({ field }: { field: Field }): JSX.Element {
  const desk = useDesk()
  return (
    <Act
      label="Remove"
      name={`Remove ${field.label}`}
      onClick={() => {
        desk.set(field.pointer, undefined)
        desk.focusNext(desk.id(field.pointer))
      }}
    />
  )
}
