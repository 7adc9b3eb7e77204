/**
 * Who acts on a form: the user, with gestures of their own, or an agent, which fills it in.
 *
 * A gesture anywhere activates the whole page, also a press of the approval dialog, so that only a
 * click or the Enter key in the form itself submits it for the user. While the browser fills the form
 * of a tool in for an agent, handlers of the page may submit it, with values that are not those of the
 * call: such submissions are dropped. Polyfilled forms drop them in `forms/invocations.ts`.
 * `test/pages/polyfill/approval-form-values.slow.test.ts` covers it.
 *
 * @module
 */

import { define, type Undo } from '../undo.ts'
import { isCalled } from './abandoned-calls.ts'
import { read } from './builtins.ts'
import type { Intrinsics } from './intrinsics.ts'

/** The form in which the user last pressed a button or Enter. */
let pressed: unknown = null

/** The form in which the user last did anything. */
let touched: unknown = null

/** The form that is filled in, in this task. */
let filled: unknown = null

/** Reports whether the last press of the user was in a form. */
export const isPressed = (form: HTMLFormElement): boolean => pressed === form

/** Reports whether an agent fills a form in at this moment. */
export const isFilledIn = (form: HTMLFormElement): boolean => filled === form

/** Watches what the user does. */
export function watchGestures(dom: Intrinsics, options: AddEventListenerOptions): void {
  const onGesture = (event: Event) => {
    if (!event.isTrusted) return
    touched = formOf(dom, event)
    if (event.type === 'click' || read(event, 'key') === 'Enter') pressed = touched
  }
  for (const type of GESTURES) dom.listen(window, type, onGesture, options)
}

const GESTURES = ['click', 'keydown', 'pointerdown', 'paste', 'drop', 'compositionstart']

/** Watches the fields that the browser fills in, which the user has not touched. */
function watchFilling(dom: Intrinsics, options: AddEventListenerOptions): void {
  const onField = (event: Event) => {
    const form = formOf(dom, event)
    if (!event.isTrusted || !form || form === touched || !isFilledByAgent(dom, form)) return
    filled = form
    dom.later(() => (filled = null))
  }
  for (const type of ['input', 'change']) dom.listen(window, type, onField, options)
}

/**
 * Reports whether an agent rather than the user changes a field: the form is a tool, and is called by
 * this page, or the user has just done nothing at all. A field that the user has left by a click
 * elsewhere changes then, too.
 */
function isFilledByAgent(dom: Intrinsics, form: HTMLFormElement): boolean {
  const name = dom.getAttribute(form, 'toolname')
  return name !== null && (isCalled(name) || !dom.isActive())
}

/** Returns the form of the field or button of an event, or around it; null if there is none. */
function formOf(dom: Intrinsics, event: Event): HTMLFormElement | null {
  const path = dom.composedPath(event)
  for (let at = 0; at < path.length; at++) {
    const node = path[at]
    if (node instanceof HTMLFormElement) return node
    // A window and a document have forms by their names.
    const form: unknown = node instanceof Element && read(node, 'form')
    if (form instanceof HTMLFormElement) return form
  }
  return null
}

/**
 * Drops what is submitted while the browser fills a form in, and watches the shadow trees that scripts
 * attach: native forms are tools in closed ones, too.
 */
export function dropSubmits(
  dom: Intrinsics,
  watch: (root: EventTarget) => void,
  options: AddEventListenerOptions,
): Undo {
  watchFilling(dom, options)
  const undoSubmit = define(HTMLFormElement.prototype, {
    submit(this: HTMLFormElement) {
      if (!isFilledIn(this)) dom.submit(this)
    },
  })
  const undoAttach = define(Element.prototype, {
    attachShadow(this: Element, init: ShadowRootInit) {
      const root = dom.attachShadow(this, init)
      watch(root)
      return root
    },
  })
  return () => {
    undoSubmit()
    undoAttach()
  }
}
