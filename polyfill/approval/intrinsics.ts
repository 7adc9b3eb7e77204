/**
 * Platform functions, captured when this script loads.
 *
 * A page can replace any method of any prototype later, and the replacement would receive the nodes
 * of the approval dialog. Calls through this module use the functions that existed at the start, so
 * this script should load before others. `test/pages/attacks/builtins.slow.test.ts` replaces built-ins.
 *
 * @module
 */

import {
  bare,
  defineProperty,
  describe,
  find,
  isArray,
  keys,
  newPromise,
  own,
  parse,
  read,
  copyPlain,
  stringify,
  uncurry,
} from './builtins.ts'

type Captured<T, K extends keyof T> = T[K] extends (...args: infer A) => infer R
  ? (self: T, ...args: A) => R
  : never

/** Turns a method into a function that takes its object as first argument. */
function captureMethod<T extends object, K extends keyof T>(prototype: T, key: K): Captured<T, K> {
  return uncurry(read(prototype, key)) as Captured<T, K>
}

/** Captures several methods of a prototype. */
function captureMethods<T extends object, K extends keyof T>(prototype: T, keys: readonly K[]) {
  const entries = keys.map((key) => [key, captureMethod(prototype, key)] as const)
  return Object.fromEntries(entries) as { readonly [Key in K]: Captured<T, Key> }
}

/**
 * Turns a getter into a function of its object; it returns undefined where the browser lacks it.
 */
export const captureGetter = <T, R>(prototype: object, key: string): ((self: T) => R) =>
  uncurry(own(describe(prototype, key), 'get') ?? returnUndefined) as (self: T) => R

const returnUndefined = () => undefined

type Adopt = (root: ShadowRoot, sheets: CSSStyleSheet[]) => void

/** The captured functions of the language. */
const LANGUAGE = {
  own,
  keys,
  find,
  isArray,
  defineProperty,
  iterator: Symbol.iterator,
  parse,
  promise: newPromise,
  bare,
  /** Formats a value as indented JSON, without what it inherits. */
  layOut: (value: unknown) => stringify(copyPlain(value), null, 2),
}

/** The captured functions; null without a document, as when a server renders the page. */
export const intrinsics = typeof document === 'undefined' ? null : captureIntrinsics()

/** The captured functions of a document. */
export type Intrinsics = NonNullable<typeof intrinsics>

/** Reports whether the user has just made a gesture; always true where the browser does not report it. */
function captureActivation(): () => boolean {
  const { userActivation: activation } = navigator
  if (!activation) return () => true
  const isActive = captureGetter<UserActivation, boolean>(UserActivation.prototype, 'isActive')
  return () => isActive(activation)
}

/** Captures what measures: the results are plain objects with numbers of their own. */
function captureBoxes() {
  const boxOf = captureMethod(Element.prototype, 'getBoundingClientRect')
  const rectOf = captureGetter<IntersectionObserverEntry, DOMRectReadOnly>(
    IntersectionObserverEntry.prototype,
    'intersectionRect',
  )
  const numbersOf = captureMethod(DOMRectReadOnly.prototype, 'toJSON')
  return {
    /** Measures an element. */
    boxOf: (element: Element): DOMRectInit => numbersOf(boxOf(element)),
    /** Returns the part of an element that is in view; null without an entry. */
    seenOf: (entry: IntersectionObserverEntry | undefined): DOMRectInit | null =>
      entry ? numbersOf(rectOf(entry)) : null,
  }
}

function captureGetters() {
  return {
    isVisible: captureGetter<IntersectionObserverEntry, boolean | undefined>(
      IntersectionObserverEntry.prototype,
      'isVisible',
    ),
    visibility: captureGetter<Document, string>(Document.prototype, 'visibilityState'),
    isConnected: captureGetter<Node, boolean>(Node.prototype, 'isConnected'),
    sourceOf: captureGetter<Event, unknown>(MessageEvent.prototype, 'source'),
    target: captureGetter<Event, unknown>(Event.prototype, 'target'),
    submitter: captureGetter<Event, HTMLElement | null>(SubmitEvent.prototype, 'submitter'),
    actionOf: captureGetter<HTMLFormElement, string>(HTMLFormElement.prototype, 'action'),
    windowOf: captureGetter<Document, (Window & typeof globalThis) | null>(
      Document.prototype,
      'defaultView',
    ),
  }
}

function captureIntrinsics() {
  return {
    ...LANGUAGE,
    ...captureMethods(Element.prototype, [
      'append',
      'attachShadow',
      'getAttribute',
      'hasAttribute',
      'matches',
      'remove',
      'replaceChildren',
      'setAttribute',
    ]),
    ...captureMethods(HTMLElement.prototype, ['focus', 'showPopover']),
    ...captureMethods(HTMLDialogElement.prototype, ['close', 'showModal']),
    ...captureMethods(Document.prototype, ['elementFromPoint', 'hasFocus']),
    ...captureMethods(HTMLFormElement.prototype, ['requestSubmit', 'submit']),
    ...captureMethods(IntersectionObserver.prototype, ['disconnect', 'observe']),
    ...captureMethods(Event.prototype, [
      'composedPath',
      'preventDefault',
      'stopImmediatePropagation',
    ]),
    create: captureMethod(Document.prototype, 'createElement'),
    appendToRoot: captureMethod(DocumentFragment.prototype, 'append'),
    ...captureBoxes(),
    ...captureGetters(),
    adopt: uncurry(own(describe(ShadowRoot.prototype, 'adoptedStyleSheets'), 'set')) as Adopt,
    listen: captureMethod(EventTarget.prototype, 'addEventListener'),
    unlisten: captureMethod(EventTarget.prototype, 'removeEventListener'),
    fillSheet: captureMethod(CSSStyleSheet.prototype, 'replaceSync'),
    cut: captureMethod(String.prototype, 'slice'),
    Fields: FormData,
    eachField: captureMethod(FormData.prototype, 'forEach'),
    isActive: captureActivation(),
    isNative: 'modelContext' in document,
    rootOf: captureMethod(Node.prototype, 'getRootNode'),
    codeOf: captureMethod(String.prototype, 'codePointAt'),
    Sheet: CSSStyleSheet,
    IntersectionObserver,
    now: performance.now.bind(performance),
    setInterval: setInterval.bind(globalThis),
    open: open.bind(globalThis),
    clearInterval: clearInterval.bind(globalThis),
    later: setTimeout.bind(globalThis),
  }
}
