/**
 * The annex: what this project adds to WebMCP. Hints about how much a person has to do with a call,
 * a sentence that says what it will do, a preview, and the gate that holds everybody to it.
 *
 * It lies over the context that is there, the browser's or the polyfill's, and can be taken off.
 *
 * @module
 */

import { guardForms } from './forms.ts'
import { hasHub } from './hub.ts'
import { layOver } from './layer.ts'
import type { Guard } from './tool.ts'

/** Lays the annex over this document's context. Answers how to take it off again. */
export function applyAnnex(guard: Guard): () => void {
  const context: unknown = Reflect.get(document, 'modelContext')
  // A second layer would ask twice.
  if (typeof context !== 'object' || context === null || hasHub()) return () => {}
  const undos = [layOver(context, guard), guardForms(guard, context)]
  return () => undos.forEach((undo) => undo())
}
