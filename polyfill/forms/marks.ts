/**
 * Classes in place of `:tool-form-active` and `:tool-submit-active`, which a style sheet cannot use
 * where the browser does not know them: `tool-form-active` and `tool-submit-active`.
 *
 * @module
 */

import { submitButton } from './parameters.ts'

const marked = new WeakMap<HTMLFormElement, Element | null>()

export function markActive(form: HTMLFormElement, active: boolean): void {
  if (active && !marked.has(form)) marked.set(form, submitButton(form))
  form.classList.toggle('tool-form-active', active)
  marked.get(form)?.classList.toggle('tool-submit-active', active)
  if (!active) marked.delete(form)
}
