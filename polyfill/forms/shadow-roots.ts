/**
 * Finds open shadow roots: those that exist, those that scripts attach, and those that come with
 * nodes which a parser or a script inserts.
 *
 * Closed ones cannot be seen. `test/polyfill/forms.test.ts` covers it.
 *
 * @module
 */

import { define, type Undo } from '../undo.ts'

type AttachShadow = (this: Element, init: ShadowRootInit) => ShadowRoot

/**
 * Watches the open shadow roots of a document, nested ones included.
 *
 * @param watch Called once for each root.
 * @returns A function that stops watching.
 */
export function watchShadowRoots(document: Document, watch: (root: ShadowRoot) => void): Undo {
  const known = new WeakSet<ShadowRoot>()
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) addedNodes.forEach(look)
  })
  const observe = (root: Node) => observer.observe(root, { subtree: true, childList: true })
  const found = (root: ShadowRoot) => {
    if (known.has(root)) return
    known.add(root)
    observe(root)
    watch(root)
    look(root)
  }
  function look(node: Node): void {
    if (node instanceof Element && node.shadowRoot) found(node.shadowRoot)
    if (node instanceof Element || node instanceof DocumentFragment || node instanceof Document)
      for (const { shadowRoot } of node.querySelectorAll('*')) if (shadowRoot) found(shadowRoot)
  }
  observe(document)
  look(document)
  const undo = patchAttachShadow(document, found)
  return () => {
    undo()
    observer.disconnect()
  }
}

/** Replaces `attachShadow`, because a root that a script attaches inserts no node. */
function patchAttachShadow(document: Document, found: (root: ShadowRoot) => void): Undo {
  const attachShadow = Reflect.get(Element.prototype, 'attachShadow') as AttachShadow
  return define(Element.prototype, {
    attachShadow(this: Element, init: ShadowRootInit) {
      const root = attachShadow.call(this, init)
      if (root.mode === 'open' && this.ownerDocument === document) found(root)
      return root
    },
  })
}
