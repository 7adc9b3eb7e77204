/**
 * The form context: what every field needs from its form, such as setting values and element ids.
 *
 * @module
 */

import { createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import type { Field, FormValue, Pointer } from './types.ts'

/** The context that a form gives its fields. */
export interface FormContext {
  readonly readOnly: boolean
  /** Renders any field; passed on, because fields contain fields. */
  readonly View: (props: { readonly field: Field }) => JSX.Element
  set(pointer: Pointer, value: FormValue): void
  /** Returns the current value at a pointer. */
  get(pointer: Pointer): FormValue
  /** Chooses a variant and sets its initial value. */
  choose(pointer: Pointer, variant: number, start: FormValue): void
  /** Records that the user left the field, so its problems may be shown. */
  touch(pointer: Pointer): void
  /** Whether the field's problems are shown. */
  shows(pointer: Pointer): boolean
  /** Keeps text that is not valid JSON yet; null removes it. */
  setDraft(pointer: Pointer, text: string | null): void
  getDraft(pointer: Pointer): string | null
  /** Returns the id of an element of a field; the same pointer always has the same id. */
  id(pointer: Pointer, part?: string): string
  /** Focuses an element after the next render. */
  focusNext(id: string): void
}

const Context = createContext<FormContext | null>(null)

/** Provides the form context. */
export const FormProvider = Context.Provider

/**
 * Returns the form context.
 *
 * @throws {Error} Outside of a form.
 */
export function useForm(): FormContext {
  const form = useContext(Context)
  if (!form) throw new Error('Cannot render a field: it has no form. Render it inside SchemaForm.')
  return form
}

/** Builds an element id; other characters of the pointer are escaped, as an id may not contain spaces. */
export function createId(prefix: string, pointer: Pointer, part = 'input'): string {
  const escaped = pointer.replace(/[^\w/-]/g, (char) => `.${char.charCodeAt(0).toString(16)}.`)
  return `${prefix}-${part}${escaped.replaceAll('/', ':')}`
}
