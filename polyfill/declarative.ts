/**
 * Declarative WebMCP: forms as tools, as an addition to core.
 *
 * `apply({ additions: [formTools()] })`. The specification has no algorithm for forms yet; this
 * follows Chromium, case by case in `test/support/polyfill/cases/forms.ts`.
 *
 * @module
 */

import { patchSubmit, watchSubmits } from './forms/invocations.ts'
import { FormTools } from './forms/form-tools.ts'
import type { Context } from './model-context/context.ts'
import { watchShadowRoots } from './forms/shadow-roots.ts'
import type { Undo } from './undo.ts'

/**
 * Creates the addition that registers forms with `toolname` and `tooldescription` as tools.
 *
 * @param options `isGated`: submissions are decided upon, so that nothing submits a form while it is
 *   filled in, a person sees which form that is, and a call that ends without a submission leaves no values.
 * @returns An addition for `apply()`.
 */
export function formTools({ isGated = false } = {}): (context: Context) => Undo {
  return (context) => {
    const controller = new AbortController()
    const tools = new FormTools(context, isGated)
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
