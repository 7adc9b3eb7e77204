/**
 * Pending calls of form tools, which wait for their form to be submitted.
 *
 * A submit event belongs to the pending calls of its form: it has `agentInvoked`, and
 * `respondWith()` answers them. The outcome of a submission is known after its event has been
 * dispatched.
 *
 * A form with pending calls has the class `tool-form-active`, its submit button
 * `tool-submit-active`: style sheets drop rules with the pseudo-classes of these names.
 *
 * @module
 */

import { NAVIGATED } from '../model-context/execution.ts'
import { queueTask } from '../model-context/task.ts'
import { define, type Undo } from '../undo.ts'
import { submitButton } from './parameters.ts'
import { defineSubmitMembers, refuseResponse } from './submit-members.ts'

interface Invocation {
  /** Whether the page has promised a response. */
  isAnswered: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Submission {
  readonly form: HTMLFormElement
  response?: Promise<unknown>
  ended: boolean
  /** Whether the form was removed while its event was dispatched. */
  isRemoved: boolean
}

const waiting = new WeakMap<HTMLFormElement, Set<Invocation>>()
const submissions = new WeakMap<object, Submission>()
/** Forms whose handler has called `form.submit()`. */
const submitted = new WeakSet<HTMLFormElement>()

/** The form whose submissions are dropped, as it is being filled in. */
let held: HTMLFormElement | null = null

/** Runs an action during which nothing submits a form. */
export function withoutSubmits<T>(form: HTMLFormElement, act: () => T): T {
  held = form
  try {
    return act()
  } finally {
    held = null
  }
}

/**
 * Runs an action that leads to a submission, and waits for the outcome.
 *
 * @param act Fills the form in and may submit it; returns what takes back the values if the call is aborted or
 *   denied, or false.
 * @returns The response, or {@link NAVIGATED}.
 */
export async function untilSubmitted(
  form: HTMLFormElement,
  signal: AbortSignal,
  act: () => false | (() => void),
): Promise<unknown> {
  const invocations = waiting.get(form) ?? new Set()
  waiting.set(form, invocations)
  const { promise, ...settlers } = Promise.withResolvers<unknown>()
  const invocation: Invocation = { isAnswered: false, ...settlers }
  const end = () => {
    invocations.delete(invocation)
    markActive(form, invocations.size > 0)
  }
  let undo: false | (() => void) = false
  const stop = () => {
    end()
    if (undo) withoutSubmits(form, undo)
  }
  invocations.add(invocation)
  markActive(form, true)
  signal.addEventListener('abort', stop)
  try {
    undo = act()
    return await promise
  } catch (error) {
    if (error instanceof DOMException) stop() // the person has denied it
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    end()
  }
}

const marked = new WeakMap<HTMLFormElement, Element | null>()

/** Sets or removes the classes of a form and its submit button. */
function markActive(form: HTMLFormElement, active: boolean): void {
  if (active && !marked.has(form)) marked.set(form, submitButton(form))
  form.classList.toggle('tool-form-active', active)
  marked.get(form)?.classList.toggle('tool-submit-active', active)
  if (!active) marked.delete(form)
}

/** Rejects all pending calls of a form. `reason` is appended to the message. */
export function cancel(form: HTMLFormElement, reason: string): void {
  for (const { reject } of waiting.get(form) ?? [])
    reject(new Error(`Tool execution cancelled${reason}`))
}

/** Rejects the calls that wait for the user, and leaves those for which a response is on its way. */
export function cancelUnanswered(form: HTMLFormElement, reason: string): void {
  for (const { isAnswered, reject } of waiting.get(form) ?? [])
    if (!isAnswered) reject(new Error(`Tool execution cancelled${reason}`))
}

/** Listens for submissions and resets below a root. */
export function watchSubmits(root: EventTarget, signal: AbortSignal): void {
  const options = { capture: true, signal }
  root.addEventListener('submit', begin, options)
  root.addEventListener('submit', noteRemoval, { signal })
  root.addEventListener(
    'reset',
    ({ target }) => {
      if (target instanceof HTMLFormElement) cancel(target, ' by a form reset')
    },
    options,
  )
}

function begin(event: Event): void {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || !waiting.get(form)?.size) return
  if (form === held) {
    event.preventDefault()
    return event.stopImmediatePropagation()
  }
  const submission: Submission = { form, ended: false, isRemoved: false }
  submissions.set(event, submission)
  submitted.delete(form)
  queueTask(() => {
    submission.ended = true
    settle(submission, event.defaultPrevented)
  })
}

/** The last listener of the event sees whether others have removed the form. */
function noteRemoval(event: Event): void {
  const submission = submissions.get(event)
  if (submission) submission.isRemoved = !submission.form.isConnected
}

/**
 * Settles the calls of a submitted form: the last call filled it in, so earlier calls fail. A slow
 * response can be overtaken by a second submission.
 */
function settle({ form, response, isRemoved }: Submission, prevented: boolean): void {
  const invocations = [...(waiting.get(form) ?? [])]
  const last = invocations.pop()
  for (const { reject } of invocations)
    reject(new Error('Another call has filled the form in since'))
  if (!last) return
  if (isWithdrawn(form) && !isRemoved) last.reject(new Error(IS_GONE))
  else if (response) void response.then(last.resolve, last.reject)
  else if (submitted.has(form) || (!prevented && form.isConnected)) last.resolve(NAVIGATED)
  else last.reject(new Error('The submission was prevented, and nothing responded'))
}

/** Message for a call whose form is not in the document. */
export const IS_GONE = 'Tool execution cancelled, since the form is gone'

/**
 * Reports whether a form that the user submits was removed. One that the call submits has done its
 * part by then.
 */
const isWithdrawn = (form: HTMLFormElement): boolean =>
  !form.isConnected && !form.hasAttribute('toolautosubmit')

/** Adds the WebMCP members of `SubmitEvent`; returns a function that removes them. */
export function patchSubmit(): Undo {
  const submit = Reflect.get(HTMLFormElement.prototype, 'submit') as () => void
  const undos = [
    defineSubmitMembers({ isInvoked: (event) => submissions.has(event), respond }),
    define(HTMLFormElement.prototype, {
      submit(this: HTMLFormElement) {
        if (this === held) return
        submitted.add(this)
        submit.call(this)
      },
    }),
  ]
  return () => undos.forEach((undo) => undo())
}

function respond(event: Event, response: unknown): void {
  const submission = submissions.get(event)
  if (!submission || submission.ended || submission.response || !event.defaultPrevented)
    return refuseResponse()
  submission.response = Promise.resolve(response)
  submission.response.catch(() => undefined)
  const last = [...(waiting.get(submission.form) ?? [])].pop()
  if (last) last.isAnswered = true
}
