/**
 * Reads a form as a tool: its attributes and the values that it would submit.
 *
 * @module
 */

import { parseIntent } from '#core/intent/template.ts'
import { bare, create, isArray } from './builtins.ts'
import type { Intrinsics } from './intrinsics.ts'
import { isApprovalLevel } from './approval-level.ts'
import type { ToolRecord } from './tool.ts'

/**
 * Reads the attributes of a form as a tool record.
 *
 * An invalid `toolhumanintheloophint` counts as absent, so that the call needs confirmation.
 */
export function readForm(dom: Intrinsics, form: HTMLFormElement): ToolRecord {
  const attribute = (name: string) => dom.getAttribute(form, name) ?? ''
  const hint = attribute('toolhumanintheloophint')
  const template = attribute('toolintenttemplate')
  return {
    name: attribute('toolname'),
    title: attribute('tooltitle'),
    description: attribute('tooldescription'),
    schema: dom.actionOf(form),
    annotations: bare({
      ...(isApprovalLevel(hint) && { humanInTheLoopHint: hint }),
      ...(template !== '' && { intentTemplate: template }),
    }),
    intent: template === '' ? null : parseIntent(dom.cut(template, 0, 2_000)),
    preview: null,
  }
}

/** Reads the values that the form would submit; files by their names, repeated names as arrays. */
export function readValues(
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
