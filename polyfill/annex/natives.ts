/**
 * Natives: the platform's own functions, taken when this script loads.
 *
 * A page may replace any method of any prototype later, and such a method would be handed the nodes
 * of the approval dialog, which are nobody's business. What is called through here is what was there
 * at the start. It pays to load this script first.
 *
 * @module
 */

type Taken<T, K extends keyof T> = T[K] extends (...args: infer A) => infer R
  ? (self: T, ...args: A) => R
  : never

/** A method as a function of its object, whatever becomes of its prototype. */
function taken<T extends object, K extends keyof T>(prototype: T, key: K): Taken<T, K> {
  return uncurried(Reflect.get(prototype, key)) as Taken<T, K>
}

const uncurried = (method: unknown): unknown => Function.prototype.call.bind(method as () => void)

const getter = (prototype: object, key: string): unknown =>
  uncurried(
    Reflect.get(Object(Object.getOwnPropertyDescriptor(prototype, key)), 'get') ?? (() => {}),
  )

type IsVisible = (entry: IntersectionObserverEntry) => boolean | undefined
type Adopt = (root: ShadowRoot, sheets: CSSStyleSheet[]) => void

/** Null where there is no document, as when a server renders the page. */
export const natives = typeof document === 'undefined' ? null : takeNatives()

export type Natives = NonNullable<typeof natives>

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
    boxOf: taken(Element.prototype, 'getBoundingClientRect'),
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
    isVisible: getter(IntersectionObserverEntry.prototype, 'isVisible') as IsVisible,
    observe: taken(IntersectionObserver.prototype, 'observe'),
    Sheet: CSSStyleSheet,
    Observer: IntersectionObserver,
    now: performance.now.bind(performance),
    every: setInterval.bind(globalThis),
    never: clearInterval.bind(globalThis),
    later: setTimeout.bind(globalThis),
  }
}
