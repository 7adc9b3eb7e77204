/**
 * Execution of a form tool: fills the form in, then submits it or leaves that to the user.
 *
 * @module
 */

import type { ExecuteSteps } from '../model-context/execution.ts'
import { planFill } from './fill.ts'
import { IS_GONE, untilSubmitted } from './invocations.ts'
import { submitButton } from './parameters.ts'

/**
 * Runs before a form is filled in, and calls `run` to fill it in and await the submission. An error
 * becomes the failure of the call.
 */
export type Guard = (
  tool: {
    readonly name: string
    readonly form: HTMLFormElement
    /** Returns the button with which the form would be submitted. */
    readonly button: () => HTMLElement | null
  },
  input: object,
  signal: AbortSignal,
  run: (input: object) => Promise<unknown>,
) => Promise<unknown>

/** Creates the execute steps of a form tool. */
export function executeSteps(name: string, form: HTMLFormElement, guard?: Guard): ExecuteSteps {
  return (input, signal, activated) => {
    const run = (given: object) => execute(form, given, signal, activated)
    return guard
      ? guard({ name, form, button: () => submitButton(form) }, input, signal, run)
      : run(input)
  }
}

function execute(
  form: HTMLFormElement,
  input: object,
  signal: AbortSignal,
  activated: () => void,
): Promise<unknown> {
  signal.throwIfAborted()
  // A guard may have taken its time.
  if (!form.isConnected) throw new Error(IS_GONE)
  const button = submitButton(form)
  const autosubmit = form.hasAttribute('toolautosubmit')
  if (!button && !autosubmit) throw new Error(NO_BUTTON)
  const fill = planFill(form, input)
  return untilSubmitted(form, signal, () => {
    fill()
    if (autosubmit) submit(form, button)
    else button?.focus()
    activated()
  })
}

const NO_BUTTON =
  'No submit button was found, but for a form without `toolautosubmit`, there must be a submit button'

function submit(form: HTMLFormElement, button: HTMLElement | null): void {
  const bypass = form.noValidate || button?.hasAttribute('formnovalidate')
  const invalid = bypass ? [] : [...form.elements].filter(isInvalid)
  if (invalid.length > 0) {
    const words = invalid.map(({ name, validationMessage }) => `${name}: ${validationMessage}`)
    throw new Error(`Form validation failed: ${words.join('; ')}`)
  }
  form.requestSubmit(button)
}

type Validated = Element & { name: string; validationMessage: string }

const isInvalid = (control: Element): control is Validated => control.matches(':invalid')
