/**
 * Declarative WebMCP: forms as tools, as an addition to core.
 *
 * `apply({ additions: [formTools()] })`. The specification has no algorithm for forms yet; this
 * follows Chromium, case by case in `test/support/polyfill/cases/forms.ts`. A guard can ask the user before
 * a form is filled in.
 *
 * @module
 */

import type { Guard } from './forms/execute.ts'
import { patchSubmit, watchSubmits } from './forms/invocations.ts'
import { FormTools } from './forms/form-tools.ts'
import type { Context } from './model-context/context.ts'
import { watchShadowRoots } from './forms/shadow-roots.ts'
import type { Undo } from './undo.ts'

export type { Guard } from './forms/execute.ts'

/**
 * Creates the addition that registers forms with `toolname` and `tooldescription` as tools.
 *
 * @param options `guard` runs before a form is filled in.
 * @returns An addition for `apply()`.
 */
export function formTools({ guard }: { guard?: Guard } = {}): (context: Context) => Undo {
  return (context) => {
    const controller = new AbortController()
    const tools = new FormTools(context, guard)
    const { document } = context
    const watchShadow = (root: ShadowRoot) => {
      watchSubmits(root, controller.signal)
      tools.watch(root)
    }
    // A capture listener at the window runs first, so later ones can read `agentInvoked`.
    watchSubmits(window, controller.signal)
    tools.watch(document)
    const undos = [patchSubmit(), watchShadowRoots(document, watchShadow), () => controller.abort()]
    return () => {
      tools.stop()
      for (const undo of undos) undo()
    }
  }
}
