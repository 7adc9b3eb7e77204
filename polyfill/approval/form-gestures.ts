/**
 * Who acts on a form: the user, with gestures of their own, or an agent, which fills it in.
 *
 * A gesture anywhere activates the whole page, also a press of the approval dialog, so that only a
 * click or the Enter key in the form itself submits it for the user. While an agent fills a form in,
 * handlers of the page may submit it, with values that are not those of the call: such submissions
 * are dropped. Polyfilled forms drop them in `forms/invocations.ts`.
 * `test/pages/polyfill/approval-forms.slow.test.ts` covers it.
 *
 * @module
 */

import { define, type Undo } from '../undo.ts'
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

/** Watches what the user does, and the fields that change without that. */
export function watchGestures(dom: Intrinsics, options: AddEventListenerOptions): void {
  const onPress = (event: Event) => {
    if (event.isTrusted) touched = pressed = formOf(dom, event)
  }
  const onTouch = (event: Event) => {
    if (!event.isTrusted) return
    touched = formOf(dom, event)
    if (read(event, 'key') === 'Enter') pressed = touched
  }
  const onField = (event: Event) => {
    const form = formOf(dom, event)
    if (!event.isTrusted || form === touched) return
    filled = form
    dom.later(() => (filled = null))
  }
  dom.listen(window, 'click', onPress, options)
  dom.listen(window, 'keydown', onTouch, options)
  for (const type of ['pointerdown', 'paste', 'drop', 'compositionstart'])
    dom.listen(window, type, onTouch, options)
  for (const type of ['input', 'change']) dom.listen(window, type, onField, options)
}

/** Returns the form of the field or button of an event; null if it has none. */
function formOf(dom: Intrinsics, event: Event): unknown {
  const path = dom.composedPath(event)
  const form: unknown = read(path[0] ?? event, 'form')
  if (form instanceof HTMLFormElement) return form
  for (let at = 0; at < path.length; at++) if (path[at] instanceof HTMLFormElement) return path[at]
  return null
}

/**
 * Drops `form.submit()` while the browser fills a form in, and watches the shadow trees that scripts
 * attach: native forms are tools in closed ones, too.
 */
export function dropSubmits(dom: Intrinsics, watch: (root: EventTarget) => void): Undo {
  const undos = [
    define(HTMLFormElement.prototype, {
      submit(this: HTMLFormElement) {
        if (!isFilledIn(this)) dom.submit(this)
      },
    }),
    define(Element.prototype, {
      attachShadow(this: Element, init: ShadowRootInit) {
        const root = dom.attachShadow(this, init)
        watch(root)
        return root
      },
    }),
  ]
  return () => undos.forEach((undo) => undo())
}
