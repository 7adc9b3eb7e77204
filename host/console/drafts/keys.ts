/** Keys that move the focus through a list. @module */

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/** Whether a key belongs to a field, or to the browser. */
export function isTyped(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey } = event
  const isField = target instanceof HTMLElement && target.matches(FIELDS)
  return ctrlKey || metaKey || altKey || isField || event.isComposing
}

const FIELDS = 'textarea, select, input:not([type=checkbox], [type=radio])'

/** Returns a handler that moves the focus among the elements of a selector, by arrow keys and by j and k. */
export const moveByKeys =
  (selector: string) =>
  (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (step === undefined || isTyped(event)) return
    const all = [...document.querySelectorAll<HTMLElement>(selector)]
    const at = all.findIndex((one) => one === document.activeElement)
    const next = at < 0 ? all[0] : all[at + step]
    event.preventDefault()
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
