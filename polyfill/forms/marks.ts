/**
 * Classes that replace the pseudo-classes `:tool-form-active` and `:tool-submit-active`.
 *
 * Style sheets drop rules with unknown pseudo-classes, so `tool-form-active` and
 * `tool-submit-active` are set as classes.
 *
 * @module
 */

import { submitButton } from './parameters.ts'

const marked = new WeakMap<HTMLFormElement, Element | null>()

/** Sets or removes the classes of a form and its submit button. */
export function markActive(form: HTMLFormElement, active: boolean): void {
  if (active && !marked.has(form)) marked.set(form, submitButton(form))
  form.classList.toggle('tool-form-active', active)
  marked.get(form)?.classList.toggle('tool-submit-active', active)
  if (!active) marked.delete(form)
}
