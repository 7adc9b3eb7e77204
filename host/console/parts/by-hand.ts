/**
 * What only a hand does: a button that decides something counts a click or a key of the person, and
 * none that a script has made. Its proof is `test/pages/attack-clicks.test.ts`.
 *
 * @module
 */

/** Every event has this getter of its own, and it fails on what is no event. */
const { apply, get, getOwnPropertyDescriptor } = Reflect
const isTrusted: unknown = get(
  Object(getOwnPropertyDescriptor(new Event('click'), 'isTrusted')),
  'get',
)

export function isByHand(event: Event): boolean {
  try {
    return typeof isTrusted === 'function' && apply(isTrusted, event, []) === true
  } catch {
    return false
  }
}

/** A listener that acts for the person alone. */
export const byHand =
  (act: () => void) =>
  (event: Event): void => {
    if (isByHand(event)) act()
  }

/** The form that the person is submitting now. */
let submitting: HTMLFormElement | null = null

/** For the button that submits a form. Enter in a field presses it, too. */
export function pressByHand(event: Event): void {
  if (!isByHand(event)) return event.preventDefault()
  const { currentTarget: button } = event
  submitting = button instanceof HTMLButtonElement ? button.form : null
  setTimeout(() => (submitting = null)) // the form is submitted before that
}

/**
 * For the form of that button. A submit event is trusted also where a script has called
 * `requestSubmit()`, so it counts only together with the press.
 */
export const submitByHand =
  (act: () => void) =>
  (event: Event): void => {
    event.preventDefault()
    if (submitting === null || submitting !== event.currentTarget) return
    submitting = null
    act()
  }
