/** Small buttons beside fields. @module */

import type { JSX } from 'preact'
import { useDesk } from './desk.ts'
import type { Field } from './types.ts'

interface ActProps {
  readonly label: string
  /** What it does, where the label alone does not say to what. */
  readonly name?: string
  readonly id?: string
  readonly disabled?: boolean
  /** Drawn as a button, where it is the way on. */
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

/** Takes a field away that need not be there. */
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
