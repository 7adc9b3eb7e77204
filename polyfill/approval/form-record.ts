/**
 * Reads a form as a tool: its attributes and the values that it would submit.
 *
 * @module
 */

import { parseIntent } from '#core/intent/template.ts'
import { bare, create, isArray, read, stringify } from './builtins.ts'
import { captureGetter, type Intrinsics } from './intrinsics.ts'
import { isApprovalLevel } from './approval-level.ts'
import type { ToolRecord } from './tool.ts'

/** A form as a tool, with the values that it would submit. */
export interface FormRecord extends ToolRecord {
  readonly values: Record<string, unknown>
}

/**
 * Reads a form as a tool record, and the values that it would submit. Where and how it is submitted is its schema, so that an
 * approval does not hold for a form that sends elsewhere.
 *
 * An invalid `toolhumanintheloophint` counts as absent, so that the call needs confirmation.
 */
export function readForm(
  dom: Intrinsics,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): FormRecord {
  const attribute = (name: string, of: HTMLElement | null = form) =>
    (of && dom.getAttribute(of, name)) ?? ''
  const hint = attribute('toolhumanintheloophint')
  const template = attribute('toolintenttemplate')
  return bare({
    name: attribute('toolname'),
    title: attribute('tooltitle'),
    description: attribute('tooldescription'),
    schema: [
      addressOf(dom, form, submitter),
      attribute('method'),
      attribute('enctype'),
      attribute('target'),
      attribute('formmethod', submitter),
      attribute('formenctype', submitter),
      attribute('formtarget', submitter),
      fieldsOf(dom, form),
    ],
    annotations: bare({
      ...(isApprovalLevel(hint) && { humanInTheLoopHint: hint }),
      ...(template !== '' && { intentTemplate: template }),
    }),
    intent: template === '' ? null : parseIntent(dom.cut(template, 0, 2_000)),
    preview: null,
    outputSchema: null,
    exposedTo: undefined,
    values: readValues(dom, form, submitter),
  })
}

/** Captures a getter of an interface; it returns undefined on a server. */
const captured = <T, R>(name: string, key: string): ((self: T) => R) =>
  captureGetter<T, R>(Object(read(Object(read(globalThis, name)), 'prototype')), key)

const elementsOf = captured<HTMLFormElement, ArrayLike<Element>>('HTMLFormElement', 'elements')
const actionOfButton = captured<Element, string>('HTMLButtonElement', 'formAction')
const actionOfInput = captured<Element, string>('HTMLInputElement', 'formAction')

/** Returns the address to which a form sends; `<base>` can change it as well. */
function addressOf(dom: Intrinsics, form: HTMLFormElement, button: HTMLElement | null): string {
  if (!button || !dom.hasAttribute(button, 'formaction')) return dom.actionOf(form)
  return dom.matches(button, 'button') ? actionOfButton(button) : actionOfInput(button)
}

/** Lists the names and types of the fields as text: a form with other fields is another tool. */
function fieldsOf(dom: Intrinsics, form: HTMLFormElement): string {
  const elements = elementsOf(form)
  let fields = ''
  for (let at = 0; at < elements.length; at++) {
    const field = elements[at]
    if (field)
      fields += `${stringify(dom.getAttribute(field, 'name'))}:${stringify(dom.getAttribute(field, 'type'))}\n`
  }
  return fields
}

/** Reads the values that the form would submit; files by their names, repeated names as arrays. */
function readValues(
  dom: Intrinsics,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Record<string, unknown> {
  const values: Record<string, unknown> = create(null)
  dom.eachField(new dom.Fields(form, submitter), (value, name) => {
    const text = typeof value === 'string' ? value : value.name
    const before = values[name]
    if (isArray(before)) before[before.length] = text
    else values[name] = before === undefined ? text : [before, text]
  })
  return values
}
