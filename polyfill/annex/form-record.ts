/**
 * Reads a form as a tool: its attributes and the values that it would submit.
 *
 * @module
 */

import { parseIntent } from '#core/intent/template.ts'
import { bare, create, isArray } from './builtins.ts'
import type { Natives } from './natives.ts'
import { isPolicy } from './policy.ts'
import type { ToolRecord } from './tool.ts'

/**
 * Reads the attributes of a form as a tool record.
 *
 * An invalid `toolhumanintheloophint` counts as absent, so that the call needs confirmation.
 */
export function recordOf(native: Natives, form: HTMLFormElement): ToolRecord {
  const said = (name: string) => native.getAttribute(form, name) ?? ''
  const hint = said('toolhumanintheloophint')
  const template = said('toolintenttemplate')
  return {
    name: said('toolname'),
    title: said('tooltitle'),
    description: said('tooldescription'),
    schema: native.actionOf(form),
    annotations: bare({
      ...(isPolicy(hint) && { humanInTheLoopHint: hint }),
      ...(template !== '' && { intentTemplate: template }),
    }),
    intent: template === '' ? null : parseIntent(native.cut(template, 0, 2_000)),
    preview: null,
  }
}

/** Reads the values that the form would submit; files by their names, repeated names as arrays. */
export function valuesOf(
  native: Natives,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Record<string, unknown> {
  const values: Record<string, unknown> = create(null)
  native.eachField(new native.Fields(form, submitter), (value, name) => {
    const text = typeof value === 'string' ? value : value.name
    const before = values[name]
    if (isArray(before)) before[before.length] = text
    else values[name] = before === undefined ? text : [before, text]
  })
  return values
}
