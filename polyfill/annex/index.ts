/**
 * The annex: extensions to WebMCP for human approval of tool calls.
 *
 * It adds approval levels, intent templates and previews to tools, and the gate that enforces them.
 * It wraps the context that exists, native or polyfilled, and can be removed again.
 *
 * @module
 */

import { guardForms } from './forms.ts'
import { hasDirectory } from './same-origin-tools.ts'
import { wrapContext } from './wrap-context.ts'
import type { Guard } from './tool.ts'

/**
 * Applies the extensions to this document's context.
 *
 * @param guard Wraps every tool's `execute`.
 * @returns A function that removes the extensions. Nothing happens without a context, or where the
 *   annex is applied already.
 */
export function applyAnnex(guard: Guard): () => void {
  const context: unknown = Reflect.get(document, 'modelContext')
  // Wrapping twice would ask for approval twice.
  if (typeof context !== 'object' || context === null || hasDirectory()) return () => {}
  const undos = [wrapContext(context, guard), guardForms(guard, context)]
  return () => undos.forEach((undo) => undo())
}
