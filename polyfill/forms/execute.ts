/**
 * Execution of a form tool: fills the form in, then submits it or leaves that to the user.
 *
 * @module
 */

import type { ExecuteSteps } from '../model-context/execution.ts'
import { planFill } from './fill.ts'
import { IS_GONE, untilSubmitted, withoutSubmits } from './invocations.ts'
import { submitButton } from './parameters.ts'

/**
 * Creates the execute steps of a form tool.
 *
 * @param isGated Whether submissions are decided upon: then nothing submits the form while it is
 *   filled in, because its values are not yet those of the call, and a call that is aborted or denied takes back
 *   what it has filled in.
 */
export function executeSteps(form: HTMLFormElement, isGated: boolean): ExecuteSteps {
  return (input, signal, activated) => {
    if (!form.isConnected) throw new Error(IS_GONE)
    const button = submitButton(form)
    const autosubmit = form.hasAttribute('toolautosubmit')
    if (!button && !autosubmit) throw new Error(NO_BUTTON)
    const fill = planFill(form, input)
    return untilSubmitted(form, signal, () => {
      const undo = isGated ? withoutSubmits(form, fill) : fill()
      if (autosubmit) submit(form, button)
      else button?.focus()
      activated()
      return isGated && undo
    })
  }
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
