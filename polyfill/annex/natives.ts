/**
 * Platform functions, captured when this script loads.
 *
 * A page can replace any method of any prototype later, and the replacement would receive the nodes
 * of the approval dialog. Calls through this module use the functions that existed at the start, so
 * this script should load before others. `test/pages/attack-builtins.test.ts` replaces built-ins.
 *
 * @module
 */

import { bare, describe, newPromise, own, parse, plain, stringify, uncurried } from './builtins.ts'

type Taken<T, K extends keyof T> = T[K] extends (...args: infer A) => infer R
  ? (self: T, ...args: A) => R
  : never

/** Turns a method into a function that takes its object as first argument. */
function taken<T extends object, K extends keyof T>(prototype: T, key: K): Taken<T, K> {
  return uncurried(Reflect.get(prototype, key)) as Taken<T, K>
}

/** Captures several methods of a prototype. */
function takenFrom<T extends object, K extends keyof T>(prototype: T, keys: readonly K[]) {
  const entries = keys.map((key) => [key, taken(prototype, key)] as const)
  return Object.fromEntries(entries) as { readonly [Key in K]: Taken<T, Key> }
}

/**
 * Turns a getter into a function of its object; it returns undefined where the browser lacks it.
 */
export const getter = <T, R>(prototype: object, key: string): ((self: T) => R) =>
  uncurried(own(describe(prototype, key), 'get') ?? nothing) as (self: T) => R

const nothing = () => undefined

type Adopt = (root: ShadowRoot, sheets: CSSStyleSheet[]) => void

/** The captured functions; null without a document, as when a server renders the page. */
export const natives = typeof document === 'undefined' ? null : takeNatives()

/** The captured functions of a document. */
export type Natives = NonNullable<typeof natives>

/** Reports whether the user has just made a gesture; always true where the browser cannot tell. */
function takeActivation(): () => boolean {
  const { userActivation: activation } = navigator
  if (!activation) return () => true
  const isActive = getter<UserActivation, boolean>(UserActivation.prototype, 'isActive')
  return () => isActive(activation)
}

/** Measures an element; the result is a plain object with its own numbers. */
function takeBox() {
  const boxOf = taken(Element.prototype, 'getBoundingClientRect')
  const numbersOf = taken(DOMRectReadOnly.prototype, 'toJSON')
  return (element: Element): DOMRectInit => numbersOf(boxOf(element))
}

function takeNatives() {
  const sheets = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'adoptedStyleSheets')
  return {
    ...takenFrom(Element.prototype, [
      'append',
      'attachShadow',
      'getAttribute',
      'hasAttribute',
      'matches',
      'remove',
      'replaceChildren',
      'setAttribute',
    ]),
    ...takenFrom(HTMLElement.prototype, ['focus', 'showPopover']),
    ...takenFrom(HTMLDialogElement.prototype, ['close', 'showModal']),
    ...takenFrom(Event.prototype, ['composedPath', 'preventDefault', 'stopImmediatePropagation']),
    create: taken(Document.prototype, 'createElement'),
    appendToRoot: taken(DocumentFragment.prototype, 'append'),
    boxOf: takeBox(),
    adopt: uncurried(Reflect.get(Object(sheets), 'set')) as Adopt,
    at: taken(Document.prototype, 'elementFromPoint'),
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
    submitter: getter<Event, HTMLElement | null>(SubmitEvent.prototype, 'submitter'),
    actionOf: getter<HTMLFormElement, string>(HTMLFormElement.prototype, 'action'),
    requestSubmit: taken(HTMLFormElement.prototype, 'requestSubmit'),
    Fields: FormData,
    eachField: taken(FormData.prototype, 'forEach'),
    isActive: takeActivation(),
    isNative: 'modelContext' in document,
    rootOf: taken(Node.prototype, 'getRootNode'),
    promise: newPromise,
    bare,
    /** Formats the arguments with which a tool will run, indented. */
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
