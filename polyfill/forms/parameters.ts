/**
 * The parameters of a form: its controls, by the name under which they would be submitted.
 *
 * A parameter is one control, a group of radio buttons or checkboxes, or nothing: where other
 * controls share a name, nobody could tell which one a value is for. How Chromium sees it, rule by
 * rule, is the table of `test/polyfill/cases/form-schemas.ts`.
 *
 * @module
 */

export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** One control, or a group of radio buttons or checkboxes under one name. */
export type Parameter =
  | { readonly type: 'field'; readonly name: string; readonly field: Field }
  | { readonly type: 'radio' | 'checkbox'; readonly name: string; readonly group: Group }

type Group = readonly [HTMLInputElement, ...HTMLInputElement[]]

/** Types of controls that a tool does not fill in, though they take part in sharing a name. */
const SKIPPED = /^(hidden|file|submit|reset|button|image)$/

/** More controls than this are not looked at. */
const MAX_CONTROLS = 10_000

/** The parameters of a form, in document order. */
export function parametersOf(form: HTMLFormElement): Map<string, Parameter> {
  const found = new Map<string, Parameter>()
  for (const [name, controls] of controlsByName(form)) {
    const parameter = parameterOf(name, controls)
    // An object with a member of this name would not have it.
    if (parameter && name !== '__proto__') found.set(name, parameter)
  }
  return found
}

function controlsByName(form: HTMLFormElement): Map<string, Element[]> {
  const named = new Map<string, Element[]>()
  for (const control of [...form.elements].slice(0, MAX_CONTROLS)) {
    const name = control.getAttribute('name')
    if (!name || control.matches('fieldset, output, object, :disabled') || isReadOnly(control))
      continue
    named.set(name, [...(named.get(name) ?? []), control])
  }
  return named
}

/** Types that can be read-only; a checkbox that says so is not. */
const isReadOnly = (control: Element): boolean =>
  isField(control) &&
  'readOnly' in control &&
  control.readOnly &&
  !/^(checkbox|radio|range|color)$/.test(control.type)

const isField = (control: Element): control is Field => control.matches('input, select, textarea')

function parameterOf(name: string, controls: readonly Element[]): Parameter | null {
  const [first, ...others] = controls
  if (!first || !isField(first) || SKIPPED.test(first.type)) return null
  if (isToggle(first) && (first.type === 'radio' || others.length > 0)) {
    const rest = others.filter(isToggle).filter(({ type }) => type === first.type)
    if (rest.length < others.length) return null
    return { type: first.type === 'radio' ? 'radio' : 'checkbox', name, group: [first, ...rest] }
  }
  return others.length === 0 ? { type: 'field', name, field: first } : null
}

const isToggle = (control: Element): control is HTMLInputElement =>
  control.matches('input') && isField(control) && /^(radio|checkbox)$/.test(control.type)

/** The button that submits the form when a person presses Enter. */
export function submitButton(form: HTMLFormElement): HTMLElement | null {
  const buttons = [...form.elements].filter((control) => control instanceof HTMLElement)
  return buttons.find((control) => control.matches(SUBMIT)) ?? null
}

const SUBMIT = 'input[type=submit], button:not([type=button], [type=reset])'
