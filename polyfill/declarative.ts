/**
 * Forms as tools: the declarative part of WebMCP, as an addition to core.
 *
 * `apply({ additions: [formTools()] })`. The specification has yet to describe it; what is followed is
 * what Chromium does, case by case in `test/polyfill/cases/forms.ts`. With a guard, somebody can be
 * asked before a form is filled in.
 *
 * @module
 */

import type { Guard } from './forms/execute.ts'
import { patchSubmit, watchSubmits } from './forms/invocations.ts'
import { FormTools } from './forms/sync.ts'
import type { Context } from './model-context/context.ts'
import { define, type Undo } from './undo.ts'

export type { Guard } from './forms/execute.ts'

/** An addition for `apply()`. */
export function formTools({ guard }: { guard?: Guard } = {}): (context: Context) => Undo {
  return (context) => {
    const over = new AbortController()
    const tools = new FormTools(context, guard)
    const { document } = context
    const watchShadow = (root: ShadowRoot) => {
      watchSubmits(root, over.signal)
      tools.watch(root)
    }
    // At the window, so that whoever listens there next knows already whose submission it is.
    watchSubmits(window, over.signal)
    tools.watch(document)
    const undos = [patchSubmit(), watchShadows(document, watchShadow), () => over.abort()]
    return () => {
      tools.stop()
      for (const undo of undos) undo()
    }
  }
}

/** Open shadow roots: those that are there, and those that scripts will attach. */
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
