/**
 * Parameters of a form: its controls by submission name.
 *
 * A parameter is one control, or a group of radio buttons or checkboxes. Other controls that share
 * a name are skipped, because the target of a value would be ambiguous.
 * `test/support/polyfill/cases/form-schemas.ts` has Chromium's rules.
 *
 * @module
 */

/** A control with a value. */
export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** One control, or a group of radio buttons or checkboxes under one name. */
export type Parameter =
  | { readonly type: 'field'; readonly name: string; readonly field: Field }
  | { readonly type: 'radio' | 'checkbox'; readonly name: string; readonly group: Group }

type Group = readonly [HTMLInputElement, ...HTMLInputElement[]]

/** Control types that a tool does not fill in; they still count when controls share a name. */
const SKIPPED = /^(hidden|file|submit|reset|button|image)$/

/** Maximum number of controls of a form that are considered. */
const MAX_CONTROLS = 10_000

/** Returns the parameters of a form, in document order. */
export function parametersOf(form: HTMLFormElement): Map<string, Parameter> {
  const found = new Map<string, Parameter>()
  for (const [name, controls] of controlsByName(form)) {
    const parameter = parameterOf(name, controls)
    if (parameter) found.set(name, parameter)
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

/** Reports whether a control is read-only; for some types the attribute has no effect. */
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

/** Returns the options of a list that can be chosen. */
export const optionsOf = ({ options }: HTMLSelectElement): HTMLOptionElement[] =>
  [...options].filter((option) => !option.matches(':disabled'))

/** Returns the form's first submit button, which Enter activates. */
export function submitButton(form: HTMLFormElement): HTMLElement | null {
  const buttons = [...form.elements].filter((control) => control instanceof HTMLElement)
  return buttons.find((control) => control.matches(SUBMIT)) ?? null
}

const SUBMIT = 'input[type=submit], button:not([type=button], [type=reset])'
