/**
 * Natives: the platform's own functions, taken when this script loads.
 *
 * A page may replace any method of any prototype later, and such a method would be handed the nodes
 * of the approval dialog, which are nobody's business. What is called through here is what was there
 * at the start. It pays to load this script first.
 *
 * @module
 */

import { bare, describe, newPromise, own, parse, plain, stringify, uncurried } from './builtins.ts'

type Taken<T, K extends keyof T> = T[K] extends (...args: infer A) => infer R
  ? (self: T, ...args: A) => R
  : never

/** A method as a function of its object. */
function taken<T extends object, K extends keyof T>(prototype: T, key: K): Taken<T, K> {
  return uncurried(Reflect.get(prototype, key)) as Taken<T, K>
}

/** A getter as a function of its object, which answers nothing where the browser lacks it. */
export const getter = <T, R>(prototype: object, key: string): ((self: T) => R) =>
  uncurried(own(describe(prototype, key), 'get') ?? nothing) as (self: T) => R

const nothing = () => undefined

type Adopt = (root: ShadowRoot, sheets: CSSStyleSheet[]) => void

/** Null where there is no document, as when a server renders the page. */
export const natives = typeof document === 'undefined' ? null : takeNatives()

export type Natives = NonNullable<typeof natives>

/** Whether the person has just made a gesture; true where the browser cannot tell. */
function takeActivation(): () => boolean {
  const { userActivation: activation } = navigator
  if (!activation) return () => true
  const isActive = getter<UserActivation, boolean>(UserActivation.prototype, 'isActive')
  return () => isActive(activation)
}

/** Where an element stands, as numbers of our own. */
function takeBox() {
  const boxOf = taken(Element.prototype, 'getBoundingClientRect')
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((key) =>
    getter<DOMRectReadOnly, number>(DOMRectReadOnly.prototype, key),
  )
  return (element: Element) => {
    const box = boxOf(element)
    return {
      x: x?.(box) ?? 0,
      y: y?.(box) ?? 0,
      width: width?.(box) ?? 0,
      height: height?.(box) ?? 0,
    }
  }
}

function takeNatives() {
  const sheets = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'adoptedStyleSheets')
  return {
    create: taken(Document.prototype, 'createElement'),
    append: taken(Element.prototype, 'append'),
    appendToRoot: taken(DocumentFragment.prototype, 'append'),
    replace: taken(Element.prototype, 'replaceChildren'),
    remove: taken(Element.prototype, 'remove'),
    set: taken(Element.prototype, 'setAttribute'),
    matches: taken(Element.prototype, 'matches'),
    boxOf: takeBox(),
    attach: taken(Element.prototype, 'attachShadow'),
    adopt: uncurried(Reflect.get(Object(sheets), 'set')) as Adopt,
    at: taken(Document.prototype, 'elementFromPoint'),
    focus: taken(HTMLElement.prototype, 'focus'),
    showModal: taken(HTMLDialogElement.prototype, 'showModal'),
    close: taken(HTMLDialogElement.prototype, 'close'),
    showPopover: taken(HTMLElement.prototype, 'showPopover'),
    listen: taken(EventTarget.prototype, 'addEventListener'),
    fillSheet: taken(CSSStyleSheet.prototype, 'replaceSync'),
    unobserve: taken(IntersectionObserver.prototype, 'disconnect'),
    isVisible: getter<IntersectionObserverEntry, boolean | undefined>(
      IntersectionObserverEntry.prototype,
      'isVisible',
    ),
    visibility: getter<Document, string>(Document.prototype, 'visibilityState'),
    isConnected: getter<Node, boolean>(Node.prototype, 'isConnected'),
    cut: taken(String.prototype, 'slice'),
    find: taken(RegExp.prototype, 'exec'),
    target: getter<Event, unknown>(Event.prototype, 'target'),
    prevent: taken(Event.prototype, 'preventDefault'),
    stop: taken(Event.prototype, 'stopImmediatePropagation'),
    submitter: getter<Event, HTMLElement | null>(SubmitEvent.prototype, 'submitter'),
    has: taken(Element.prototype, 'hasAttribute'),
    read: taken(Element.prototype, 'getAttribute'),
    actionOf: getter<HTMLFormElement, string>(HTMLFormElement.prototype, 'action'),
    requestSubmit: taken(HTMLFormElement.prototype, 'requestSubmit'),
    Fields: FormData,
    eachField: taken(FormData.prototype, 'forEach'),
    isActive: takeActivation(),
    promise: newPromise,
    bare,
    /** Arguments as they will run, laid out in lines. */
    layOut: (json: string) => stringify(plain(parse(json)), null, 2),
    observe: taken(IntersectionObserver.prototype, 'observe'),
    Sheet: CSSStyleSheet,
    Observer: IntersectionObserver,
    now: performance.now.bind(performance),
    every: setInterval.bind(globalThis),
    never: clearInterval.bind(globalThis),
    later: setTimeout.bind(globalThis),
  }
}
