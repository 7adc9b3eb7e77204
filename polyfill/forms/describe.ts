/**
 * Descriptions of form parameters: `toolparamdescription`, else the label, else `aria-description`.
 * Labels of options name the options, not the parameter.
 *
 * @module
 */

import type { Field, Parameter } from './parameters.ts'

const ATTRIBUTE = 'toolparamdescription'

/** Returns the description of a parameter; empty if the page gives none. */
export function describe(parameter: Parameter): string {
  if (parameter.type !== 'field') return fieldsetOf(parameter.group)?.getAttribute(ATTRIBUTE) ?? ''
  const { field } = parameter
  const own = field.getAttribute(ATTRIBUTE) || textOfLabels(field)
  return own || (field.getAttribute('aria-description') ?? '')
}

/** The innermost fieldset around all of a group. */
function fieldsetOf([first, ...others]: readonly Field[]): Element | null {
  let fieldset = first?.closest('fieldset') ?? null
  while (fieldset && !others.every((control) => fieldset?.contains(control)))
    fieldset = fieldset.parentElement?.closest('fieldset') ?? null
  return fieldset
}

/**
 * Returns the text of a control's labels without the control's own content; null if there is none.
 */
export function textOfLabels(field: Field): string | null {
  const texts = [...(field.labels ?? [])].map((label) => textWithout(label, field).trim())
  return texts.filter(Boolean).join('; ') || null
}

function textWithout(node: Node, excluded: Node): string {
  if (node === excluded) return ''
  if (node instanceof Text) return node.data
  return [...node.childNodes].map((child) => textWithout(child, excluded)).join('')
}
