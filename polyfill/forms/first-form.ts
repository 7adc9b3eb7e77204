/**
 * Waits for the first form that is a tool, so that a page without one need not load `forms/`.
 * `test/polyfill/first-form.test.ts` covers it.
 *
 * @module
 */

import type { Undo } from '../undo.ts'
import { watchShadowRoots } from './shadow-roots.ts'

/** Matches a form that is a tool. */
export const FORM_TOOL = 'form[toolname][tooldescription]'

/**
 * Calls back once, when a document or one of its open shadow trees has a form that is a tool.
 *
 * @returns A function that stops waiting.
 */
export function whenFormAppears(document: Document, then: () => void): Undo {
  const roots = new Set<WeakRef<Document | ShadowRoot>>()
  let isFound = false
  let stop = () => {}
  const look = () => {
    if (isFound || ![...roots].some((root) => root.deref()?.querySelector(FORM_TOOL))) return
    isFound = true
    stop()
    then()
  }
  const observer = new MutationObserver(look)
  const watch = (root: Document | ShadowRoot) => {
    roots.add(new WeakRef(root))
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ATTRIBUTES })
    look()
  }
  watch(document)
  const undo = watchShadowRoots(document, watch)
  stop = () => {
    roots.clear()
    observer.disconnect()
    undo()
  }
  if (isFound) stop()
  return stop
}

const ATTRIBUTES = ['toolname', 'tooldescription']
