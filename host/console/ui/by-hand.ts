/**
 * Accepts only real clicks and key presses of the user on buttons that decide something, not those
 * that a script dispatches. Its proof is `test/pages/attacks/clicks.slow.test.ts`.
 *
 * @module
 */

/** The getter of each event's own `isTrusted`; it throws for any other object. */
const { apply, get, getOwnPropertyDescriptor } = Reflect
const isTrusted: unknown = get(
  Object(getOwnPropertyDescriptor(new Event('click'), 'isTrusted')),
  'get',
)

/** Whether the user caused an event. */
function isByHand(event: Event): boolean {
  try {
    return typeof isTrusted === 'function' && apply(isTrusted, event, []) === true
  } catch {
    return false
  }
}

/** Wraps an action so that only the user can trigger it. */
export const byHand =
  (act: () => void) =>
  (event: Event): void => {
    if (isByHand(event)) act()
  }

/** The form that the user is submitting now. */
let submitting: HTMLFormElement | null = null

/**
 * Handles a click on a submit button; Enter in a field causes one as well. Clicks by scripts are
 * prevented.
 */
export function pressByHand(event: Event): void {
  if (!isByHand(event)) return event.preventDefault()
  const { currentTarget: button } = event
  submitting = button instanceof HTMLButtonElement ? button.form : null
  setTimeout(() => (submitting = null)) // runs after the form's submit event
}

/**
 * Wraps the action of that button's form. A submit event is trusted even after `requestSubmit()` by
 * a script, so it counts only together with the click.
 */
export const submitByHand =
  (act: () => void) =>
  (event: Event): void => {
    event.preventDefault()
    if (submitting === null || submitting !== event.currentTarget) return
    submitting = null
    act()
  }
