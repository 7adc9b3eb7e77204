/**
 * What every field needs of the form around it: to set, to be touched, to know its ids.
 *
 * @module
 */

import { createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import type { Field, FormValue, Pointer } from './types.ts'

export interface FormDesk {
  readonly readOnly: boolean
  /** Draws any field; handed on, because fields stand in fields. */
  readonly View: (props: { readonly field: Field }) => JSX.Element
  set(pointer: Pointer, value: FormValue): void
  /** The value at a place, as it is now. */
  get(pointer: Pointer): FormValue
  choose(pointer: Pointer, variant: number, start: FormValue): void
  /** Somebody has left the field, so its problems may be shown. */
  touch(pointer: Pointer): void
  shows(pointer: Pointer): boolean
  /** Text that is no JSON yet; null when it is. */
  draft(pointer: Pointer, text: string | null): void
  draftAt(pointer: Pointer): string | null
  /** The id of an element that belongs to a field; the same on every page for the same place. */
  id(pointer: Pointer, part?: string): string
  /** Focuses an element once it is drawn. */
  focusNext(id: string): void
}

const Desk = createContext<FormDesk | null>(null)

export const DeskProvider = Desk.Provider

export function useDesk(): FormDesk {
  const desk = useContext(Desk)
  if (!desk) throw new Error('A field stands in a SchemaForm')
  return desk
}

/** An id may hold no spaces, and a pointer may hold anything. */
export function idFor(prefix: string, pointer: Pointer, part = 'input'): string {
  const place = pointer.replace(/[^\w/-]/g, (char) => `.${char.charCodeAt(0).toString(16)}.`)
  return `${prefix}-${part}${place.replaceAll('/', ':')}`
}
