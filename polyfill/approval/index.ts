/**
 * The approval layer: extensions to WebMCP for human approval of tool calls.
 *
 * It adds approval levels, intent templates and previews to tools, and the gate that enforces them.
 * It wraps the context that exists, native or polyfilled, and can be removed again.
 *
 * @module
 */

import { isObject } from '../idl.ts'
import { watchActivations } from './activation.ts'
import { guardForms } from './forms.ts'
import { hasDirectory } from './same-origin-tools.ts'
import { wrapContext, type FramesLoader } from './wrap-context.ts'
import type { Guard } from './tool.ts'

/**
 * Applies the extensions to this document's context.
 *
 * @param guard Wraps every tool's `execute`.
 * @param frames Loads what tools of other origins need.
 * @returns A function that removes the extensions. Nothing happens without a context, or where the
 *   layer is applied already.
 */
export function applyApproval(guard: Guard, frames: FramesLoader): () => void {
  const context: unknown = Reflect.get(document, 'modelContext')
  // Wrapping twice would ask for approval twice.
  if (!isObject(context) || hasDirectory()) return () => {}
  const undos = [
    watchActivations(context),
    wrapContext(context, guard, frames),
    guardForms(guard, context),
  ]
  return () => undos.forEach((undo) => undo())
}
