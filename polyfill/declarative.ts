/**
 * Declarative WebMCP: forms as tools, as an addition to core.
 *
 * `apply({ additions: [formTools()] })`. The specification has no algorithm for forms yet; this
 * follows Chromium, case by case in `test/polyfill/cases/forms.ts`. A guard can ask the user before
 * a form is filled in.
 *
 * @module
 */

import type { Guard } from './forms/execute.ts'
import { patchSubmit, watchSubmits } from './forms/invocations.ts'
import { FormTools } from './forms/sync.ts'
import type { Context } from './model-context/context.ts'
import { define, type Undo } from './undo.ts'

export type { Guard } from './forms/execute.ts'

/**
 * Creates the addition that registers forms with `toolname` and `tooldescription` as tools.
 *
 * @param options `guard` runs before a form is filled in.
 * @returns An addition for `apply()`.
 */
export function formTools({ guard }: { guard?: Guard } = {}): (context: Context) => Undo {
  return (context) => {
    const over = new AbortController()
    const tools = new FormTools(context, guard)
    const { document } = context
    const watchShadow = (root: ShadowRoot) => {
      watchSubmits(root, over.signal)
      tools.watch(root)
    }
    // A capture listener at the window runs first, so later ones can read `agentInvoked`.
    watchSubmits(window, over.signal)
    tools.watch(document)
    const undos = [patchSubmit(), watchShadows(document, watchShadow), () => over.abort()]
    return () => {
      tools.stop()
      for (const undo of undos) undo()
    }
  }
}

/** Watches open shadow roots: existing ones, and those that scripts attach later. */
function watchShadows(document: Document, watch: (root: ShadowRoot) => void): Undo {
  for (const element of document.querySelectorAll('*'))
    if (element.shadowRoot) watch(element.shadowRoot)
  const attachShadow = Reflect.get(Element.prototype, 'attachShadow') as AttachShadow
  return define(Element.prototype, {
    attachShadow(this: Element, init: ShadowRootInit) {
      const root = attachShadow.call(this, init)
      if (root.mode === 'open' && this.ownerDocument === document) watch(root)
      return root
    },
  })
}

type AttachShadow = (this: Element, init: ShadowRootInit) => ShadowRoot
